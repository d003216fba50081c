// The position on the page: the drawing of the protocol, or its terminal board.

import { h, shown } from "./dom.js";
import { Drawn } from "./drawn.js";
import { Motion } from "./motion.js";
import { el } from "./svg.js";
import { terminalBoard } from "./terminal.js";
import { showCommand } from "./turn.js";

const NARROW = 620;
const isNarrow = (width) => width > 0 && width < NARROW;
// The drawing has its size in pixels. With one in percent, a browser that lays out the page in several passes sets every text of
// the drawing again in each of them, whatever has changed.
const FRAME = `
:host { display: grid; } .drawing { position: relative; overflow: hidden; width: 100%; height: 100%; min-height: 0; }
svg { display: block; width: var(--width, 100%); height: var(--drawing-height, var(--height, 100%)); }
`;

export class Board {
  /** `drawing` is the module of the protocol or null, `shapes` the helpers that drawings share. */
  constructor(host, story, drawing, shapes) {
    Object.assign(this, { host, story, drawing, shapes });
    this.turn = null;
    /** While a person plays: `{person, choices, picked}`; choices is null while somebody else is asked. */
    this.asked = null;
    if (drawing) {
      this.frame = this.#frame();
      this.drawn = new Drawn(this.frame);
      this.motion = new Motion();
    }
    this.narrow = isNarrow(host.clientWidth);
    new ResizeObserver(([entry]) => this.#resized(entry.contentRect)).observe(host);
  }

  /** A shadow root keeps the styles of the drawing to the drawing. */
  #frame() {
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync([FRAME, this.shapes?.style ?? "", this.drawing.style ?? ""].join("\n"));
    root.adoptedStyleSheets = [sheet];
    const frame = h("div", { class: "drawing" });
    root.append(frame);
    return frame;
  }

  #resized({ width, height }) {
    this.frame?.style.setProperty("--width", `${width}px`);
    this.frame?.style.setProperty("--height", `${height}px`);
    const narrow = isNarrow(this.host.clientWidth);
    if (narrow === this.narrow) return;
    this.narrow = narrow;
    if (this.turn !== null) this.show(this.turn);
  }

  setTheme(theme) {
    this.frame?.setAttribute("data-theme", theme);
  }

  /** Show the position after a turn; a step from the turn before or after it is animated. */
  show(turn, { quick = false } = {}) {
    const step = this.turn !== null && Math.abs(turn - this.turn) === 1 && !quick;
    this.turn = turn;
    if (!this.drawing) {
      this.host.replaceChildren(terminalBoard(this.story.board(turn)));
      return;
    }
    try {
      this.#draw(turn, step);
    } catch (error) {
      console.error(error);
      this.drawn = new Drawn(this.frame);
      const note = h("p", { class: "problem" }, `The drawing failed: ${shown(error.message, 300)}`), lines = this.story.board(turn);
      this.frame.replaceChildren(note, lines
        ? h("pre", {}, lines.join("\n").replace(/\x1b\[[0-9;]*m/g, ""))
        : h("p", {}, "See the position in the terminal: ", h("code", {}, showCommand(this.story, turn))));
    }
  }

  #draw(turn, step) {
    const { drawn, motion } = this, { view } = this.story.position(turn);
    const tree = this.drawing.draw(view, drawingContext(this.story, turn, this.narrow, this.asked), el, this.shapes);
    const [, , width, height] = String(tree.attributes.viewBox ?? "").split(/[\s,]+/);
    this.host.classList.toggle("tall", Number(height) > Number(width));
    const before = step ? drawn.keyed() : null;
    motion.stop();
    drawn.show(tree);
    this.host.classList.toggle("scored", drawn.root.querySelector(".score") !== null);
    if (step) motion.start(before, drawn.keyed(), drawn.root);
  }
}

/** The context that a drawing gets besides the view. */
export function drawingContext(story, turn, narrow, asked = null) {
  const person = asked && { reveal: false, ...asked, choices: turn === story.last ? asked.choices : null };
  return {
    seats: story.seats.map((seat, index) => ({ name: seat.name, label: String(story.number(index)) })),
    turn,
    moves: story.moves(turn).map((move) => ({ seat: move.seat, move: move.move, said: move.words, fault: move.fault?.kind ?? null })),
    before: turn > 0 ? story.position(turn - 1).view : null,
    narrow,
    reveal: true,
    choices: null,
    ...person,
  };
}
