// The list of moves in words. Turns that have not been seen stay hidden until the result may be shown.

import { badge, byId, h, plural, shown } from "./dom.js";

export class Moves {
  constructor(story, go) {
    this.story = story;
    this.list = byId("moves");
    this.rest = byId("moves-rest");
    this.rows = [];
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("button");
      if (row) go(Number(row.dataset.turn));
    });
  }

  #row(turn) {
    const moves = this.story.moves(turn);
    const fault = this.story.hasFault(turn);
    const talks = (move) => move.message || move.kibitz;
    const lines = moves.map((move) => h("span", { class: "move" }, badge(move.seat), h("bdi", {}, shown(move.words, 160)),
      talks(move) && h("span", { class: "mark talk", title: "kibitz or a message" }, "“”")));
    const marks = [
      fault && h("span", { class: "mark fault", title: "fault" }, "✗ ", moves.map((move) => move.fault?.kind).filter(Boolean).join(", ")),
      this.story.events(turn).length > 0 && h("span", { class: "mark event" }, "◆ ", shown(this.story.events(turn).join(" · "), 120)),
    ];
    const button = h("button", { type: "button", "data-turn": turn, class: fault ? "row faulty" : "row" },
      h("span", { class: "number" }, String(turn)), h("span", { class: "body" }, lines, marks));
    return h("li", {}, button);
  }

  show(turn, upTo) {
    const fresh = [];
    for (let each = this.rows.length + 1; each <= upTo; each++) {
      const row = this.#row(each);
      this.rows.push(row);
      fresh.push(row);
    }
    this.list.append(...fresh);
    const hidden = this.story.last - this.rows.length;
    this.rest.textContent = hidden > 0 ? `${plural(hidden, "more turn")} to see` : "";
    this.current?.firstChild.removeAttribute("aria-current");
    this.current = this.rows[turn - 1];
    this.current?.firstChild.setAttribute("aria-current", "step");
    this.#keepInView();
  }

  /** Scroll the list, and never the page. */
  #keepInView() {
    const box = byId("moves-panel"), row = this.current;
    if (!row) { box.scrollTop = 0; return; }
    const top = row.offsetTop;
    if (top < box.scrollTop + 40 || top + row.offsetHeight > box.scrollTop + box.clientHeight - 40) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }
}
