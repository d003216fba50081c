// Score over time, and the think time of every answer beside its limit.

import { byId, duration, h, plural, points, shown } from "./dom.js";
import { el, toDom } from "./svg.js";

const LEFT = 52, RIGHT = 26, TOP = 8;
const round = (value) => Math.round(value * 10) / 10;

/** The horizontal place of a turn. */
function scale(story, width) {
  const last = Math.max(1, story.last);
  return (turn) => round(LEFT + ((width - LEFT - RIGHT) * turn) / last);
}

const label = (x, y, text, anchor = "end") => el("text", { x, y, class: "axis", "text-anchor": anchor }, text);

/** Round values that divide a range into about three parts. */
function ticks(low, high) {
  const rough = (high - low) / 3, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(Number(value.toPrecision(6)));
  return found;
}

export function scoreChart(story, upTo, width, height = 150) {
  const scores = Array.from({ length: upTo + 1 }, (_, turn) => story.position(turn).scores);
  if (!scores[0]?.length) return null;
  const x = scale(story, width), bottom = height - 18;
  const all = scores.flat(), low = Math.min(0, ...all), high = Math.max(low + 1, ...all);
  const y = (value) => round(bottom - ((bottom - TOP) * (value - low)) / (high - low));
  const line = (seat) => {
    let path = "", last = null;
    scores.forEach((row, turn) => {
      if (row[seat] === last && turn < upTo) return;
      path += last === null ? `M${x(turn)} ${y(row[seat])}` : `H${x(turn)}V${y(row[seat])}`;
      last = row[seat];
    });
    return path;
  };
  const ends = story.seats.map((_, seat) => ({ seat, at: y(scores[upTo][seat]) })).sort((one, other) => one.at - other.at);
  ends.forEach((end, index) => { if (index) end.at = Math.max(end.at, ends[index - 1].at + 11); });
  ends.toReversed().forEach((end, index, all) => { end.at = Math.min(end.at, index ? all[index - 1].at - 11 : bottom - 4); });
  const summary = story.seats.map((seat, index) => `${shown(seat.name, 60)} ${points(scores[upTo][index])}`).join(", ");
  return el("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Score after turn ${upTo}: ${summary}` },
    ticks(low, high).map((value) => [
      el("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "grid" }), label(LEFT - 6, y(value) + 4, String(value)),
    ]),
    label(LEFT, height - 3, "start", "start"), label(width - RIGHT, height - 3, `turn ${story.last}`),
    story.seats.map((_, seat) => el("path", { d: line(seat), class: `curve line-${seat % 4}` })),
    ends.map(({ seat, at }) => el("text", { x: x(upTo) + 5, y: at + 4, class: `curve-end fill-${seat % 4}` }, String(story.number(seat)))),
    el("line", { class: "cursor", x1: 0, x2: 0, y1: TOP - 4, y2: bottom }));
}

const FIRST_US = 100;

/** One row per seat; times on a logarithmic scale, since an answer may take a thousandth of its limit. */
export function timeChart(story, upTo, width, row = 62) {
  const x = scale(story, width), gap = 22, height = story.seats.length * (row + gap) + 14;
  const limits = story.seats.map((seat) => seat.limits_us.move ?? null);
  const longest = Math.max(1e5, ...limits.filter(Boolean), ...story.turns.slice(0, upTo).flatMap((turn) => turn.moves.map((move) => move.charged_us)));
  const share = (us) => Math.max(0, Math.log(Math.max(us, FIRST_US) / FIRST_US) / Math.log(longest / FIRST_US));
  const rows = story.seats.map((seat, index) => {
    const base = TOP + index * (row + gap) + row, y = (us) => round(base - share(us) * row);
    let bars = "", late = "", count = 0, most = 0;
    for (let turn = 1; turn <= upTo; turn++) {
      for (const move of story.moves(turn)) {
        if (move.seat !== index) continue;
        const bar = `M${x(turn)} ${base}V${Math.min(base - 2, y(move.charged_us))}`;
        if (move.fault) late += bar; else bars += bar;
        count += 1;
        most = Math.max(most, move.charged_us);
      }
    }
    const thick = Math.max(1, Math.min(7, (width / Math.max(1, story.last)) * 0.7));
    const limit = limits[index];
    return [
      el("line", { x1: LEFT, x2: width - RIGHT, y1: base, y2: base, class: "grid" }),
      el("path", { d: bars, class: `bars line-${index % 4}`, "stroke-width": thick }),
      el("path", { d: late, class: "bars bad", "stroke-width": thick }),
      limit && el("line", { x1: LEFT, x2: width - RIGHT, y1: y(limit), y2: y(limit), class: "limit" }),
      limit && label(LEFT - 6, y(limit) + 4, duration(limit)),
      label(LEFT - 6, base - row * share(1000) + 4, "1 ms"),
      label(LEFT, base + 12, `${story.number(index)} ${shown(seat.name, 16)}: ${count ? `${plural(count, "answer")}, longest ${duration(most)}` : "no answer yet"}`, "start"),
    ];
  });
  return el("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Think time of every answer, with the time limit" },
    rows, el("line", { class: "cursor", x1: 0, x2: 0, y1: TOP - 4, y2: height - 14 }));
}

export class Charts {
  constructor(story, go) {
    this.story = story;
    this.panel = byId("charts");
    this.drawn = "";
    for (const id of ["score-chart", "time-chart"]) {
      byId(id).addEventListener("click", (event) => go(this.#turnAt(event)));
    }
    this.width = 0;
    new ResizeObserver(() => this.#resized()).observe(this.panel);
  }

  #turnAt(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - RIGHT);
    return Math.round(Math.min(1, Math.max(0, share)) * this.story.last);
  }

  #resized() {
    this.width = Math.round(this.panel.clientWidth - 8);
    if (this.turn !== undefined) this.show(this.turn, this.upTo);
  }

  show(turn, upTo) {
    Object.assign(this, { turn, upTo });
    const { width } = this;
    if (width < 100) return; // not visible yet
    const drawn = `${width} ${upTo} ${this.story.last}`;
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      const score = scoreChart(this.story, upTo, width);
      byId("score-chart").replaceChildren(score ? toDom(score) : h("p", { class: "muted" }, "This game has no score during play."));
      byId("time-chart").replaceChildren(toDom(timeChart(this.story, upTo, width)));
      this.cursors = [...this.panel.querySelectorAll(".cursor")];
    }
    const at = `translateX(${scale(this.story, width)(turn)}px)`;
    for (const cursor of this.cursors) cursor.style.transform = at;
  }
}
