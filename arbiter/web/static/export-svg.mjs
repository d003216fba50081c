// Run by node: draws positions as SVG text. Standard input: JSON with drawing, shapes (module texts or null), theme, narrow,
// document and turns. Standard output: JSON with svgs, style (what the drawing brings along), and place, the text in each
// SVG that stands for the whole style sheet.

import { readFileSync } from "node:fs";
import { drawingContext } from "./board.js";
import { Story } from "./story.js";
import { boardDrawing } from "./terminal.js";
import { el, toText } from "./svg.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
const module = (text) => (text ? import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`) : null);
const [drawing, shapes] = [await module(asked.drawing), await module(asked.shapes)];
const story = new Story(asked.document);
const place = "/*style*/";

function drawn(turn) {
  const { view, board } = story.position(turn);
  const root = drawing ? drawing.draw(view, drawingContext(story, turn, asked.narrow), el, shapes) : boardDrawing(board, el);
  const [left, top, width, height] = String(root.attributes.viewBox ?? "0 0 1000 600").split(/[\s,]+/);
  Object.assign(root.attributes, { width, height, "data-theme": asked.theme });
  root.children.unshift(el("rect", { x: left, y: top, width, height, class: "whole-background" }));
  return toText(root, `<style>${place}</style>`);
}

const style = [".whole-background { fill: var(--paper); }", shapes?.style ?? "", drawing?.style ?? ""].join("\n");
process.stdout.write(JSON.stringify({ svgs: asked.turns.map(drawn), style, place }));
