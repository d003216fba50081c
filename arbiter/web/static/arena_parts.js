// What the pages of an arena share: who plays, and asking the server.

import { h, points, shown } from "./dom.js";

export const teamLink = (name) => h("a", { href: `/team?name=${encodeURIComponent(name)}` }, h("bdi", {}, shown(name, 60)));

/** Who plays a game, with scores once it is over, and who did not come. */
export function who(game, named = teamLink) {
  return h("span", { class: "who" }, game.seats.map((name, seat) => h("span", { class: game.ranks?.[seat] === 1 ? "won" : null },
    name ? named(name) : h("span", { class: "muted" }, "any team"), game.scores ? ` ${points(game.scores[seat])}` : "", game.ranks?.[seat] === 1 ? " ★" : "", game.absent?.includes(seat) ? h("span", { class: "muted" }, " (absent)") : "")));
}

/** The time of day of a moment in UTC, as it is here. */
export const clock = (at) => { const when = new Date(at); return Number.isNaN(when.getTime()) ? "" : when.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }); };

/** Replace what an element shows, but only if something has changed, so that an element keeps the focus. */
export function put(node, ...children) {
  const now = [...node.childNodes], next = [...h("div", {}, children).childNodes];
  if (now.length !== next.length || now.some((child, place) => !child.isEqualNode(next[place]))) node.replaceChildren(...next);
}
