// A drawing on the page. A new tree changes only the elements in which it differs from the one before it: most of a position
// is the same after a move, and after a jump most elements have a counterpart of the same kind.

import { attributeText, elementOf } from "./svg.js";

const isText = (node) => typeof node !== "object";
/** Nodes of one kind are shown by the same element, one after the other. */
const alike = (one, other) => one === other || (isText(one) ? isText(other) : one !== null && other !== null && one.tag === other.tag && one.key === other.key);
const kind = (node) => (isText(node) ? "" : node.key === null ? node.tag : `${node.tag} ${node.key}`);
/** The place of a part that is not there. */
const NOTHING = Object.freeze({ node: null, dom: null, parts: [], gone: null });
/** Parts with a key that an element remembers when they have gone, since they often come back. */
const MOST_GONE = 200;

/** A node as it is on the page: `{ node, dom, parts, gone }`; the parts are its children, `gone` those that it had, by kind. */
function made(node) {
  if (node === null) return NOTHING;
  if (isText(node)) return { node, dom: document.createTextNode(String(node)), parts: [], gone: null };
  const dom = elementOf(node), parts = node.children.map(made);
  for (const part of parts) if (part !== NOTHING) dom.append(part.dom);
  return { node, dom, parts, gone: null };
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
  for (const name in after) {
    if (before[name] === after[name]) continue;
    const text = attributeText(name, after[name]);
    if (text !== null) dom.setAttribute(name, text);
    else dom.removeAttribute(name);
  }
  for (const name in before) if (!Object.hasOwn(after, name)) dom.removeAttribute(name);
}

function changeParts(shown, nodes, exact) {
  const { parts, dom } = shown;
  let same = 0;
  while (same < parts.length && same < nodes.length && alike(parts[same].node, nodes[same])) change(parts[same], nodes[same++], exact);
  if (same === parts.length && same === nodes.length) return;
  const old = parts.slice(same), rest = matched(shown, old, nodes.slice(same), exact), used = new Set(rest);
  for (const part of old) if (part !== NOTHING && !used.has(part)) remove(shown, part);
  const stays = inOrder(rest, old);
  let after = null;
  for (const part of rest.toReversed()) {
    if (part === NOTHING) continue;
    if (!stays.has(part)) dom.insertBefore(part.dom, after);
    after = part.dom;
  }
  shown.parts = [...parts.slice(0, same), ...rest];
}

function remove(shown, part) {
  part.dom.remove();
  if ((part.node.key ?? null) === null) return;
  shown.gone ??= new Map();
  shown.gone.set(kind(part.node), part);
  if (shown.gone.size > MOST_GONE) shown.gone.delete(shown.gone.keys().next().value);
}

/** A part that has gone, if it comes back; otherwise a new one. */
function again(shown, node, exact) {
  const part = shown.gone && (node?.key ?? null) !== null ? shown.gone.get(kind(node)) : undefined;
  if (!part) return made(node);
  shown.gone.delete(kind(node));
  change(part, node, exact);
  return part;
}

/**
 * The most parts that are in the same order as before: a browser lays out again whatever is moved, even if it is moved to where it was.
 * They are a longest increasing subsequence of the places that the parts had.
 */
function inOrder(parts, before) {
  const places = new Map(before.map((part, place) => [part, place]));
  const ends = [];  // for every length, the sequence of that length that ends at the lowest place: { part, place, previous }
  for (const part of parts) {
    const place = places.get(part);
    if (place === undefined || part === NOTHING) continue;
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

/**
 * A part for every node: the one in its place if that is of the same kind, otherwise another one of that kind, or, unless `exact`, one
 * that had another key, or a new one. Places are counted from the end, since parts up to the first difference are not among these.
 */
function matched(shown, parts, nodes, exact) {
  const shift = parts.length - nodes.length, free = new Set(parts);
  const taken = (part) => (free.delete(part) ? part : undefined);
  const inPlace = (node, index) => (node !== null && alike(parts[index + shift]?.node ?? null, node) ? taken(parts[index + shift]) : undefined);
  const found = nodes.map(inPlace);
  const rest = (wanted, name) => {
    const left = listed([...free].filter((part) => wanted(part.node)), name);
    nodes.forEach((node, index) => { if (!found[index] && wanted(node)) found[index] = taken(left.get(name(node))?.shift()); });
  };
  rest((node) => node !== null, kind);
  if (!exact) rest((node) => (node?.key ?? null) !== null, (node) => node.tag);
  return nodes.map((node, index) => {
    if (!found[index]) return again(shown, node, exact);
    change(found[index], node, exact);
    return found[index];
  });
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
  if (shown === NOTHING || isText(shown.node)) return;
  const { key, attributes } = shown.node, transform = attributes.transform ?? null;
  if (key !== null) found.set(key, { dom: shown.dom, transform, opacity: attributes.opacity ?? 1, within });
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
    if (shown && alike(shown.node, tree)) {
      change(shown, tree, exact);
      this.shown = shown;
    } else {
      this.shown = made(tree);
      this.host.replaceChildren(this.shown.dom);
    }
  }
}
