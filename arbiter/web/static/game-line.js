// One game in a list: who played, how it went, how long it took.

import { badge, duration, h, plural, points, shown } from "./dom.js";

export function gameLine(game, href) {
  const best = Math.max(...game.scores.map(Math.abs), 1e-9);
  const seats = game.seats.map((name, seat) => {
    const fill = h("span", { class: `fill seat-${seat % 4}` });
    fill.style.width = game.finished ? `${Math.max(0, (game.scores[seat] / best) * 100)}%` : "0";
    const faults = Object.entries(game.faults[seat] ?? {}).map(([kind, count]) => `${count} ${kind}`).join(", ");
    return h("span", { class: game.ranks[seat] === 1 ? "seat won" : "seat" }, badge(seat, seat + game.first_seat), h("bdi", { class: "name" }, shown(name, 60)),
      h("span", { class: "bar result", "aria-hidden": "true" }, fill),
      h("span", { class: "score result" }, game.finished ? points(game.scores[seat]) : "", game.ranks[seat] === 1 ? " ★" : ""),
      faults && h("span", { class: "mark fault result" }, `✗ ${shown(faults, 60)}`));
  });
  const joined = (facts) => facts.filter(Boolean).map((fact) => shown(fact, 60)).join(" · ");
  const facts = joined([game.contest && `game ${game.number}`, game.protocol, game.stage, game.started?.slice(0, 16).replace("T", " "), `seed ${game.seed}`]);
  const length = joined([plural(game.turns, "turn"), Number.isFinite(game.duration_us) && duration(game.duration_us)]);
  const annulled = game.annulled && h("span", { class: "mark fault" }, `annulled: ${shown(game.annulled, 100)}`);
  const about = game.finished ? game.reason && h("span", { class: "result" }, shown(game.reason, 160)) : h("span", { class: "unfinished" }, "no result yet");
  return h("li", {}, h("a", { class: "game", href }, h("span", { class: `seats of-${Math.min(seats.length, 4)}` }, seats), h("span", { class: "facts muted" }, facts, h("span", { class: "result" }, ` · ${length}`), about && " · ", about, annulled && " · ", annulled)));
}
