"""What is wrong with the layout of a page, read in the browser. A text may be wider or narrower as long as it is readable."""

from __future__ import annotations

from tests.web.browser import contrast
from tests.web.browser.driver import Browser

_BOXES = """
const SLACK = 1.5;  // pixels; boxes have fractions
const scrolls = (style) => /auto|scroll/.test(style.overflowX + style.overflowY);
const hides = (style) => /hidden|clip/.test(style.overflowX + style.overflowY);
const named = (element) => element.id ? `#${element.id}` : `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`;
const parentOf = (element) => element.parentElement ?? element.getRootNode().host ?? null;
const edges = (box) => ({ left: box.left, top: box.top, right: box.right, bottom: box.bottom });
const within = (one, other) => one.left >= other.left - SLACK && one.right <= other.right + SLACK && one.top >= other.top - SLACK && one.bottom <= other.bottom + SLACK;
const shared = (one, other) => ({ left: Math.max(one.left, other.left), top: Math.max(one.top, other.top), right: Math.min(one.right, other.right), bottom: Math.min(one.bottom, other.bottom) });
const apart = (one, other) => { const both = shared(one, other); return both.right - both.left <= SLACK || both.bottom - both.top <= SLACK; };
const empty = (box) => box.right - box.left <= SLACK || box.bottom - box.top <= SLACK;
// Fonts differ in what they leave above and below a letter.
const core = ({ left, top, right, bottom }) => ({ left, right, top: top + (bottom - top) / 4, bottom: bottom - (bottom - top) / 4 });
const window_ = { left: 0, top: -Infinity, right: innerWidth, bottom: Infinity };

/** What can be seen of a box without scrolling, and whether something cuts it that nobody can scroll. */
function seen(element, box) {
  let visible = edges(box), cut = null, reachable = false, floats = false;
  for (let each = element; each && each !== document.body; each = parentOf(each)) {
    const style = getComputedStyle(each);
    floats ||= /sticky|fixed/.test(style.position);
    if (!scrolls(style) && !hides(style)) continue;
    const frame = each.getBoundingClientRect();
    // An ellipsis shows that there is more.
    if (!reachable && hides(style) && style.textOverflow !== "ellipsis" && !within(visible, frame)) cut ??= named(each);
    if (scrolls(style)) reachable = true;
    visible = shared(visible, frame);
  }
  if (!reachable && !cut && !within(visible, window_)) cut = "the window";
  return { visible, cut, floats };
}
"""

DEFECTS = (
    _BOXES
    + """
const found = [];
// Cards of a kind are stacked, so that a text may be behind the same text.
function collisions(items, what) {
  for (const [index, one] of items.entries()) for (const other of items.slice(0, index)) {
    if (one.floats === other.floats && one.name !== other.name && !apart(one.box, other.box) && !one.element.contains(other.element) && !other.element.contains(one.element)) found.push(`${what} ${other.name} and ${one.name} overlap`);
  }
}
// A text of a drawing as wide as in a font of average width, since the drawing does not know which one there is.
function nominal(element, box) {
  if (!element.closest("svg")) return box;
  const { fontSize, textAnchor } = getComputedStyle(element), width = element.textContent.length * Number.parseFloat(fontSize) * element.getScreenCTM().a / 2;
  const left = { start: box.left, middle: (box.left + box.right - width) / 2, end: box.right - width }[textAnchor];
  return { left, right: left + width, top: box.top, bottom: box.bottom };
}
function shownTexts(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), range = document.createRange(), items = [];
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.parentElement, name = JSON.stringify(node.data.trim().slice(0, 40));
    if (!node.data.trim() || element.closest("title, style, option") || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const { visible, cut, floats } = seen(element, core(nominal(element, line)));
      if (cut) found.push(`the text ${name} is cut by ${cut}`);
      if (!empty(visible)) items.push({ element, name, box: visible, floats });
    }
  }
  return items;
}
const dialog = document.querySelector("dialog[open]"), top_ = dialog ?? document.body, board = top_.querySelector("#board")?.shadowRoot ?? null;
collisions(shownTexts(top_), "the texts");
const controls = [];
for (const element of top_.querySelectorAll("a[href], button, input, select, textarea, summary")) {
  if (!element.checkVisibility({ checkVisibilityCSS: true }) || element.type === "hidden") continue;
  for (const part of element.getClientRects()) {
    const { visible, cut, floats } = seen(element.parentElement, core(part));
    if (cut) found.push(`the control ${named(element)} is cut by ${cut}`);
    if (!empty(visible)) controls.push({ element, name: named(element), box: visible, floats });
  }
}
collisions(controls, "the controls");
const svg = board?.querySelector("svg");
if (svg) {
  const frame = svg.getBoundingClientRect();
  if (seen(svg, frame).cut) found.push("the board is cut");
  for (const shape of svg.querySelectorAll("rect, circle, ellipse, line, path, polyline, polygon")) {
    if (shape.checkVisibility() && !shape.closest("defs, clipPath, symbol, [clip-path]") && !within(shape.getBoundingClientRect(), frame)) found.push(`${named(shape)} is outside the board`);
  }
  collisions(shownTexts(svg), "the texts on the board");
}
return [...new Set(found)];
"""
)
"""Returns what is cut, covered, beside the window or outside the board."""

_DRAWN = "return Boolean(document.getElementById('board')?.shadowRoot)"


def defects(browser: Browser) -> list[str]:
    """Return what is wrong with the page that is open: its layout, and texts that have too little contrast."""
    scripts = [DEFECTS, contrast.LOW, *([contrast.LOW_ON_BOARD] if browser.run(_DRAWN) else [])]
    return [str(each) for script in scripts for each in browser.run(script)]
