// Rails for spectators: the map with terrain, regions, ink and tracks, the active connections lit up, the wish list and the paint.
//
// A person's move is composed of clicks (see pick() below): "place X Y" lays a track or takes it back, "town N" begins the route of an
// AUTOPLACE, and for another town ends it, "disrupt R" names the region to disrupt or takes that back. The answer is the list of
// orders, or WAIT, legal after every click.

import { drop, map, star } from "./drawing-map.js";
import { COST, PAINT, centre, changes, chart, components, composed } from "./drawing-world.js";

export const style = `
.plain { fill: color-mix(in srgb, #9aa86a 15%, var(--panel)); }
.river { fill: color-mix(in srgb, #3f8fd0 40%, var(--panel)); } .wave { fill: none; stroke: color-mix(in srgb, #3f8fd0 70%, var(--ink)); stroke-width: 1.3; stroke-linecap: round; }
.mountain { fill: color-mix(in srgb, #8a7a68 40%, var(--panel)); } .peak { fill: color-mix(in srgb, #8a7a68 72%, var(--ink)); }
.interest { fill: color-mix(in srgb, #c9a227 30%, var(--panel)); } .star { fill: #e3b33b; stroke: color-mix(in srgb, var(--ink) 60%, transparent); stroke-width: 0.8; }
.border { fill: none; stroke: color-mix(in srgb, var(--ink) 42%, transparent); stroke-width: 1.2; }
.inked { fill: color-mix(in srgb, var(--muted) 30%, var(--panel)); } .hatch { fill: none; stroke: color-mix(in srgb, var(--muted) 70%, var(--panel)); stroke-width: 1.3; }
.shaky { fill: none; stroke: var(--warn); stroke-width: 2.6; }
.drop { fill: #15151b; stroke: #d8d8e2; stroke-width: 1; } .drop-text { fill: #fff; font-weight: 800; }
.lit { fill: none; stroke: #f5c518; stroke-opacity: 0.42; stroke-linecap: round; stroke-linejoin: round; } .lit-sign { stroke-width: 14; }
.lit-new { fill: none; stroke: var(--accent); stroke-linecap: round; stroke-linejoin: round; }
.casing { fill: none; stroke: color-mix(in srgb, var(--ink) 80%, var(--paper)); stroke-linecap: round; }
.rail { fill: none; stroke-linecap: round; } .line-2.rail { stroke: var(--muted); }
.node { stroke: color-mix(in srgb, var(--ink) 80%, var(--paper)); stroke-width: 1; } .seat-2.node { fill: var(--muted); }
.town { fill: var(--panel); stroke: var(--ink); stroke-width: 2; }
.wish { fill: none; stroke: var(--line); stroke-width: 1; } .wish-on { fill: color-mix(in srgb, #f5c518 34%, var(--panel)); stroke: color-mix(in srgb, #f5c518 60%, var(--ink)); stroke-width: 1.4; }
.wish-cut { fill: none; stroke: var(--line); stroke-width: 1; stroke-dasharray: 2 3; } .as-crow { stroke: var(--ink); stroke-width: 3; stroke-dasharray: 8 6; opacity: 0; pointer-events: none; } .wished:hover .as-crow { opacity: 1; } .planned { stroke: var(--accent); stroke-width: 4; stroke-dasharray: 3 6; pointer-events: none; }
.wish-new { fill: color-mix(in srgb, #f5c518 40%, var(--panel)); stroke: var(--accent); stroke-width: 2.6; } .wish-lost { fill: none; stroke: var(--warn); stroke-width: 2; stroke-dasharray: 4 3; }
.paint { stroke: color-mix(in srgb, var(--ink) 60%, transparent); stroke-width: 1.2; } .paint-left { fill: none; }
.swatch { stroke: var(--line); stroke-width: 1; }
.faint { opacity: 0.6; }
`;

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const world = chart(view), before = context.before;
  const news = changes(view, before, world, k.moves);
  const wishes = sorted(view, world);
  const columns = k.narrow && view.towns.length < 11 ? 4 : 3, row = k.narrow ? 23 : Math.min(40, 412 / Math.ceil(wishes.length / columns));
  const s = k.narrow ? Math.min(384 / world.width, 600 / world.height) : Math.min(890 / world.width, 664 / world.height);
  const mapW = s * world.width, mapH = s * world.height;
  const mapX = k.narrow ? 200 - mapW / 2 : 12 + (890 - mapW) / 2, mapY = k.narrow ? 132 : 50;
  const turn = view.over ? `Game over after turn ${view.turn}` : `Turn ${view.turn} · the last is ${view.turns}`;
  const connected = `${view.connections.length} of ${wishes.length} wishes connected`;
  const lead = view.defeat.some(Boolean) ? view.defeat.findIndex((fault) => !fault) : view.scores[0] === view.scores[1] ? -1 : Number(view.scores[1] > view.scores[0]);
  const plates = [0, 1].map((seat) => {
    const [x, y, w, h] = k.narrow ? [8, 28 + seat * 51, 384, 46] : [916, 10 + seat * 132, 354, 76];
    return [
      k.plate(x, y, w, h, seat, { score: view.scores[seat], detail: view.defeat[seat] ? `defeated: ${view.defeat[seat]}` : `+${view.gains[seat]} a turn${view.side_quest[seat] ? " · ★ side quest" : ""}${k.narrow && before ? ` · paint ${news.paid[seat]}/${PAINT}` : ""}`, state: view.over && lead === seat ? "winner" : "" }),
      k.narrow ? null : paint(k, seat, news, x + 8, y + h + 26, w),
    ];
  });
  const wishX = k.narrow ? 8 : 916, wishY = k.narrow ? mapY + mapH + 26 : 296;
  const wishW = k.narrow ? 384 : 354, rows = Math.ceil(wishes.length / columns);
  return k.sheet(
    k.narrow ? 400 : 1280, k.narrow ? wishY + rows * row + 10 : 720,
    `Rails, ${turn}: ${[0, 1].map((seat) => `${k.seatName(seat)} ${view.scores[seat]} points, ${view.gains[seat]} a turn`).join("; ")}; ${connected}`,
    k.text(k.narrow ? 8 : 16, k.narrow ? 19 : 34, turn, k.narrow ? 13 : 22, { kind: "bold" }),
    k.narrow ? null : k.text(902, 34, `a region drowns in ink at ${view.ink_threshold} disruptions`, 18, { anchor: "end", kind: "muted" }),
    map(el, k, view, before, world, news, [mapX, mapY, s]), plates,
    k.heading(wishX, wishY - (k.narrow ? 8 : 12), connected, 354),
    k.narrow ? null : legend(k, 16, mapY + mapH + 36),
    context.choices ? clickable(el, k, view, world, context, [mapX, mapY, s]) : null,
    wishes.map((wish, index) => wishBox(el, k, view, before, wish, [wishX + (index % columns) * (wishW / columns), wishY + Math.floor(index / columns) * row, wishW / columns - 6, row - 5], (town) => [mapX + (town.x + 0.5) * s, mapY + (town.y + 0.5) * s])),
  );
}

/** The wishes: first those that are connected, then those that can be, and last those that ink has cut off for good. */
function sorted(view, world) {
  const component = components(view, world), cell = (id) => component[view.towns[id].y][view.towns[id].x];
  const wishes = view.towns.flatMap((town, from) => town.wishes.map((to) => {
    const link = view.connections.find((each) => each.from === from && each.to === to);
    return { from, to, link, rank: link ? 0 : cell(from) === cell(to) ? 1 : 2 };
  }));
  return wishes.sort((one, other) => one.rank - other.rank);
}

/** What the signs on the map mean: who laid a track, and what a cell costs in paint. */
function legend(k, x, y) {
  const track = (seat) => (s) => k.outline(seat, s * 0.38, `node seat-${seat}`);
  const swatch = (kind) => (s) => k.rect(-s / 2, -s / 2, s, s, `${kind} swatch`, 3);
  const lines = [
    [[track(0), k.seatName(0)], [track(1), k.seatName(1)], [track(2), "neutral track"], [(s) => k.line(-s * 0.3, 0, s * 0.2, 0, "lit lit-sign"), "connection: pays every turn"]],
    [[swatch("plain"), "1 paint"], [swatch("river"), "2"], [swatch("mountain"), "3"], [(s) => k.path(star(k, 0, 0, s * 0.5), "star"), "3, side quest"], [(s) => k.path(drop(k, 0, -2, s * 0.5), "drop"), "disruptions"], [swatch("inked"), "inked out"]],
  ];
  return lines.map((items, row) => {
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
  return [k.text(x, y, "paint", 18, { kind: "muted" }), drops, target ? k.fit(x + 148, y, `disrupts region ${target.region}`, 18, w - 150, { kind: "bold" }) : null];
}

/** A wish: the two towns and, once connected, what it pays each seat per turn. Under the mouse, a line joins the towns on the map. */
function wishBox(el, k, view, before, { from, to, link, rank }, [x, y, w, h], spot) {
  const had = before ? before.connections.some((each) => each.from === from && each.to === to) : Boolean(link);
  const pays = [0, 1].map((seat) => (link ? link.path.filter(([cx, cy]) => view.tracks[cy][cx] === String(seat)).length : 0));
  const name = `${from}→${to}`, paid = link ? `${pays[0]} : ${pays[1]}` : rank === 2 ? "✗" : "";
  const size = Math.min(k.narrow ? 12 : 20, h * 0.72, (w - 14) / k.ems(name + paid, 1.08)), base = h / 2 + size * 0.36;
  const kind = link ? (had ? "wish-on" : "wish-new") : had ? "wish-lost" : rank === 2 ? "wish-cut" : "wish";
  const state = link ? `connected, pays ${k.seatName(0)} ${pays[0]} and ${k.seatName(1)} ${pays[1]} a turn` : rank === 2 ? "cut off by ink for good" : had ? "no longer connected" : "not connected";
  return el(
    "g", { class: "wished" }, k.line(...spot(view.towns[from]), ...spot(view.towns[to]), "as-crow"),
    k.place(
      x, y, `wish-${name}`, el("title", {}, `town ${from} to town ${to}: ${state}`), k.rect(0, 0, w, h, kind, 5), k.rect(0, 0, w, h, "area", 5),
      k.text(5, base, name, size, { kind: link ? "bold" : "muted" }), paid ? k.text(w - 5, base, paid, size, { anchor: "end", kind: link ? "num" : "muted" }) : null,
    ),
  );
}

function clickable(el, k, view, world, context, [x0, y0, s]) {
  const { cells, region, route, paint: left } = composed(view, world, context.picked || []);
  const parts = view.towns.map((town, id) => {
    const picked = route.includes(id), x = x0 + (town.x + 0.5) * s, y = y0 + (town.y + 0.5) * s, size = Math.max(s * 0.52, k.narrow ? 11 : 17);
    return el("g", k.choice(route.length === 1 && !picked ? `Build to town ${id}` : `Town ${id}`, { token: `town ${id}`, picked }), k.circle(x, y, size, "area"), picked ? k.circle(x, y, size, "ring") : null);
  });
  if (route.length === 2) parts.push(k.line(...route.flatMap((id) => [x0 + (view.towns[id].x + 0.5) * s, y0 + (view.towns[id].y + 0.5) * s]), "planned"));
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
  const world = chart(view), { cells, region, route, paint: left } = composed(view, world, picked);
  const built = route.length === 2 ? [`AUTOPLACE ${route.map((id) => `${view.towns[id].x} ${view.towns[id].y}`).join(" ")}`] : [];
  const orders = [...cells.map((name) => `PLACE_TRACKS ${name}`), ...built, ...(region === null ? [] : [`DISRUPT ${region}`])];
  const kept = [...route.map((id) => `town ${id}`), ...cells.map((name) => `place ${name}`), ...(region === null ? [] : [`disrupt ${region}`])];
  const lay = route.length === 1 ? `click the town to build to from town ${route[0]}` : route.length || !left ? "" : "click land to lay tracks, two towns to build from one to the other";
  const doing = [lay, region === null ? `${lay ? "" : "click "}an ink drop to disrupt its region` : ""].filter(Boolean).join(", or ");
  const hint = `${left} of ${PAINT} paint left${doing ? `; ${doing}` : ""}.`;
  return { picked: kept, answer: orders.join(";") || "WAIT", complete: false, hint };
}
