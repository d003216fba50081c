"""Texts without contrast, by the formula of the WCAG: of the page, and of the drawing on its board."""

from __future__ import annotations

_FORMULA = """
const channel = (value) => { const share = value / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };
const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true }), known = new Map();
function parsed(text) {  // of any notation, since the browser draws it
  if (!known.has(text)) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(text, [red, green, blue, alpha / 255]);
  }
  return [...known.get(text)];
}
const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3])).concat(1);
function background(element) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) layers.push(parsed(getComputedStyle(each).backgroundColor));
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
}
function opacity(element) {
  let found = 1;
  for (let each = element; each; each = each.parentElement) found *= Number(getComputedStyle(each).opacity);
  return found;
}
function ratio(own, behind) {
  const one = light(over(own, behind)), other = light(behind);
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
const low = [];
"""

LOW = (
    _FORMULA
    + """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest(':disabled, svg, .terminal')) continue;
  const own = parsed(getComputedStyle(element).color);
  own[3] *= opacity(element);
  const found = ratio(own, background(element));
  if (found < 4.5) low.push(`${walker.currentNode.data.trim().slice(0, 40)} (${element.className || element.tagName}): ${found.toFixed(2)}`);
}
return low;
"""
)

LOW_ON_BOARD = (
    _FORMULA
    + """
const host = document.getElementById("board"), root = host.shadowRoot;
for (const text of root.querySelectorAll("text")) {
  // What counts nothing is faint on purpose, and so is what has been lost.
  if (!text.textContent.trim() || text.closest(".faint, .lost, .away")) continue;
  text.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = text.getBoundingClientRect(), style = getComputedStyle(text);
  const stack = root.elementsFromPoint(x + width / 2, y + height / 2), at = stack.indexOf(text);
  if (at < 0) continue;
  let behind = background(host);
  for (const shape of stack.slice(at + 1).reverse()) {
    const { fill, fillOpacity } = getComputedStyle(shape);
    if (!(shape instanceof SVGGeometryElement) || fill === "none") continue;
    const layer = parsed(fill);
    layer[3] *= Number(fillOpacity) * opacity(shape);
    behind = over(layer, behind);
  }
  const own = parsed(style.fill);
  own[3] *= opacity(text);
  const size = Number.parseFloat(style.fontSize) * text.getScreenCTM().a, bold = Number(style.fontWeight) >= 700;
  const found = ratio(own, behind), least = size >= 24 || (bold && size >= 18.6) ? 3 : 4.5;
  if (found < least) low.push(`${text.textContent.slice(0, 40)} (${text.getAttribute("class")}): ${found.toFixed(2)}`);
}
return low;
"""
)
