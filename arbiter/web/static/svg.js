// Drawings as plain trees: made with el(), checked against an allow-list, turned into DOM or text.

export const NAMESPACE = "http://www.w3.org/2000/svg";
const TAGS = new Set((
  "svg g rect circle ellipse line path polyline polygon text tspan title desc defs clipPath linearGradient radialGradient stop use symbol marker pattern"
).split(" "));
const NAME = /^[a-zA-Z][a-zA-Z0-9-]*$/;

/** A node of a drawing; children are nodes, text, numbers, arrays, or null, undefined and booleans, which draw nothing. */
export function el(tag, attributes, ...children) {
  const key = attributes?.key ?? null;
  const drawn = children.flat(Infinity).filter((child) => child !== null && child !== undefined && typeof child !== "boolean");
  return { tag, key: key === null ? null : String(key), attributes: { ...attributes }, children: drawn };
}

/** The value of an attribute as text, checked: no handlers, no styles, no links to anywhere else; null for the key and one that is not set. */
export function attributeText(name, value) {
  if (value === null || value === undefined || value === false || name === "key") return null;
  const text = String(value);
  const lower = name.toLowerCase();
  if (!NAME.test(name) || lower.startsWith("on") || lower === "style") throw new Error(`a drawing may not set ${name}`);
  if (lower === "href" && !text.startsWith("#")) throw new Error("a drawing may only refer to its own elements");
  if (/url\(\s*(?!['"]?#)/i.test(text)) throw new Error("a drawing may only refer to its own elements");
  return text;
}

function checkTag(tag) {
  if (!TAGS.has(tag)) throw new Error(`a drawing may not contain <${tag}>`);
}

/** An element for a node, with its attributes and without its children. */
export function elementOf(node) {
  checkTag(node.tag);
  const made = document.createElementNS(NAMESPACE, node.tag);
  for (const name of Object.keys(node.attributes)) {
    const text = attributeText(name, node.attributes[name]);
    if (text !== null) made.setAttribute(name, text);
  }
  return made;
}

/** The node as DOM. */
export function toDom(node) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const made = elementOf(node);
  made.append(...node.children.map(toDom));
  return made;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text)
  .replace(/[&<>"]/g, (letter) => ESCAPES[letter])
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** The node as SVG text; `more` is markup to put first inside the root, such as a style sheet. */
export function toText(node, more = "") {
  if (typeof node !== "object") return escaped(node);
  checkTag(node.tag);
  const set = Object.entries(node.attributes).map(([name, value]) => [name, attributeText(name, value)]).filter(([, value]) => value !== null);
  const attributes = set.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  const space = node.tag === "svg" ? ` xmlns="${NAMESPACE}"` : "";
  return `<${node.tag}${space}${attributes}>${more}${node.children.map((child) => toText(child)).join("")}</${node.tag}>`;
}
