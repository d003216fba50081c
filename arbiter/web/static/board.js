// The position on the page: the drawing of the protocol, or its terminal board.

import { h, shown } from "./dom.js";
import { animate, el, toDom } from "./svg.js";
import { terminalBoard } from "./terminal.js";

const NARROW = 620;

export class Board {
  /** `drawing` is the module of the protocol or null, `shapes` the helpers that drawings share. */
  constructor(host, story, drawing, shapes) {
    Object.assign(this, { host, story, drawing, shapes });
    this.turn = null;
    this.keyed = new Map();
    /** While a person plays: `{person, choices, picked}`; choices is null while somebody else is asked. */
    this.asked = null;
    if (drawing) this.frame = this.#frame();
    new ResizeObserver(() => { if (this.turn !== null && this.narrow !== this.#isNarrow()) this.show(this.turn); }).observe(host);
  }

  /** A shadow root keeps the styles of the drawing to the drawing. */
  #frame() {
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    const own = ":host, .drawing { display: grid; place-items: center; width: 100%; height: 100%; min-height: 0; } svg { display: block; width: 100%; height: 100%; max-height: 100%; }";
    sheet.replaceSync([own, this.shapes?.style ?? "", this.drawing.style ?? ""].join("\n"));
    root.adoptedStyleSheets = [sheet];
    const frame = h("div", { class: "drawing" });
    root.append(frame);
    return frame;
  }

  #isNarrow() {
    return this.host.clientWidth > 0 && this.host.clientWidth < NARROW;
  }

  setTheme(theme) {
    this.frame?.setAttribute("data-theme", theme);
  }

  /** Show the position after a turn; a step from the turn before or after it is animated. */
  show(turn, { quick = false } = {}) {
    const step = this.turn !== null && Math.abs(turn - this.turn) === 1 && !quick;
    this.turn = turn;
    this.narrow = this.#isNarrow();
    if (!this.drawing) {
      this.host.replaceChildren(terminalBoard(this.story.position(turn).board));
      return;
    }
    try {
      this.#draw(turn, step);
    } catch (error) {
      console.error(error);
      this.keyed = new Map();
      const note = h("p", { class: "problem" }, `The drawing failed: ${shown(error.message, 300)}`);
      this.frame.replaceChildren(note, h("pre", {}, this.story.position(turn).board.join("\n").replace(/\x1b\[[0-9;]*m/g, "")));
    }
  }

  #draw(turn, step) {
    const { view } = this.story.position(turn);
    const keyed = new Map();
    const root = toDom(this.drawing.draw(view, drawingContext(this.story, turn, this.narrow, this.asked), el, this.shapes), keyed);
    const before = this.keyed;
    this.keyed = keyed;
    this.host.classList.toggle("tall", root.viewBox?.baseVal?.height > root.viewBox?.baseVal?.width);
    this.frame.replaceChildren(root);
    if (step) animate(before, keyed, root);
  }
}

/** What a drawing is told besides the view. */
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
