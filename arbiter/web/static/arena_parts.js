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

const lights = { playing: ["good", "plays"], hall: ["good", "in the hall"], silent: ["bad", "plays, but does not answer"] };

/** What a team's program does, as a coloured light with words. */
export function light({ state: now, quiet_s }) {
  const [colour, words] = lights[now] ?? (quiet_s === null ? ["", "not seen yet"] : [quiet_s < 60 ? "good" : "", `seen ${quiet_s < 60 ? "just now" : `${Math.round(quiet_s / 60)} min ago`}`]);
  return [h("span", { class: `light ${colour}`, "aria-hidden": "true" }, "●"), ` ${words}`];
}

/** The head and the rows of a table, or a sentence if there are none. */
export const table = (head, lines, empty) => (lines.length ? [h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, lines)] : h("tbody", {}, h("tr", {}, h("td", { class: "muted" }, empty))));
