// Drawings as plain trees: made with el(), checked against an allow-list, turned into DOM or text, and animated by key.

const NAMESPACE = "http://www.w3.org/2000/svg";
const TAGS = new Set((
  "svg g rect circle ellipse line path polyline polygon text tspan title desc defs clipPath linearGradient radialGradient stop use symbol marker pattern"
).split(" "));
const NAME = /^[a-zA-Z][a-zA-Z0-9-]*$/;
const DURATION_MS = 260;
const MOST_ANIMATED = 600;

/** A node of a drawing; children are nodes, text, numbers, arrays, or null and false, which are left out. */
export function el(tag, attributes, ...children) {
  const { key = null, ...rest } = attributes ?? {};
  const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== true);
  return { tag, key, attributes: rest, children: kept };
}

/** The attributes of a node that may be shown, checked: no handlers, no styles, no links to anywhere else. */
function allowed(node) {
  if (!TAGS.has(node.tag)) throw new Error(`a drawing may not contain <${node.tag}>`);
  const kept = [];
  for (const [name, value] of Object.entries(node.attributes)) {
    if (value === null || value === undefined || value === false) continue;
    const text = String(value);
    const lower = name.toLowerCase();
    if (!NAME.test(name) || lower.startsWith("on") || lower === "style") throw new Error(`a drawing may not set ${name}`);
    if (lower === "href" && !text.startsWith("#")) throw new Error("a drawing may only refer to its own elements");
    if (/url\(\s*(?!['"]?#)/i.test(text)) throw new Error("a drawing may only refer to its own elements");
    kept.push([name, text]);
  }
  return kept;
}

/** The node as DOM; keyed elements are collected in `keyed`. */
export function toDom(node, keyed = new Map()) {
  if (typeof node !== "object") return document.createTextNode(String(node));
  const made = document.createElementNS(NAMESPACE, node.tag);
  for (const [name, value] of allowed(node)) made.setAttribute(name, value);
  if (node.key !== null) keyed.set(String(node.key), made);
  for (const child of node.children) made.append(toDom(child, keyed));
  return made;
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text)
  .replace(/[&<>"]/g, (letter) => ESCAPES[letter])
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

/** The node as SVG text; `more` is markup to put first inside the root, such as a style sheet. */
export function toText(node, more = "") {
  if (typeof node !== "object") return escaped(node);
  const attributes = allowed(node).map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
  const space = node.tag === "svg" ? ` xmlns="${NAMESPACE}"` : "";
  return `<${node.tag}${space}${attributes}>${more}${node.children.map((child) => toText(child)).join("")}</${node.tag}>`;
}

/** A transform attribute as a CSS value; null for one that is not made of plain translations, scales and rotations. */
function cssTransform(attribute) {
  const steps = [...(attribute ?? "").matchAll(/\s*(translate|scale|rotate)\(([^)]*)\)/g)];
  if (steps.map(([whole]) => whole).join("") !== (attribute ?? "")) return null;
  const parts = steps.map(([, name, numbers]) => {
    const values = numbers.trim().split(/[\s,]+/).map(Number);
    if (values.some(Number.isNaN) || (name === "rotate" && values.length > 1)) return null;
    if (name === "translate") return `translate(${values[0]}px, ${values[1] ?? 0}px)`;
    return name === "scale" ? `scale(${values[0]}, ${values[1] ?? values[0]})` : `rotate(${values[0]}deg)`;
  });
  return parts.includes(null) ? null : parts.join(" ") || "none";
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where an element stands in its drawing: the transforms of its ancestors. */
function ancestry(element) {
  const found = [];
  for (let each = element.parentNode; each && each.localName !== "svg"; each = each.parentNode) {
    if (each.getAttribute("transform")) found.unshift(each.getAttribute("transform"));
  }
  return found.join(" ");
}

/** Animate from the elements of one drawing to those of the next, which has just been put in its place. */
export function animate(before, after, root, ms = DURATION_MS) {
  if (still() || before.size + after.size > MOST_ANIMATED || !root.animate) return;
  const timing = { duration: ms, easing: "ease-in-out" };
  for (const [key, made] of after) {
    const old = before.get(key);
    if (!old) {
      made.animate([{ opacity: 0 }, { opacity: made.getAttribute("opacity") ?? 1 }], timing);
      continue;
    }
    const from = cssTransform(old.getAttribute("transform")), to = cssTransform(made.getAttribute("transform"));
    const faint = old.getAttribute("opacity") ?? 1, clear = made.getAttribute("opacity") ?? 1;
    if (from === null || to === null || (from === to && faint === clear)) continue;
    made.animate([{ transform: from, opacity: faint }, { transform: to, opacity: clear }], timing);
  }
  for (const [key, old] of before) {
    if (after.has(key)) continue;
    const ghost = document.createElementNS(NAMESPACE, "g");
    ghost.setAttribute("transform", ancestry(old));
    ghost.setAttribute("pointer-events", "none");
    ghost.setAttribute("aria-hidden", "true");
    ghost.append(old);
    root.append(ghost);
    const fade = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { ...timing, fill: "forwards" });
    fade.finished.then(() => ghost.remove(), () => ghost.remove());
  }
}
