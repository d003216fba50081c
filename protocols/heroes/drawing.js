// Heroes for spectators: the map with mines, taverns and spikes, the four heroes with life, gold and mines, and what happened.
//
// A person's move is one click: the four cells around the hero carry data-move "North", "East", "South" or "West", the hero
// itself "Stay".

export const style = `
.ground { fill: color-mix(in srgb, #8a9a5b 16%, var(--panel)); }
.wood { fill: color-mix(in srgb, #5f9a58 44%, var(--panel)); }
.tree { fill: color-mix(in srgb, #4b9245 62%, var(--ink)); }
.grid { fill: none; stroke: color-mix(in srgb, var(--ink) 9%, transparent); stroke-width: 1; }
.spikes { fill: color-mix(in srgb, #c0503f 74%, var(--ink)); }
.tavern { fill: color-mix(in srgb, #c98a3b 35%, var(--panel)); stroke: color-mix(in srgb, var(--ink) 50%, transparent); stroke-width: 1; }
.mug { fill: #e0a63c; stroke: #4a3208; stroke-width: 1.2; } .foam { fill: #fffdf5; stroke: #4a3208; stroke-width: 0.8; }
.mine { fill: color-mix(in srgb, #6c6a66 45%, var(--panel)); stroke: color-mix(in srgb, var(--ink) 60%, transparent); stroke-width: 1.2; }
.mine.line-0 { fill: color-mix(in srgb, var(--seat-0) 30%, var(--panel)); stroke: var(--seat-0); stroke-width: 2.4; }
.mine.line-1 { fill: color-mix(in srgb, var(--seat-1) 30%, var(--panel)); stroke: var(--seat-1); stroke-width: 2.4; }
.mine.line-2 { fill: color-mix(in srgb, var(--seat-2) 30%, var(--panel)); stroke: var(--seat-2); stroke-width: 2.4; }
.mine.line-3 { fill: color-mix(in srgb, var(--seat-3) 30%, var(--panel)); stroke: var(--seat-3); stroke-width: 2.4; }
.nugget { fill: #f0c23b; stroke: #5b4300; stroke-width: 1; }
.start { fill: none; stroke-width: 1.6; stroke-dasharray: 3 3; opacity: 0.8; }
.trail { fill: none; stroke-width: 4; stroke-linecap: round; opacity: 0.55; }
.blow { stroke: var(--warn); stroke-width: 4; stroke-linecap: round; fill: none; }
.burst { fill: var(--warn); } .burst-text { fill: var(--paper); font-weight: 800; }
.halo { fill: none; stroke: var(--paper); stroke-width: 3; }
.bar-back { fill: color-mix(in srgb, var(--muted) 22%, var(--panel)); stroke: color-mix(in srgb, var(--ink) 45%, transparent); stroke-width: 1; }
.life { fill: color-mix(in srgb, #2f9e57 62%, var(--panel)); } .life-low { fill: var(--warn); }
.away { opacity: 0.45; }
`;

const STEP = { North: [-1, 0], East: [0, 1], South: [1, 0], West: [0, -1] };
const DEATHS = new Set(["death_at_mine", "death_on_spikes", "kill", "kill_by_respawn"]);

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const g = k.narrow
    ? { w: 400, h: 624, map: [8, 28, 384], title: [8, 19, 13], hero: (seat) => [8 + (seat % 2) * 195, 420 + (seat >> 1) * 88, 189, 82], legend: [8, 614] }
    : { w: 1280, h: 780, map: [10, 10, 760], title: [790, 36, 22], hero: (seat) => [786, 52 + seat * 168, 484, 158], legend: [790, 758] };
  const best = Math.max(...view.heroes.map((hero) => hero.gold));
  // The round of the ply just played, as everywhere on the page; for a person who is to move, that of their own ply.
  const current = context.choices ? view.round : Math.max(1, Math.ceil(view.turn / 4));
  const round = view.over ? `Game over after ${view.round} rounds` : `Round ${current} of ${view.turns / 4}`;
  const news = view.events.map((event) => words(event, k));
  return k.sheet(
    g.w, g.h, `Heroes, ${round}: ${view.heroes.map((hero, seat) => `${k.seatName(seat)} ${hero.gold} gold, ${hero.life} life, ${hero.mines} mines`).join("; ")}${news.length ? `; ${news.join(", ")}` : ""}`,
    map(el, k, view, context, g.map),
    k.fit(g.title[0], g.title[1], round, g.title[2], g.w - g.title[0] - 8, { kind: "bold" }),
    view.heroes.map((hero, seat) => card(el, k, view, hero, seat, best, g.hero(seat))),
    legend(el, k, g.legend),
  );
}

function words({ what, hero, other, amount }, k) {
  const name = (number) => k.seatName(number - 1);
  const mines = (count) => (count === 1 ? "1 mine" : `${count} mines`);
  const loot = amount ? ` and takes ${mines(amount)}` : "", loss = amount ? ` and loses ${mines(amount)}` : "";
  return {
    capture: `${name(hero)} captures a mine${other ? ` of ${name(other)}` : ""}`,
    drink: `${name(hero)} drinks: life ${amount}`,
    death_at_mine: `${name(hero)} dies at a mine${loss}`,
    death_on_spikes: `${name(hero)} dies on spikes${loss}`,
    hit: `${name(hero)} hits ${name(other)}: life ${amount}`,
    kill: `${name(hero)} kills ${name(other)}${loot}`,
    kill_by_respawn: `${name(hero)} respawns on ${name(other)}${loot}`,
    disconnection: `${name(hero)} is disconnected`,
  }[what] || `${name(hero)}: ${what}`;
}

/** What the signs on the map mean. */
function legend(el, k, [x, y]) {
  const s = k.narrow ? 16 : 24, size = k.narrow ? 11.5 : 17;
  const signs = [
    [mine(el, k, 0, 0, s, 0, false), "mine: gold"], [tavern(el, k, 0, 0, s), "tavern: life"],
    [k.path(spike(k, 0, s * 0.9, s), "spikes"), "spikes"], [k.path(tree(k, 0, 0, s), "tree"), "wood"],
  ];
  let left = x;
  return signs.map(([sign, name]) => {
    const part = [k.place(left, y - s * 0.75, null, sign), k.text(left + s * 1.25, y, name, size, { kind: "muted" })];
    left += s * 1.7 + k.ems(name) * size;
    return part;
  });
}

const tree = (k, x, y, s) => `M${k.at(x + s / 2)} ${k.at(y + s * 0.12)}l${k.at(s * 0.34)} ${k.at(s * 0.62)}h${k.at(-s * 0.26)}v${k.at(s * 0.12)}h${k.at(-s * 0.16)}v${k.at(-s * 0.12)}h${k.at(-s * 0.26)}z`;
const spike = (k, x, y, s) => [0.1, 0.37, 0.64].map((part) => `M${k.at(x + part * s)} ${k.at(y)}l${k.at(s * 0.13)} ${k.at(-s * 0.62)}l${k.at(s * 0.13)} ${k.at(s * 0.62)}z`).join("");

/** One hero: name and gold, life, mines. */
function card(el, k, view, hero, seat, best, [x, y, w, h]) {
  const plate = h * (k.narrow ? 0.56 : 0.55), low = hero.life <= 25;
  const size = k.narrow ? 12 : 20, left = x + (k.narrow ? 7 : 14), barW = w * (k.narrow ? 0.44 : 0.5), barH = k.narrow ? 15 : 32;
  const middle = y + plate + (h - plate) / 2;
  const detail = hero.disconnected ? "disconnected" : k.narrow ? `kills ${hero.kills}` : `kills ${hero.kills} · deaths ${hero.deaths} · captures ${hero.captures}`;
  return [
    k.rect(x, y, w, h, "panel", 8),
    k.plate(x, y, w, plate, seat, { score: k.short(hero.gold), unit: k.narrow ? "" : "gold", label: String(hero.id), detail, state: view.over && hero.gold === best ? "winner" : "" }),
    k.named(
      `life ${hero.life} of ${view.full_life}`,
      k.rect(left, middle - barH / 2, barW, barH, "bar-back", 4), k.rect(left, middle - barH / 2, (barW * Math.min(hero.life, view.full_life)) / view.full_life, barH, low ? "life-low" : "life", 4),
      k.text(left + barW / 2, middle + size * 0.36, `${low ? "! " : ""}${k.narrow ? "" : "life "}${hero.life}`, size, { anchor: "middle", kind: "bold" }),
    ),
    nugget(k, left + barW + (k.narrow ? 16 : 34), middle, k.narrow ? 7 : 11),
    k.fit(left + barW + (k.narrow ? 28 : 54), middle + size * 0.36, hero.mines === 1 ? "1 mine" : `${hero.mines} mines`, size, w * 0.4, { kind: "bold" }),
  ];
}

const nugget = (k, x, y, r) => k.path(`M${k.at(x - r)} ${k.at(y + r * 0.5)}l${k.at(r * 0.5)} ${k.at(-r * 1.1)}h${k.at(r)}l${k.at(r * 0.5)} ${k.at(r * 1.1)}z`, "nugget");

/** The ground as few paths, then mines and taverns, marks of this ply, and the heroes on top. */
function map(el, k, view, context, [x0, y0, side]) {
  const size = view.size, s = side / size;
  const at = ([row, column]) => [x0 + (column + 0.5) * s, y0 + (row + 0.5) * s];
  const paths = { wood: "", tree: "", spikes: "", grid: "" };
  const things = [];
  const before = context.before;
  view.rows.forEach((line, row) => {
    for (let column = 0; column < size; column += 1) {
      const tile = line.slice(2 * column, 2 * column + 2), x = x0 + column * s, y = y0 + row * s;
      if (tile === "##") {
        paths.wood += `M${k.at(x)} ${k.at(y)}h${k.at(s + 0.3)}v${k.at(s + 0.3)}h${k.at(-s - 0.3)}z`;
        paths.tree += tree(k, x, y, s);
      } else if (tile === "[]") things.push(tavern(el, k, x, y, s));
      else if (tile[0] === "$") {
        const was = before?.rows[row].slice(2 * column, 2 * column + 2);
        things.push(mine(el, k, x, y, s, Number(tile[1]) || 0, Boolean(was) && was !== tile));
      }
    }
  });
  for (const [row, column] of view.spikes) {
    paths.spikes += spike(k, x0 + column * s, y0 + (row + 0.86) * s, s);
  }
  if (s > 7) for (let index = 1; index < size; index += 1) paths.grid += `M${k.at(x0 + index * s)} ${y0}v${side}M${x0} ${k.at(y0 + index * s)}h${side}`;
  return [
    k.rect(x0, y0, side, side, "ground", 4), k.path(paths.grid, "grid"), k.path(paths.wood, "wood"), k.path(paths.tree, "tree"), k.path(paths.spikes, "spikes"),
    view.heroes.map((hero, seat) => { const [x, y] = at(hero.start); return k.place(x, y, null, el("title", {}, `start of ${k.seatName(seat)}`), k.outline(seat, s * 0.42, `start line-${seat}`)); }),
    things, trails(k, view, before, at, s),
    [...view.heroes.keys()].sort((a, b) => Number(k.moved.has(a)) - Number(k.moved.has(b))).map((seat) => figure(el, k, view, seat, at(view.heroes[seat].pos), Math.max(s, k.narrow ? 30 : 52))),
    blows(el, k, view, before, at, s), k.rect(x0, y0, side, side, "rule", 4),
    context.choices ? directions(el, k, view, context, at, s) : null,
  ];
}

function tavern(el, k, x, y, s) {
  const w = s * 0.36, h = s * 0.42, cx = x + s * 0.46, cy = y + s * 0.54;
  return k.named(
    "tavern", k.rect(x + s * 0.06, y + s * 0.06, s * 0.88, s * 0.88, "tavern", s * 0.15), k.rect(cx - w / 2, cy - h / 2, w, h, "mug", s * 0.05),
    k.path(`M${k.at(cx + w / 2)} ${k.at(cy - h * 0.25)}q${k.at(s * 0.2)} ${k.at(h * 0.25)} 0 ${k.at(h * 0.5)}`, "rule"), k.rect(cx - w * 0.6, cy - h * 0.66, w * 1.2, h * 0.32, "foam", s * 0.07),
  );
}

/** A mine wears the shape, colour and number of its owner. */
function mine(el, k, x, y, s, owner, fresh) {
  const cx = x + s / 2, cy = y + s / 2;
  return el(
    "g", {}, el("title", {}, owner ? `mine of ${k.seatName(owner - 1)}` : "mine of nobody"),
    k.rect(x + s * 0.06, y + s * 0.06, s * 0.88, s * 0.88, owner ? `mine line-${owner - 1}` : "mine", s * 0.15),
    nugget(k, cx, owner ? cy + s * 0.3 : cy, owner ? s * 0.2 : s * 0.26),
    owner ? k.place(cx, cy - s * 0.08, null, k.outline(owner - 1, s * 0.26, `badge seat-${owner - 1}`), el("text", { y: k.at(s * 0.14), "font-size": k.at(s * 0.38), "text-anchor": "middle", class: "badge-text" }, owner)) : null,
    fresh ? k.rect(x + 1, y + 1, s - 2, s - 2, "now", s * 0.15) : null,
  );
}

/** A hero: badge with number, life below it. Its shape identifies it without colour. */
function figure(el, k, view, seat, [x, y], s) {
  const hero = view.heroes[seat], r = s * 0.36, w = s * 0.86, h = Math.max(3, s * 0.13);
  return k.place(
    x, y, `hero-${hero.id}`, el("title", {}, `${k.seatName(seat)}: life ${hero.life}, ${hero.gold} gold${hero.disconnected ? ", disconnected" : ""}`),
    k.moved.has(seat) ? k.circle(0, 0, s * 0.62, "glow") : null,
    el(
      "g", { class: hero.disconnected ? "away" : null }, k.place(0, -s * 0.06, null, k.outline(seat, r + 1.5, "halo"), k.outline(seat, r, `badge seat-${seat}`),
        el("text", { y: k.at(r * 0.42), "font-size": k.at(r * 1.25), "text-anchor": "middle", class: "badge-text" }, hero.id)),
    ),
    hero.disconnected ? k.text(r * 1.1, -r * 0.7, "z", Math.max(s * 0.36, 11), { anchor: "middle", kind: "bold" }) : null,
    k.rect(-w / 2, s * 0.46 - h, w, h, "bar-back", h / 3), k.rect(-w / 2, s * 0.46 - h, (w * Math.min(hero.life, view.full_life)) / view.full_life, h, hero.life <= 25 ? "life-low" : "life", h / 3),
  );
}

/** Where each hero that moved in this turn came from, unless it died. */
function trails(k, view, before, at, s) {
  if (!before) return null;
  const dead = new Set(deaths(view).map((each) => each.hero));
  return view.heroes.map((hero, seat) => {
    const [from, to] = [at(before.heroes[seat].pos), at(hero.pos)];
    if (dead.has(hero.id) || (from[0] === to[0] && from[1] === to[1])) return null;
    return k.line(...from, ...to, `trail line-${seat}`);
  });
}

function deaths(view) {
  return view.events.filter((event) => DEATHS.has(event.what)).map((event) => ({ hero: event.what.startsWith("kill") ? event.other : event.hero }));
}

/** Hits, deaths and respawns. */
function blows(el, k, view, before, at, s) {
  const dead = new Set(deaths(view).map((each) => each.hero));
  // A hero that died in this turn fell where it stood before it, and stands at its start now.
  const fell = (number) => at(((before && dead.has(number)) ? before : view).heroes[number - 1].pos);
  const text = Math.max(s * 0.34, k.narrow ? 11 : 15);
  const marks = view.events.map((event) => {
    if (event.what === "hit" || event.what === "kill") {
      const [x1, y1] = at(view.heroes[event.hero - 1].pos), [x2, y2] = fell(event.other);
      return [k.line(x1 + (x2 - x1) * 0.32, y1 + (y2 - y1) * 0.32, x1 + (x2 - x1) * 0.7, y1 + (y2 - y1) * 0.7, "blow"), event.what === "hit" ? burst(el, k, x2 + s * 0.34, y2 - s * 0.34, text * 0.86, "!") : null];
    }
    if (event.what === "drink") { const [x, y] = at(view.heroes[event.hero - 1].pos); return k.pill(x, y - s * 0.75, `♥ ${event.amount}`, { size: Math.max(text * 0.8, 11) }); }
    return null;
  });
  const crosses = [...dead].map((number) => {
    const [x, y] = fell(number), r = s * 0.3, [sx, sy] = at(view.heroes[number - 1].start);
    return [
      k.place(x, y, null, el("title", {}, `${k.seatName(number - 1)} died here`), k.path(`M${k.at(-r)} ${k.at(-r)}L${k.at(r)} ${k.at(r)}M${k.at(r)} ${k.at(-r)}L${k.at(-r)} ${k.at(r)}`, "blow")),
      k.circle(sx, sy, s * 0.62, "now"), k.pill(Math.max(sx, text * 3), sy - s * 0.8 > text ? sy - s * 0.8 : sy + s * 0.95, "respawns", { size: Math.max(text * 0.85, 11) }),
    ];
  });
  return [marks, crosses];
}

function burst(el, k, x, y, r, label) {
  const points = [...Array(14).keys()].map((index) => { const d = index % 2 ? r * 0.66 : r, a = (index * Math.PI) / 7; return `${k.at(d * Math.cos(a))},${k.at(d * Math.sin(a))}`; });
  return k.place(x, y, null, el("polygon", { points: points.join(" "), class: "burst" }), k.text(0, r * 0.36, label, r, { anchor: "middle", kind: "burst-text" }));
}

function directions(el, k, view, context, at, s) {
  const [row, column] = view.heroes[context.person].pos;
  const inside = ([down, right]) => Math.min(row + down, column + right) >= 0 && Math.max(row + down, column + right) < view.size;
  return context.choices.filter((move) => inside(STEP[move] || [0, 0])).map((move) => {
    const [down, right] = STEP[move] || [0, 0];
    const [x, y] = at([row + down, column + right]);
    return el("g", k.choice(STEP[move] ? `Go ${move.toLowerCase()}` : move, { move }), k.rect(x - s / 2, y - s / 2, s, s, "area", 4), k.rect(x - s * 0.46, y - s * 0.46, s * 0.92, s * 0.92, "ring", 5));
  });
}

/** Keys that make a move. */
export const keys = { ArrowUp: "North", ArrowRight: "East", ArrowDown: "South", ArrowLeft: "West", " ": "Stay" };

export function pick() {
  return { picked: [], answer: null, complete: false, hint: "Click a cell next to your hero, or press an arrow key; the hero itself, or space, to stay." };
}
