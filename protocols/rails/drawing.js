// Rails for spectators: the map with terrain, regions, ink and tracks, the active connections lit up, the wish list and the paint.
//
// A person's move is composed of clicks (see pick() below): "place X Y" lays a track or takes it back, "disrupt R" names the
// region to disrupt or takes that back. The answer is the list of orders, or WAIT, legal after every click.

import { drop, map, star } from "./drawing-map.js";
import { COST, PAINT, centre, changes, chart, composed } from "./drawing-world.js";

export const style = `
.plain { fill: color-mix(in srgb, #9aa86a 15%, var(--panel)); }
.river { fill: color-mix(in srgb, #3f8fd0 40%, var(--panel)); } .wave { fill: none; stroke: color-mix(in srgb, #3f8fd0 70%, var(--ink)); stroke-width: 1.3; stroke-linecap: round; }
.mountain { fill: color-mix(in srgb, #8a7a68 40%, var(--panel)); } .peak { fill: color-mix(in srgb, #8a7a68 72%, var(--ink)); }
.interest { fill: color-mix(in srgb, #c9a227 30%, var(--panel)); } .star { fill: #e3b33b; stroke: color-mix(in srgb, var(--ink) 60%, transparent); stroke-width: 0.8; }
.border { fill: none; stroke: color-mix(in srgb, var(--ink) 42%, transparent); stroke-width: 1.2; }
.inked { fill: #15151b; } .hatch { fill: none; stroke: #6d6d7d; stroke-width: 1.3; }
.shaky { fill: none; stroke: var(--warn); stroke-width: 2.6; }
.drop { fill: #15151b; stroke: #d8d8e2; stroke-width: 1; } .drop-text { fill: #fff; font-weight: 800; }
.lit { fill: none; stroke: #f5c518; stroke-opacity: 0.42; stroke-linecap: round; stroke-linejoin: round; } .lit-sign { stroke-width: 14; }
.lit-new { fill: none; stroke: var(--accent); stroke-linecap: round; stroke-linejoin: round; }
.casing { fill: none; stroke: color-mix(in srgb, var(--ink) 80%, var(--paper)); stroke-linecap: round; }
.rail { fill: none; stroke-linecap: round; } .line-2.rail { stroke: var(--muted); }
.node { stroke: color-mix(in srgb, var(--ink) 80%, var(--paper)); stroke-width: 1; } .seat-2.node { fill: var(--muted); }
.town { fill: var(--panel); stroke: var(--ink); stroke-width: 2; }
.wish { fill: none; stroke: var(--line); stroke-width: 1; } .wish-on { fill: color-mix(in srgb, #f5c518 34%, var(--panel)); stroke: color-mix(in srgb, #f5c518 60%, var(--ink)); stroke-width: 1.4; }
.wish-new { fill: color-mix(in srgb, #f5c518 40%, var(--panel)); stroke: var(--accent); stroke-width: 2.6; } .wish-lost { fill: none; stroke: var(--warn); stroke-width: 2; stroke-dasharray: 4 3; }
.paint { stroke: color-mix(in srgb, var(--ink) 60%, transparent); stroke-width: 1.2; } .paint-left { fill: none; }
.swatch { stroke: var(--line); stroke-width: 1; }
.faint { opacity: 0.6; }
`;

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const world = chart(view), before = context.before;
  const news = changes(view, before, world, k.moves);
  const wishes = view.towns.flatMap((town, id) => town.wishes.map((wish) => [id, wish]));
  const columns = k.narrow && view.towns.length < 11 ? 4 : 3, row = k.narrow ? 23 : Math.min(40, 412 / Math.ceil(wishes.length / columns));
  const s = k.narrow ? Math.min(384 / world.width, 600 / world.height) : Math.min(872 / world.width, 664 / world.height);
  const mapW = s * world.width, mapH = s * world.height;
  const mapX = k.narrow ? 200 - mapW / 2 : 12 + (872 - mapW) / 2, mapY = k.narrow ? 132 : 46;
  const turn = view.over ? `Game over after turn ${view.turn}` : `Turn ${view.turn} of ${view.turns}`;
  const connected = `${view.connections.length} of ${wishes.length} wishes connected`;
  const lead = view.defeat.some(Boolean) ? view.defeat.findIndex((fault) => !fault) : view.scores[0] === view.scores[1] ? -1 : Number(view.scores[1] > view.scores[0]);
  const plates = [0, 1].map((seat) => {
    const [x, y, w, h] = k.narrow ? [8, 28 + seat * 51, 384, 46] : [898, 10 + seat * 132, 372, 76];
    return [
      k.plate(x, y, w, h, seat, { score: view.scores[seat], detail: view.defeat[seat] ? `defeated: ${view.defeat[seat]}` : `+${view.gains[seat]} a turn${view.side_quest[seat] ? " · ★ side quest" : ""}${k.narrow && before ? ` · paint ${news.paid[seat]}/${PAINT}` : ""}`, state: view.over && lead === seat ? "winner" : "" }),
      k.narrow ? null : paint(k, seat, news, x + 8, y + h + 26, w),
    ];
  });
  const wishX = k.narrow ? 8 : 898, wishY = k.narrow ? mapY + mapH + 26 : 296;
  const rows = Math.ceil(wishes.length / columns);
  return k.sheet(
    k.narrow ? 400 : 1280, k.narrow ? wishY + rows * row + 10 : 720,
    `Rails, ${turn}: ${[0, 1].map((seat) => `${k.seatName(seat)} ${view.scores[seat]} points, ${view.gains[seat]} a turn`).join("; ")}; ${connected}`,
    k.text(k.narrow ? 8 : 16, k.narrow ? 19 : 30, turn, k.narrow ? 13 : 22, { kind: "bold" }),
    k.narrow ? null : k.text(884, 30, `a region drowns in ink at ${view.ink_threshold} disruptions`, 18, { anchor: "end", kind: "muted" }),
    map(el, k, view, before, world, news, [mapX, mapY, s]), plates,
    k.heading(wishX, wishY - (k.narrow ? 8 : 12), connected, 372),
    wishes.map((wish, index) => wishBox(k, view, before, wish, wishX + (index % columns) * ((k.narrow ? 384 : 372) / columns), wishY + Math.floor(index / columns) * row, (k.narrow ? 384 : 372) / columns - 6, row - 5)),
    !k.narrow && mapH < 610 ? legend(k, 16, mapY + mapH + 32, mapH < 600) : null,
    context.choices ? clickable(el, k, view, world, context, [mapX, mapY, s]) : null,
  );
}

/** What the signs on the map mean: who laid a track, and what a cell costs in paint. Two lines if there is room. */
function legend(k, x, y, roomy) {
  const track = (seat) => (s) => k.outline(seat, s * 0.38, `node seat-${seat}`);
  const swatch = (kind) => (s) => k.rect(-s / 2, -s / 2, s, s, `${kind} swatch`, 3);
  const lines = [
    [[track(0), k.seatName(0)], [track(1), k.seatName(1)], [track(2), "neutral track"], [(s) => k.line(-s * 0.3, 0, s * 0.2, 0, "lit lit-sign"), "connection: pays every turn"]],
    [[swatch("plain"), "1 paint"], [swatch("river"), "2"], [swatch("mountain"), "3"], [(s) => k.path(star(k, 0, 0, s * 0.5), "star"), "3, side quest"], [(s) => k.path(drop(k, 0, -2, s * 0.5), "drop"), "disruptions"]],
  ];
  return lines.slice(roomy ? 0 : 1).map((items, row) => {
    let left = x;
    return items.map(([mark, name]) => {
      const shown = k.fit(left + 28, y + row * 30, name, 18, 300, { kind: "muted" });
      const part = [k.place(left + 10, y + row * 30 - 6, null, mark(20)), shown];
      left += 54 + Math.min(300, k.ems(name) * 18);
      return part;
    });
  });
}

/** The paint a seat spent in this turn, and what it disrupted. */
function paint(k, seat, news, x, y, w) {
  const target = news.by.find((each) => each.seat === seat);
  const drops = [...Array(PAINT).keys()].map((index) => k.path(drop(k, x + 70 + index * 26, y - 6, 11), index < news.paid[seat] ? `paint seat-${seat}` : "paint paint-left"));
  return [k.text(x, y, "paint", 18, { kind: "muted" }), drops, target ? k.fit(x + 160, y, `disrupts region ${target.region}`, 18, w - 170, { kind: "bold" }) : null];
}

/** A wish: the two towns and, once connected, what it pays each seat per turn. */
function wishBox(k, view, before, [from, to], x, y, w, h) {
  const same = (each) => each.from === from && each.to === to;
  const link = view.connections.find(same), had = before ? before.connections.some(same) : Boolean(link);
  const pays = [0, 1].map((seat) => (link ? link.path.filter(([cx, cy]) => view.tracks[cy][cx] === String(seat)).length : 0));
  const name = `${from}→${to}`, paid = link ? `${pays[0]} : ${pays[1]}` : "";
  const size = Math.min(k.narrow ? 12 : 20, h * 0.72, (w - 14) / k.ems(name + paid, 1.08)), base = y + h / 2 + size * 0.36;
  const kind = link ? (had ? "wish-on" : "wish-new") : had ? "wish-lost" : "wish";
  return k.named(
    `town ${from} to town ${to}: ${link ? `connected, pays ${k.seatName(0)} ${pays[0]} and ${k.seatName(1)} ${pays[1]} a turn` : had ? "no longer connected" : "not connected"}`,
    k.rect(x, y, w, h, kind, 5), k.text(x + 5, base, name, size, { kind: link ? "bold" : "muted" }),
    link ? k.text(x + w - 5, base, paid, size, { anchor: "end", kind: "num" }) : null,
  );
}

function clickable(el, k, view, world, context, [x0, y0, s]) {
  const { cells, region, paint: left } = composed(view, world, context.picked || []);
  const parts = [];
  for (let y = 0; y < world.height; y += 1) {
    for (let x = 0; x < world.width; x += 1) {
      const name = `${x} ${y}`, picked = cells.includes(name), cost = COST[view.terrain[y][x]];
      if (view.tracks[y][x] !== "." || world.towns.has(name) || view.inked[world.regions[y][x]] || (!picked && cost > left)) continue;
      parts.push(el("g", k.choice(`Lay a track at ${name} for ${cost} paint`, { token: `place ${name}`, picked }), k.rect(x0 + x * s, y0 + y * s, s, s, "area", 2), picked ? k.rect(x0 + (x + 0.1) * s, y0 + (y + 0.1) * s, s * 0.8, s * 0.8, "ring", 3) : null));
    }
  }
  const r = Math.max(s * 0.3, k.narrow ? 7 : 9);
  view.instability.forEach((value, id) => {
    if (view.inked[id] || world.safe.has(id)) return;
    const [x, y] = centre(view, world, id), picked = region === String(id);
    parts.push(el("g", { ...k.choice(`Disrupt region ${id}`, { token: `disrupt ${id}`, picked }), transform: `translate(${k.at(x0 + (x + 0.5) * s)} ${k.at(y0 + (y + 0.5) * s)})` }, k.path(drop(k, 0, 0, r), value ? "drop" : "drop faint"), picked ? k.circle(0, 0, r * 1.7, "ring") : null));
  });
  return parts;
}

export function pick(view, seat, picked) {
  const world = chart(view), { cells, region, paint: left } = composed(view, world, picked);
  const orders = [...cells.map((name) => `PLACE_TRACKS ${name}`), ...(region === null ? [] : [`DISRUPT ${region}`])];
  const kept = [...cells.map((name) => `place ${name}`), ...(region === null ? [] : [`disrupt ${region}`])];
  const doing = [left > 0 ? "click land to lay tracks" : "", region === null ? "an ink drop to disrupt its region" : ""].filter(Boolean).join(", or ");
  const hint = `${left} of ${PAINT} paint left${doing ? `; ${left > 0 ? "" : "click "}${doing}` : ""}.`;
  return { picked: kept, answer: orders.join(";") || "WAIT", complete: false, hint };
}
