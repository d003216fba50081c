// The agents at the table: name, how long the last answer took of its limit, and the score where the drawing does not show it.

import { badge, byId, duration, h, points, set, shown, write } from "./dom.js";

export class Seats {
  constructor(story) {
    this.story = story;
    this.cards = story.seats.map((seat, index) => this.#card(seat, index));
    byId("seats").replaceChildren(...this.cards.map((card) => card.node));
  }

  #card(seat, index) {
    const number = this.story.number(index), limit = seat.language !== "human" && seat.limits.move ? ` · ${seat.limits.move} per move` : "";
    const score = h("span", { class: "score" }), time = h("span", { class: "time" }), bar = h("span", { class: "fill" });
    const node = h("li", { class: "card", title: shown(`${this.story.document.game.seat_word} ${number}: ${seat.name}${limit}`, 300) }, badge(index, number),
      h("span", {}, h("bdi", { class: "name" }, shown(seat.name, 60)), h("span", { class: "about" }, shown(seat.language, 60)), score), time,
      h("span", { class: "bar", "aria-hidden": "true" }, bar));
    return { node, score, time, bar };
  }

  /** The last answer of a seat up to a turn. */
  #lastMove(seat, turn) {
    for (let each = turn; each >= 1; each--) {
      const move = this.story.moves(each).find((one) => one.seat === seat);
      if (move) return move;
    }
    return null;
  }

  show(turn, ended) {
    const { scores } = this.story.position(turn);
    const moved = new Set(this.story.moves(turn).map((move) => move.seat));
    this.cards.forEach((card, seat) => {
      const move = this.#lastMove(seat, turn);
      const limit = move && this.story.limit(move);
      const final = ended && this.story.result;
      write(card.score, final ? points(final.scores[seat]) : scores.length ? points(scores[seat]) : "");
      card.node.classList.toggle("moved", moved.has(seat));
      card.node.classList.toggle("winner", Boolean(final) && final.ranks[seat] === 1);
      const left = move?.left_us !== undefined ? `, ${duration(move.left_us)} left` : "";
      write(card.time, move ? duration(move.charged_us) + (limit ? ` of ${duration(limit)}` : "") + left : "no answer yet");
      const share = move && limit ? Math.min(1, move.charged_us / limit) : 0;
      card.bar.style.width = `${share ? Math.max(1, share * 100) : 0}%`;
      card.bar.classList.toggle("bad", Boolean(move?.fault) || share >= 0.9);
    });
  }
}
