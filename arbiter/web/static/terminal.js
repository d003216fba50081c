// A terminal board in the browser: lines of text with terminal styles, as elements.

import { h } from "./dom.js";

const CLASSES = {
  1: "bold", 2: "dim", 7: "reverse", 30: "black", 31: "red", 32: "green", 33: "yellow", 34: "blue", 35: "magenta",
  36: "cyan", 37: "white", 90: "grey",
};
const STYLE = /\x1b\[([0-9;]*)m/;

/** The runs of one text: [text, class names]. */
export function runs(text) {
  const parts = text.split(STYLE);
  const found = [];
  let styles = [];
  for (let index = 0; index < parts.length; index++) {
    if (index % 2 === 0) {
      if (parts[index]) found.push([parts[index], styles]);
    } else {
      for (const code of parts[index].split(";")) {
        const name = CLASSES[Number(code)];
        if (Number(code) === 0) styles = [];
        else if (name) styles = [...styles, name];
      }
    }
  }
  return found;
}

/** The board as an element whose text fits its container as far as it stays readable. */
export function terminalBoard(lines) {
  const text = lines.join("\n").replace(/\s+$/, "");
  const plain = runs(text).map(([part]) => part).join("").split("\n");
  const board = h("pre", { class: "terminal" }, runs(text).map(([part, styles]) =>
    styles.length ? h("span", { class: styles.map((name) => `t-${name}`).join(" ") }, part) : part));
  board.style.setProperty("--columns", Math.max(40, ...plain.map((line) => [...line].length)));
  board.style.setProperty("--lines", Math.max(12, plain.length));
  return board;
}

/** The board as a drawing, for export. */
export function boardDrawing(lines, el) {
  const size = 14, wide = size * 0.602, high = size * 1.3;
  const kept = lines.join("\n").replace(/\s+$/, "").split("\n");
  let columns = 1;
  const rows = kept.map((line, row) => {
    let column = 0;
    const parts = runs(line).map(([text, styles]) => {
      const at = column, length = [...text].length;
      column += length;
      const x = 12 + at * wide, y = 12 + row * high;
      const reverse = styles.includes("reverse");
      return [
        reverse && el("rect", { x, y, width: length * wide, height: high, class: styles.map((name) => `b-${name}`).join(" ") }),
        text.trim() && el("text", { x, y: y + size, textLength: length * wide, class: styles.map((name) => `t-${name}`).join(" ") }, text.replaceAll(" ", "\u00a0")),
      ];
    });
    columns = Math.max(columns, column);
    return parts;
  });
  return el("svg", { viewBox: `0 0 ${Math.ceil(columns * wide + 24)} ${Math.ceil(kept.length * high + 24)}`, role: "img", class: "terminal-board" }, rows);
}
