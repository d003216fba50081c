// The agents at the table: name, score, and how long the last answer took of its limit.

import { badge, byId, duration, h, points, set, shown, write } from "./dom.js";

/** How the game went for a seat. */
function placed(ranks, seat) {
  if (ranks[seat] !== 1) return `place ${ranks[seat]}`;
  return ranks.filter((rank) => rank === 1).length > 1 ? "★ shares the win" : "★ winner";
}

export class Seats {
  constructor(story) {
    this.story = story;
    this.cards = story.seats.map((seat, index) => this.#card(seat, index));
    byId("seats").replaceChildren(...this.cards.map((card) => card.node));
  }

  #card(seat, index) {
    const score = h("span", { class: "score" });
    const state = h("span", { class: "state" });
    const time = h("span", { class: "time" });
    const bar = h("span", { class: "fill" });
    const about = [seat.language, seat.language !== "human" && seat.limits.move && `${seat.limits.move} per move`].filter(Boolean).join(" · ");
    const node = h("li", { class: "card" },
      badge(index, this.story.number(index)), h("bdi", { class: "name", title: `${this.story.document.game.seat_word} ${this.story.number(index)}: ${shown(seat.name, 200)}` }, shown(seat.name, 60)), score,
      h("span", { class: "about" }, shown(about, 60)), time, h("span", { class: "bar", "aria-hidden": "true" }, bar), state);
    return { node, score, state, time, bar };
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
    const [most, next] = [...scores].sort((one, other) => other - one);
    this.cards.forEach((card, seat) => {
      const move = this.#lastMove(seat, turn);
      const limit = move && this.story.limit(move);
      const final = ended && this.story.result;
      write(card.score, final ? points(final.scores[seat]) : scores.length ? points(scores[seat]) : "");
      const lead = !final && most > next && scores[seat] === most ? most - next : 0;
      card.score.classList.toggle("leads", lead > 0);
      set(card.score, "title", lead > 0 ? `leads by ${points(lead)}` : "");
      card.node.classList.toggle("moved", moved.has(seat));
      card.node.classList.toggle("winner", Boolean(final) && final.ranks[seat] === 1);
      write(card.state, final ? placed(final.ranks, seat) : "");
      const left = move?.left_us !== undefined ? `, ${duration(move.left_us)} left` : "";
      write(card.time, move ? duration(move.charged_us) + (limit ? ` of ${duration(limit)}` : "") + left : "no answer yet");
      const share = move && limit ? Math.min(1, move.charged_us / limit) : 0;
      card.bar.style.width = `${share ? Math.max(1, share * 100) : 0}%`;
      card.bar.classList.toggle("bad", Boolean(move?.fault) || share >= 0.9);
    });
  }
}
