// The pieces of Splendor: gems, chips, cards, nobles, and the buttons on them.

import { COLOURS } from "./drawing-moves.js";

export const LETTERS = ["R", "G", "B", "W", "K", "★"];

const CORNERS = {
  0: [[0, -1.1], [1.06, -0.3], [0.68, 1], [-0.68, 1], [-1.06, -0.3]],
  1: [[-0.92, -0.92], [0.92, -0.92], [0.92, 0.92], [-0.92, 0.92]],
  3: [[0, -1.25], [1.2, 0], [0, 1.25], [-1.2, 0]],
  4: [[-0.56, -1], [0.56, -1], [1.12, 0], [0.56, 1], [-0.56, 1], [-1.12, 0]],
};

/** The pieces: gems, chips, cards, nobles. */
export function pieces(el, k) {
  const points = (colour, r) => CORNERS[colour].map(([x, y]) => `${k.at(x * r)},${k.at(y * r)}`).join(" ");

  function shape(colour, r, kind = `gem gem-${colour}`) {
    if (CORNERS[colour]) return el("polygon", { points: points(colour, r), class: kind });
    return el("circle", { r: k.at(r), class: kind });
  }

  /** A gem in its shape with a text in it. */
  function gem(x, y, colour, r, label = "") {
    return el(
      "g", { transform: `translate(${k.at(x)} ${k.at(y)})` }, shape(colour, r),
      label === "" ? null : el("text", { y: k.at(r * 0.46), "font-size": k.at(r * 1.3), "text-anchor": "middle", class: `on-${colour}` }, label),
    );
  }

  function chip(colour, r, label) {
    return [
      el("circle", { r: k.at(r), class: "panel" }),
      el("circle", { r: k.at(r), class: "edge" }),
      gem(0, 0, colour, r * 0.74, label),
    ];
  }

  /** A card face up, from its top left corner. Small ones leave out what would not be legible. */
  function card(x, y, w, h, facts, { fresh = false, secret = false } = {}) {
    const band = h * 0.3;
    const big = Math.min(band * 0.82, w * 0.32);
    const needs = facts.cost.map((count, colour) => [count, colour]).filter(([count]) => count);
    const flat = h < w * 0.8;  // in a reserve: the cost in one row, no number
    const r = flat ? Math.min(h * 0.18, w * 0.12) : Math.max(k.narrow ? 8.6 : 13, Math.min(w * 0.13, h * 0.115));
    const columns = flat ? 4 : needs.length > 3 ? 2 : 1;
    const rows = Math.ceil(needs.length / columns);
    const across = flat ? Math.min(r * 2.5, (w * 0.93 - r * 2.2) / 3) : r * 2.75;
    const step = Math.min(r * 2.45, (h - band - r * 0.4) / Math.max(rows, 1));
    const title = `card ${facts.id}: level ${facts.level}, ${COLOURS[facts.bonus]}, ${facts.points} points, costs ${needs.map(([count, colour]) => `${count} ${COLOURS[colour]}`).join(", ")}${secret ? "; reserved unseen" : ""}`;
    return k.place(
      x, y, `card-${facts.id}`, el("title", {}, title),
      k.rect(0, 0, w, h, `face-${facts.bonus}`, w * 0.07),
      el("path", { d: `M0 ${k.at(band)}V${k.at(w * 0.07)}a${k.at(w * 0.07)} ${k.at(w * 0.07)} 0 0 1 ${k.at(w * 0.07)} ${k.at(-w * 0.07)}H${k.at(w * 0.93)}a${k.at(w * 0.07)} ${k.at(w * 0.07)} 0 0 1 ${k.at(w * 0.07)} ${k.at(w * 0.07)}V${k.at(band)}z`, class: `gem-${facts.bonus}` }),
      k.rect(0, 0, w, h, "edge", w * 0.07),
      facts.points ? k.text(w * 0.09, band / 2 + big * 0.36, facts.points, big, { kind: `on-${facts.bonus}` }) : null,
      k.place(w - Math.max(band * 0.55, 12), band * 0.5, null, shape(facts.bonus, Math.max(band * 0.28, 6), `jewel jewel-${facts.bonus}`)),
      needs.map(([count, colour], index) => gem(
        w * 0.07 + r * 1.1 + Math.floor(index / rows) * across, h - r * (flat ? 1.5 : 1.25) - (rows - 1 - (index % rows)) * step, colour, r, count)),
      flat || (!k.narrow && w < 100) ? null : k.text(w * 0.94, h - w * 0.06, facts.id, Math.max(11, w * 0.145), { anchor: "end", kind: "muted" }),
      secret ? unknown(w * 0.46, band / 2, Math.min(band * 0.42, w * 0.12)) : null,
      fresh ? k.rect(-1, -1, w + 2, h + 2, "now", w * 0.08) : null,
    );
  }

  /** The mark of a card that was reserved unseen, between its points and its colour. */
  const unknown = (x, y, r) => k.place(x, y, null, k.circle(0, 0, r, "panel"), k.text(0, r * 0.62, "?", r * 1.72, { anchor: "middle", kind: "bold" }));

  function back(x, y, w, h, level, count, { key, fresh = false } = {}) {
    const size = Math.min(w * 0.42, h * 0.3);
    return k.place(
      x, y, key, el("title", {}, count === null ? `a level ${level} card, unseen` : `level ${level} deck: ${count} cards left`),
      count === 0 ? k.rect(0, 0, w, h, "hollow", w * 0.08) : [
        count > 1 ? k.rect(3, 3, w, h, `back-${level} faint`, w * 0.08) : null,
        k.rect(0, 0, w, h, `back-${level}`, w * 0.08), k.rect(w * 0.08, w * 0.08, w * 0.84, h - w * 0.16, "back-line", w * 0.05),
        [...Array(level).keys()].map((dot) => k.circle(w / 2 + (dot - (level - 1) / 2) * w * 0.19, h * 0.24, w * 0.055, "back-text")),
      ],
      count === null ? null : k.text(w / 2, h * 0.5 + size * 0.4, count, size, { anchor: "middle", kind: count ? "back-text" : "muted bold" }),
      fresh ? k.rect(-1, -1, w + 2, h + 2, "now", w * 0.08) : null,
    );
  }

  const crown = (x, y, r) => k.path(`M${k.at(x - r)} ${k.at(y + r * 0.7)}l${k.at(-r * 0.15)} ${k.at(-r * 1.3)}l${k.at(r * 0.6)} ${k.at(r * 0.55)}l${k.at(r * 0.55)} ${k.at(-r)}l${k.at(r * 0.55)} ${k.at(r)}l${k.at(r * 0.6)} ${k.at(-r * 0.55)}l${k.at(-r * 0.15)} ${k.at(r * 1.3)}z`, "crown");

  function noble(x, y, w, h, facts, { fresh = false } = {}) {
    const needs = facts.needs.map((count, colour) => [count, colour]).filter(([count]) => count);
    const r = Math.max(k.narrow ? 8.6 : 12.5, Math.min(h * 0.15, w * 0.125));
    const across = needs.length;
    return k.place(
      x, y, `noble-${facts.id}`,
      el("title", {}, `noble ${facts.id}: 3 points for cards of ${needs.map(([count, colour]) => `${count} ${COLOURS[colour]}`).join(", ")}`),
      k.rect(0, 0, w, h, "noble", w * 0.08), k.rect(0, 0, w, h, "edge", w * 0.08),
      crown(w * 0.3, h * 0.32, Math.min(h * 0.17, w * 0.17)), k.text(w * 0.74, h * 0.32 + Math.min(h * 0.15, w * 0.16), "3", Math.min(h * 0.42, w * 0.46), { anchor: "middle", kind: "num" }),
      needs.map(([count, colour], index) => gem(w / 2 + (index - (across - 1) / 2) * Math.min(r * 2.5, w * 0.31), h * 0.76, colour, r, count)),
      fresh ? k.rect(-1, -1, w + 2, h + 2, "now", w * 0.09) : null,
    );
  }

  return { gem, chip, card, back, crown, noble };
}

/** A labelled button. */
export function button(k, el, x, y, w, h, name, action, title, quiet = false) {
  return el(
    "g", k.choice(title, action), k.rect(x, y, w, h, quiet ? "panel" : "button", 6), k.rect(x, y, w, h, "area", 6),
    k.fit(x + w / 2, y + h * 0.66, name, k.narrow ? 13 : 18, w, { anchor: "middle", kind: quiet ? "" : "button-text" }),
  );
}

/** A small count in a circle. */
export function tag(el, k, x, y, count, size) {
  const r = size * 0.82;
  return el("g", { transform: `translate(${k.at(x)} ${k.at(y)})` }, k.circle(0, 0, r, "panel"), k.circle(0, 0, r, "edge"), k.text(0, size * 0.36, count, size, { anchor: "middle", kind: "num" }));
}
