// A drawing on the page. A new tree changes only the elements in which it differs from the one before it: most of a position
// is the same after a move, and after a jump most elements have a counterpart of the same kind.

import { attributeText, elementOf } from "./svg.js";

const isText = (node) => typeof node !== "object";
/** Nodes of one kind are shown by the same element, one after the other. */
const kind = (node) => (isText(node) ? "" : node.key === null ? node.tag : `${node.tag} ${node.key}`);

/** A node as it is on the page: `{ node, dom, parts }`; the parts are its children. */
function made(node) {
  if (isText(node)) return { node, dom: document.createTextNode(String(node)), parts: [] };
  const dom = elementOf(node), parts = node.children.map(made);
  for (const part of parts) dom.append(part.dom);
  return { node, dom, parts };
}

/** Make what is on the page look like a node of the same kind. */
function change(shown, node, exact) {
  const before = shown.node;
  if (before === node) return;
  shown.node = node;
  if (isText(node)) {
    if (String(before) !== String(node)) shown.dom.data = String(node);
    return;
  }
  changeAttributes(shown.dom, before.attributes, node.attributes);
  changeParts(shown, node.children, exact);
}

function changeAttributes(dom, before, after) {
  for (const name of Object.keys(after)) {
    if (before[name] === after[name]) continue;
    const text = attributeText(name, after[name]);
    if (text !== null) dom.setAttribute(name, text);
    else dom.removeAttribute(name);
  }
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) dom.removeAttribute(name);
}

function changeParts(shown, nodes, exact) {
  const { parts, dom } = shown;
  let same = 0;
  while (same < parts.length && same < nodes.length && kind(parts[same].node) === kind(nodes[same])) change(parts[same], nodes[same++], exact);
  if (same === parts.length && same === nodes.length) return;
  const [rest, unused] = matched(parts.slice(same), nodes.slice(same), exact);
  for (const part of unused) part.dom.remove();
  const stays = inOrder(rest, parts);
  let after = null;
  for (const part of rest.toReversed()) {
    if (!stays.has(part)) dom.insertBefore(part.dom, after);
    after = part.dom;
  }
  shown.parts = [...parts.slice(0, same), ...rest];
}

/**
 * The most parts that are in the same order as before: a browser lays out anew what is moved, even to where it was.
 * They are a longest increasing subsequence of the places that the parts had.
 */
function inOrder(parts, before) {
  const places = new Map(before.map((part, place) => [part, place]));
  const ends = [];  // for every length, the sequence of that length that ends at the lowest place: { part, place, previous }
  for (const part of parts) {
    const place = places.get(part);
    if (place === undefined) continue;
    let low = 0, high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle].place < place) low = middle + 1; else high = middle;
    }
    ends[low] = { part, place, previous: low ? ends[low - 1] : null };
  }
  const stays = new Set();
  for (let each = ends.at(-1); each; each = each.previous) stays.add(each.part);
  return stays;
}

/** A part for every node: one of the same kind, otherwise, unless `exact`, one that had another key, or a new one; and those left over. */
function matched(parts, nodes, exact) {
  const left = listed(parts, kind);
  const found = nodes.map((node) => left.get(kind(node))?.shift());
  const unused = [...left.values()].flat();
  const spare = exact ? new Map() : listed(unused.filter((part) => (part.node.key ?? null) !== null), (node) => node.tag);
  const rest = nodes.map((node, index) => {
    const part = found[index] ?? ((node.key ?? null) !== null ? spare.get(node.tag)?.shift() : undefined);
    if (!part) return made(node);
    change(part, node, exact);
    return part;
  });
  const used = new Set(rest);
  return [rest, unused.filter((part) => !used.has(part))];
}

/** Parts by what `name` calls their nodes, each list in order. */
function listed(parts, name) {
  const found = new Map();
  for (const part of parts) {
    const list = found.get(name(part.node));
    if (list) list.push(part);
    else found.set(name(part.node), [part]);
  }
  return found;
}

/** The elements with a key: where each one stands, how clear it is, and the transforms of its ancestors. */
function collect(shown, within, found) {
  if (isText(shown.node)) return;
  const { key, attributes } = shown.node, transform = attributes.transform ?? null;
  if (key !== null) found.set(String(key), { dom: shown.dom, transform, opacity: attributes.opacity ?? 1, within });
  const inside = transform === null || shown.node.tag === "svg" ? within : `${within} ${transform}`.trimStart();
  for (const part of shown.parts) collect(part, inside, found);
}

export class Drawn {
  /** The drawing that `host` shows. */
  constructor(host) {
    this.host = host;
    this.shown = null;
  }

  get root() {
    return this.shown.dom;
  }

  /** The elements with a key, by key. */
  keyed() {
    const found = new Map();
    if (this.shown) collect(this.shown, "", found);
    return found;
  }

  /** Show a tree. With `exact`, elements with a key are used again only for the same key, so that they can move. */
  show(tree, { exact = false } = {}) {
    const { shown } = this;
    this.shown = null;  // a tree that is refused half-way leaves nothing to continue from
    if (shown && kind(shown.node) === kind(tree)) {
      change(shown, tree, exact);
      this.shown = shown;
    } else {
      this.shown = made(tree);
      this.host.replaceChildren(this.shown.dom);
    }
  }
}
