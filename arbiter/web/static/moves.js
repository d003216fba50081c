// The list of moves in words. Turns that have not been seen stay hidden until the result may be shown, and of a long game
// only the turns around the current one are in the page.

import { badge, byId, h, plural, shown, write } from "./dom.js";
import { el, toDom } from "./svg.js";

const FEWEST = 8;
const ROW_PX = 30;
const MORE = 40;
/** Rows that stay in the list when others are added, since a browser takes longer to lay out a row again than to keep it. */
const MOST = 120;

/** A speech bubble that stands for what was said with a move, and has it as its title. */
function bubble(move) {
  const said = shown([move.message, ...(move.kibitz ?? [])].filter(Boolean).join("\n"), 300);
  const icon = toDom(el("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    el("path", { d: "M3 2h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H8l-4 3.5V11H3a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2zm1 3v1.5h8V5zm0 2.6v1.4h5V7.6z", "fill-rule": "evenodd" })));
  return h("span", { class: "mark talk", title: said, role: "img", "aria-label": move.message ? "with a message" : "with kibitz" }, icon);
}

export class Moves {
  constructor(story, go) {
    this.story = story;
    this.list = byId("moves");
    this.rows = new Map();
    this.shown = [1, 0];
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (row) go(Number(row.dataset.turn));
    });
    byId("moves-earlier").addEventListener("click", () => this.#fill(this.shown[0] - MORE, this.shown[1]));
    byId("moves-later").addEventListener("click", () => this.#fill(this.shown[0], this.shown[1] + MORE));
    /** Turns listed on either side of the current one: as many as there is room for, since every row takes time to lay out. */
    this.around = FEWEST;
    new ResizeObserver(([entry]) => this.#resized(Math.ceil(entry.contentRect.height / ROW_PX / 2))).observe(byId("moves-panel"));
  }

  #resized(around) {
    const grown = around > this.around;
    this.around = Math.max(FEWEST, around);
    if (!grown || this.turn === undefined) return;
    this.#fill(this.turn - this.around, this.turn + this.around);
    this.#keepInView();
  }

  #row(turn) {
    const moves = this.story.moves(turn);
    const fault = this.story.hasFault(turn);
    const lines = moves.map((move) => h("span", { class: "move" }, badge(move.seat, this.story.number(move.seat)), h("bdi", {}, shown(move.words, 160)),
      (move.message || move.kibitz) && bubble(move)));
    const marks = [
      fault && h("span", { class: "mark fault", title: "fault" }, "✗ ", moves.map((move) => move.fault?.kind).filter(Boolean).join(", ")),
      this.story.events(turn).length > 0 && h("span", { class: "mark event" }, "◆ ", shown(this.story.events(turn).join(" · "), 120)),
    ];
    const round = this.story.startsRound(turn);
    const button = h("button", { type: "button", "data-turn": turn, class: fault ? "row faulty" : "row", title: this.story.numbersInWords(turn) || null },
      h("span", { class: "number" }, String(turn)), h("span", { class: "body" }, lines, marks));
    return h("li", { value: turn }, round !== null && h("span", { class: "round muted" }, `round ${round}`), button);
  }

  /** Put the rows of these turns into the list. Those that are there stay, with all in between, unless there would be too many. */
  #fill(from, to) {
    const wanted = [Math.max(1, from), Math.min(to, this.upTo)], [earliest, latest] = this.shown;
    const both = [Math.min(wanted[0], earliest), Math.max(wanted[1], latest)];
    const stay = latest >= earliest && both[1] - both[0] < MOST;
    const [first, last] = stay ? both : wanted;
    if (stay) {
      this.list.prepend(...this.#rows(first, earliest - 1));
      this.list.append(...this.#rows(latest + 1, last));
    } else this.list.replaceChildren(...this.#rows(first, last));
    this.shown = [first, last];
    for (const [name, count] of [["earlier", first - 1], ["later", this.upTo - last]]) {
      byId(`moves-${name}`).hidden = count <= 0;
      write(byId(`moves-${name}`), `${plural(count, `${name} turn`)} …`);
    }
  }

  #rows(first, last) {
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
      const turn = first + index;
      if (!this.rows.has(turn)) this.rows.set(turn, this.#row(turn));
      return this.rows.get(turn);
    });
  }

  show(turn, upTo) {
    const grown = upTo !== this.upTo;
    Object.assign(this, { turn, upTo });
    const [first, last] = this.shown;
    const room = (edge, limit) => edge === limit || Math.abs(edge - turn) > 3;
    if (turn < first - 1 || turn > last || !room(first, 1) || !room(last, upTo)) this.#fill(turn - this.around, turn + this.around);
    else if (grown) this.#fill(first, Math.max(last, first + 2 * this.around));
    const hidden = this.story.last - upTo;
    write(byId("moves-rest"), hidden > 0 ? `${plural(hidden, "more turn")} to see` : "");
    this.current?.lastChild.removeAttribute("aria-current");
    this.current = this.rows.get(turn);
    this.current?.lastChild.setAttribute("aria-current", "step");
    this.#keepInView();
  }

  /** Scroll the list, and never the page. */
  #keepInView() {
    const box = byId("moves-panel"), row = this.current;
    if (box.hidden) return;
    if (!row) { box.scrollTop = 0; return; }
    const top = row.offsetTop;
    if (top < box.scrollTop + 40 || top + row.offsetHeight > box.scrollTop + box.clientHeight - 40) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }
}
