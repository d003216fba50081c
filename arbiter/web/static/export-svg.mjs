// Run by node: draws one position as SVG text. Standard input: JSON with drawing, shapes (module texts or null), style,
// theme, narrow, document and turn. Standard output: the SVG.

import { readFileSync } from "node:fs";
import { drawingContext } from "./board.js";
import { Story } from "./story.js";
import { boardDrawing } from "./terminal.js";
import { el, toText } from "./svg.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
const module = (text) => (text ? import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`) : null);
const [drawing, shapes] = [await module(asked.drawing), await module(asked.shapes)];
const story = new Story(asked.document);
const { view, board } = story.position(asked.turn);
const root = drawing ? drawing.draw(view, drawingContext(story, asked.turn, asked.narrow), el, shapes) : boardDrawing(board, el);
const [, , width, height] = String(root.attributes.viewBox ?? "0 0 1000 600").split(/[\s,]+/);
Object.assign(root.attributes, { width, height, "data-theme": asked.theme });
const css = [asked.style, "svg { background: var(--paper); }", shapes?.style ?? "", drawing?.style ?? ""].join("\n");
process.stdout.write(toText(root, `<style>${css.replace(/[&<]/g, (letter) => (letter === "&" ? "&amp;" : "&lt;"))}</style>`) + "\n");
