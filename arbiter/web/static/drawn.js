// A drawing on the page. A new tree changes only the elements in which it differs from the one before it: most of a position
// is the same after a move, and after a jump most elements have a counterpart of the same kind.

import { attributeText, elementOf } from "./svg.js";

const isText = (node) => typeof node !== "object";
/** Nodes of one kind can have the same element, one after the other. With `exact`, an element keeps its key. */
const kind = (node, exact) => (isText(node) ? "" : exact && node.key !== null ? `${node.tag} ${node.key}` : node.tag);

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
  while (same < parts.length && same < nodes.length && kind(parts[same].node, exact) === kind(nodes[same], exact)) change(parts[same], nodes[same++], exact);
  if (same === parts.length && same === nodes.length) return;
  const left = sorted(parts.slice(same), exact);
  const rest = nodes.slice(same).map((node) => {
    const found = left.get(kind(node, exact))?.shift();
    if (!found) return made(node);
    change(found, node, exact);
    return found;
  });
  for (const unused of left.values()) for (const part of unused) part.dom.remove();
  let at = same ? parts[same - 1].dom.nextSibling : dom.firstChild;
  for (const part of rest) {
    if (part.dom === at) at = at.nextSibling;
    else dom.insertBefore(part.dom, at);
  }
  shown.parts = [...parts.slice(0, same), ...rest];
}

/** Parts by kind, each kind in order. */
function sorted(parts, exact) {
  const found = new Map();
  for (const part of parts) {
    const name = kind(part.node, exact), list = found.get(name);
    if (list) list.push(part);
    else found.set(name, [part]);
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
    if (shown && kind(shown.node, exact) === kind(tree, exact)) {
      change(shown, tree, exact);
      this.shown = shown;
    } else {
      this.shown = made(tree);
      this.host.replaceChildren(this.shown.dom);
    }
  }
}
