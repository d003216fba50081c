// A drawing on the page. A new tree changes only the elements in which it differs from the one before it.

import { attributeText, elementOf } from "./svg.js";

const isText = (node) => typeof node !== "object";
/** Nodes of one kind are shown by the same element, one after the other; a key is shown by one element only. */
const kind = (node) => (isText(node) ? "" : node.key === null ? node.tag : `${node.tag} ${node.key}`);

/** A node as it is on the page: `{ node, dom, parts }`; the parts are its children. */
function made(node) {
  if (isText(node)) return { node, dom: document.createTextNode(String(node)), parts: [] };
  const dom = elementOf(node), parts = node.children.map(made);
  dom.append(...parts.map((part) => part.dom));
  return { node, dom, parts };
}

/** Make what is on the page look like a node of the same kind. */
function change(part, node) {
  const before = part.node;
  part.node = node;
  if (isText(node)) {
    if (String(before) !== String(node)) part.dom.data = String(node);
    return part;
  }
  changeAttributes(part.dom, before.attributes, node.attributes);
  changeParts(part, node.children);
  return part;
}

function changeAttributes(dom, before, after) {
  for (const name in { ...before, ...after }) {
    if (before[name] === after[name]) continue;
    const text = attributeText(name, after[name]);
    if (text !== null) dom.setAttribute(name, text);
    else dom.removeAttribute(name);
  }
}

/** Use the parts again, those of a kind in their order; take away those that are left, and put all in their places. */
function changeParts(shown, nodes) {
  const free = Map.groupBy(shown.parts, (part) => kind(part.node));
  shown.parts = nodes.map((node) => {
    const part = free.get(kind(node))?.shift();
    return part ? change(part, node) : made(node);
  });
  for (const parts of free.values()) for (const part of parts) part.dom.remove();
  shown.parts.reduceRight((after, { dom }) => {
    if (dom.parentNode !== shown.dom || dom.nextSibling !== after) shown.dom.insertBefore(dom, after);
    return dom;
  }, null);
}

/** The elements with a key: where each one stands, how clear it is, and the transforms of its ancestors. */
function collect({ node, dom, parts }, within, found) {
  if (isText(node)) return;
  const { key, attributes } = node, transform = attributes.transform ?? null;
  if (key !== null) found.set(key, { dom, transform, opacity: attributes.opacity ?? 1, within });
  const inside = transform === null || node.tag === "svg" ? within : `${within} ${transform}`.trimStart();
  for (const part of parts) collect(part, inside, found);
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

  /** Show a tree. */
  show(tree) {
    const { shown } = this;
    this.shown = null;  // a tree that is refused half-way leaves nothing to continue from
    if (shown) this.shown = change(shown, tree);
    else {
      this.shown = made(tree);
      this.host.replaceChildren(this.shown.dom);
    }
  }
}
