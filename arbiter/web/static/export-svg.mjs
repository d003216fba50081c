// Run by node: draws positions as SVG text. Standard input: JSON with modules (a script whose default export has drawing.js and
// shapes.js, if there is a drawing), theme, narrow, document and turns. Standard output: JSON with svgs, style (what the drawing brings along), and place, the text in each
// SVG that stands for the whole style sheet.

import { readFileSync } from "node:fs";
import { drawingContext } from "./board.js";
import { Story } from "./story.js";
import { boardDrawing } from "./terminal.js";
import { el, toText } from "./svg.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
const { default: modules } = await import(`data:text/javascript;base64,${Buffer.from(asked.modules).toString("base64")}`);
const { "drawing.js": drawing, "shapes.js": shapes } = modules;
const story = new Story(asked.document);
const place = "/*style*/";

function drawn(turn) {
  const { view } = story.position(turn);
  const root = drawing ? drawing.draw(view, drawingContext(story, turn, asked.narrow), el, shapes) : boardDrawing(story.board(turn), el);
  const [left, top, width, height] = String(root.attributes.viewBox ?? "0 0 1000 600").split(/[\s,]+/);
  Object.assign(root.attributes, { width, height, "data-theme": asked.theme });
  root.children.unshift(el("rect", { x: left, y: top, width, height, class: "whole-background" }));
  return toText(root, `<style>${place}</style>`);
}

const style = [".whole-background { fill: var(--paper); }", shapes?.style ?? "", drawing?.style ?? ""].join("\n");
process.stdout.write(JSON.stringify({ svgs: asked.turns.map(drawn), style, place }));
