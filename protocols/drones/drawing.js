// GameOfDrones for spectators: two armies that grow in secret, the clash, and a strip of all rounds.
//
// A person's move is composed of clicks (see pick() below): "producer N" and "soldier N" make N more units, "attack" sends the
// soldiers or calls them back. The answer is "PRODUCERS SOLDIERS ATTACK", legal after every click.

import { clashMiddle } from "./drawing-clash.js";

export const style = `
.field { fill: color-mix(in srgb, var(--muted) 8%, var(--paper)); stroke: var(--line); stroke-width: 1; }
.base { stroke: none; }
.unit { stroke: color-mix(in srgb, var(--ink) 75%, transparent); stroke-width: 1.2; }
.unit-hole { fill: var(--paper); opacity: 0.75; }
.new { fill: none; stroke: var(--accent); stroke-width: 2; }
.lost { opacity: 0.32; }
.bar-back { fill: color-mix(in srgb, var(--muted) 18%, var(--paper)); }
.tick { fill: color-mix(in srgb, var(--muted) 30%, var(--paper)); } .tick-done { fill: var(--muted); } .tick-now { fill: var(--accent); }
.clash { fill: color-mix(in srgb, var(--accent) 25%, var(--panel)); stroke: var(--accent); stroke-width: 2; }
.march { fill: none; stroke-width: 5; stroke-linecap: round; stroke-linejoin: round; }
.shield { fill: var(--panel); stroke: var(--ink); stroke-width: 2; }
.draw { fill: var(--muted); }
.button { fill: var(--accent); } .button-text { fill: var(--paper); font-weight: 800; }
`;

const MOST_ICONS = 40;
const counted = (count, what, written = String) => `${written(count)} ${what}${count === 1 ? "" : "s"}`;

/** How the position is shown: the clash that has just ended a round, or the armies of the current round. */
function scene(view) {
  const clash = view.last_round && (view.over || view.turn === 1) ? view.last_round : null;
  return { clash, armies: clash ? clash.players : view.players, round: clash ? clash.round : view.round, turn: clash ? clash.turns_played : view.turn };
}

/** What a seat has just made, from its move. */
function made(move) {
  const [producers, soldiers, attack] = String(move ?? "0 0 0").split(" ").map(Number);
  return { producers: producers || 0, soldiers: soldiers || 0, attack: attack === 1 };
}

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const now = scene(view);
  const g = k.narrow
    ? { w: 400, h: 640, plates: [[8, 28, 384, 46], [8, 80, 384, 46]], field: [8, 134, 384, 370], strip: [8, 532, 384, 90], title: [8, 18, 13] }
    : { w: 1280, h: 780, plates: [[16, 46, 616, 76], [648, 46, 616, 76]], field: [16, 138, 1248, 500], strip: [16, 676, 1248, 92], title: [16, 30, 22] };
  const lead = leader(view);
  const plates = [0, 1].map((seat) => k.plate(...g.plates[seat], seat, {
    score: view.rounds_won[seat], unit: k.narrow ? "" : "rounds", detail: doing(k, view, now, seat), state: view.over && lead === seat ? "winner" : "",
  }));
  const verdict = lead === null ? "a draw" : `${k.seatName(lead)} wins${view.match_coin === null ? "" : " by coin toss"}`;
  const title = view.over ? `All ${view.rounds} rounds are played: ${verdict}` : `Round ${now.round} of ${view.rounds}`;
  return k.sheet(
    g.w, g.h, summary(view, now, k),
    k.fit(g.title[0], g.title[1], title, g.title[2], g.w / (view.over ? 1 : 3), { kind: "bold" }), view.over ? null : turnClock(k, now, view.turns, g.w - g.title[0], g.title[1]), plates,
    battlefield(el, k, view, now, context, g.field), strip(el, k, view, g.strip),
    context.choices ? controls(el, k, view, context, g.field) : null,
  );
}

function leader(view) {
  const [first, second] = view.rounds_won;
  return first === second ? view.match_coin ?? null : first > second ? 0 : 1;
}

function doing(k, view, now, seat) {
  const last = k.moved.get(seat);
  if (!last) return "";
  const { producers, soldiers, attack } = made(last.move);
  const parts = [producers ? `+${counted(producers, "producer", k.short)}` : "", soldiers ? `+${counted(soldiers, "soldier", k.short)}` : "", attack ? "attacks!" : ""].filter(Boolean);
  return parts.join(", ") || "makes nothing";
}

function summary(view, now, k) {
  const score = [0, 1].map((seat) => `${k.seatName(seat)} ${view.rounds_won[seat]}`).join(", ");
  const army = (seat) => now.armies[seat].producers === null ? `the units of ${k.seatName(seat)} are hidden` : `${k.seatName(seat)} has ${k.short(now.armies[seat].producers)} producers and ${k.short(now.armies[seat].soldiers)} soldiers`;
  const end = now.clash ? `; round ${now.clash.round} ${now.clash.winner === null ? "is a draw" : `goes to ${k.seatName(now.clash.winner)}`}` : "";
  return `GameOfDrones, round ${now.round} of ${view.rounds}, rounds won: ${score}; ${army(0)}, ${army(1)}${end}`;
}

/** Both armies, facing each other; in a clash the strengths are compared in the middle. */
function battlefield(el, k, view, now, context, [x, y, w, h]) {
  const half = w / 2, top = k.narrow ? 50 : 76, foot = !now.clash && !context.choices ? 8 : k.narrow ? 108 : 124;
  const hidden = (seat) => context.reveal === false && context.person !== undefined && context.person !== seat && !now.clash;
  const sides = [0, 1].map((seat) => {
    const left = x + seat * half;
    if (hidden(seat)) return k.text(left + half / 2, y + h / 2, "hidden", k.narrow ? 16 : 26, { anchor: "middle", kind: "muted" });
    return army(el, k, now, seat, made(k.moved.get(seat)?.move), [left, y, half, h], top, foot);
  });
  const middle = now.clash && !context.choices ? clashMiddle(el, k, view, now, [x, y, w, h], foot) : null;
  return [k.rect(x, y, w, h, "field", 10), [0, 1].map((seat) => k.rect(x + seat * half + 4, y + 4, half - 8, h - foot, `base tint-${seat}`, 8)), k.line(x + half, y + 10, x + half, y + h - foot, "rule"), sides, middle];
}

/** Units as icons: producers on the outside, soldiers towards the enemy; one icon may stand for many. */
function army(el, k, now, seat, fresh, [x, y, w, h], top, foot) {
  const units = now.armies[seat];
  const attacked = now.clash?.players[seat].attacked;
  const beaten = now.clash && now.clash.winner === 1 - seat;
  const size = k.narrow ? 12 : 19, least = k.narrow ? 0.4 : 0.3, all = units.producers + units.soldiers;
  const parts = [];
  for (const [index, kind] of ["producers", "soldiers"].entries()) {
    const count = units[kind];
    // The more there are of a kind, the more of the field it gets.
    const part = w * Math.min(1 - least, Math.max(least, all ? count / all : 0.5)), left = seat === index ? x : x + w - part, centre = left + part / 2;
    parts.push(
      k.text(centre, y + (k.narrow ? 24 : 40), k.short(count), k.narrow ? 19 : 32, { anchor: "middle", kind: "num" }),
      k.fit(centre, y + (k.narrow ? 39 : 63), count === 1 ? kind.slice(0, -1) : kind, size, part, { anchor: "middle", kind: "muted" }),
    );
    // Attackers stand close to the front, and never beyond it.
    const march = kind === "soldiers" && attacked ? (seat === 0 ? 1 : -1) * part * 0.06 : 0;
    parts.push(icons(el, k, kind, seat, count, fresh[kind], [left + part * 0.09 + march, y + top, part * 0.82, h - top - foot], beaten));
  }
  return parts;
}

function icons(el, k, kind, seat, count, fresh, [x, y, w, h], beaten) {
  let worth = 1;
  for (let index = 0; count / worth > MOST_ICONS; index += 1) worth = [2, 5, 10][index % 3] * 10 ** Math.floor(index / 3);
  const shown = Math.ceil(count / worth - 1e-9);
  const columns = Math.max(Math.min(shown, 2), Math.round(Math.sqrt((shown * w) / h)), 1);
  const cell = Math.min(w / columns, h / Math.max(1, Math.ceil(shown / columns)), k.narrow ? 64 : 130);
  const r = cell * 0.37;
  const rows = Math.ceil(shown / columns);
  const fromNew = worth === 1 ? shown - Math.ceil(fresh) : shown;
  const parts = [];
  for (let index = 0; index < shown; index += 1) {
    const column = index % columns, row = Math.floor(index / columns);
    const across = Math.min(columns, shown);
    const cx = x + w / 2 + (column - (across - 1) / 2) * cell * (seat === 0 ? 1 : -1);
    const cy = y + h / 2 + (row - (rows - 1) / 2) * cell;
    parts.push(k.place(cx, cy, `${kind}-${seat}-${index}`, unit(el, k, kind, seat, r), index >= fromNew ? k.circle(0, 0, r * 1.28, "new") : null));
  }
  const scale = worth > 1 ? k.fit(x + w / 2, y + h + (k.narrow ? 10 : 14), `each ${k.short(worth)}`, k.narrow ? 11 : 18, w * 1.1, { anchor: "middle", kind: "muted" }) : null;
  return el("g", { class: beaten ? "lost" : null }, parts, scale);
}

/** A producer is a hexagon, a soldier a dart that points at the enemy. */
function unit(el, k, kind, seat, r) {
  const point = ([px, py]) => `${k.at(px * r * (seat === 0 ? 1 : -1))},${k.at(py * r)}`;
  if (kind === "producers") {
    const corners = [[-0.5, -0.9], [0.5, -0.9], [1, 0], [0.5, 0.9], [-0.5, 0.9], [-1, 0]];
    return [el("polygon", { points: corners.map(point).join(" "), class: `unit seat-${seat}` }), k.circle(0, 0, r * 0.36, "unit-hole")];
  }
  return el("polygon", { points: [[1, 0], [-0.85, -0.85], [-0.4, 0], [-0.85, 0.85]].map(point).join(" "), class: `unit seat-${seat}` });
}

/** The turns of the round, beside the title. */
function turnClock(k, now, turns, right, y) {
  const gap = k.narrow ? 2 : 4, wide = Math.min(k.narrow ? 14 : 36, (k.narrow ? 140 : 520) / turns - gap), high = k.narrow ? 10 : 16, left = right - turns * (wide + gap);
  const ticks = [...Array(turns).keys()].map((index) => k.rect(left + index * (wide + gap), y - high, wide, high, index + 1 < now.turn ? "tick-done" : index + 1 === now.turn ? "tick-now" : "tick", 3));
  return [k.text(left - gap * 3, y, `turn ${now.turn} of ${turns}${k.narrow ? "" : " in this round"}`, k.narrow ? 11 : 18, { anchor: "end", kind: "muted" }), ticks];
}

/** All rounds: won by seat 0 in the upper lane, by seat 1 in the lower one, drawn in between. */
function strip(el, k, view, [x, y, w, h]) {
  const finished = view.rounds_won[0] + view.rounds_won[1] + view.draws;
  const winners = view.winners || "";
  const cells = Math.min(Math.max(view.rounds, 1), Math.max(winners.length, Math.min(view.rounds, 400)));
  const lane = k.narrow ? 26 : 34, left = x + lane;
  const step = Math.min((w - lane) / cells, k.narrow ? 36 : 122), gap = step > 8 ? 2 : step > 4 ? 1 : 0.3;
  const hidden = finished - winners.length;
  const head = `Rounds: ${view.rounds_won[0]} : ${view.rounds_won[1]}${view.draws ? `, ${view.draws} drawn` : ""}${hidden > 0 ? ` · the latest ${winners.length}` : ""}`;
  const top = y, high = (h - 6) / 2 - 1;
  const marks = [...Array(cells).keys()].map((index) => {
    const winner = winners[index], cx = left + index * step;
    if (winner === undefined) return step > 5 ? k.rect(cx, top + 3, step - gap, high * 2, "hollow", 3) : null;
    const title = `round ${hidden + index + 1}: ${winner === "=" ? "draw" : k.seatName(Number(winner))}`;
    const box = winner === "=" ? k.rect(cx, top + 3 + high * 0.7, step - gap, high * 0.6, "draw", 2) : k.rect(cx, top + 3 + Number(winner) * high, step - gap, high - 1, `seat-${winner}`, Math.min(3, step / 3));
    const late = index === winners.length - 1 && view.turn === 1;
    return el(
      "g", {}, el("title", {}, title), box,
      step > 24 ? k.text(cx + (step - gap) / 2, top + 3 + (winner === "=" ? high : Number(winner) * high + high / 2) + 5, winner === "=" ? "=" : winner, k.narrow ? 13 : 19, { anchor: "middle", kind: winner === "=" ? "on bold" : "badge-text" }) : null,
      late || (view.over && index === winners.length - 1) ? k.rect(cx - 1, top + 1, step - gap + 2, high * 2 + 4, "now", 4) : null,
    );
  });
  const lanes = [0, 1].map((seat) => k.badge(x + lane * 0.4, top + 3 + seat * high + high / 2, seat, k.narrow ? 9 : 12));
  return [k.heading(x, y - (k.narrow ? 6 : 10), head, w), lanes, marks];
}

/** Buttons for a person, below the armies. */
function controls(el, k, view, context, [x, y, w, h]) {
  const seat = context.person, wanted = composed(view, seat, context.picked || []);
  const left = wanted.capacity - wanted.producers - wanted.soldiers;
  const all = [
    ["+1 ⬡", "producer 1", "Make a producer", left >= 1], ["all ⬡", `producer ${left}`, "Make producers with everything left", left > 1],
    ["+1 ➤", "soldier 1", "Make a soldier", left >= 1], ["all ➤", `soldier ${left}`, "Make soldiers with everything left", left > 1],
    [wanted.attack ? "attack ✓" : "attack", "attack", "Attack this turn", true],
  ];
  const size = k.narrow ? 13 : 19, wide = k.narrow ? 68 : 118, high = k.narrow ? 34 : 44, gap = k.narrow ? 7 : 14;
  const start = x + w / 2 - (all.length * (wide + gap) - gap) / 2, top = y + h - high - (k.narrow ? 6 : 8);
  const buttons = all.filter(([, , , able]) => able).map(([name, token, title]) => {
    const bx = start + all.findIndex((each) => each[1] === token) * (wide + gap);
    return el("g", k.choice(title, { token, picked: token === "attack" && wanted.attack }), k.rect(bx, top, wide, high, "button", 8), k.rect(bx, top, wide, high, "ring", 8), k.text(bx + wide / 2, top + high * 0.65, name, size, { anchor: "middle", kind: "button-text" }));
  });
  return [k.rect(x + 2, top - (k.narrow ? 24 : 30), w - 4, high + (k.narrow ? 28 : 36), "panel", 8), k.text(x + w / 2, top - 8, `makes ${counted(wanted.producers, "producer")}, ${counted(wanted.soldiers, "soldier")}${wanted.attack ? ", attacks" : ""}; ${left} left to make`, k.narrow ? 12 : 19, { anchor: "middle", kind: "bold" }), buttons];
}

function composed(view, seat, picked) {
  const capacity = Math.floor(view.players[seat].producers);
  const wanted = { producers: 0, soldiers: 0, attack: false, capacity };
  for (const token of picked) {
    const [word, number] = token.split(" ");
    const room = capacity - wanted.producers - wanted.soldiers;
    if (word === "attack") wanted.attack = !wanted.attack;
    else wanted[`${word}s`] += Math.max(0, Math.min(Number(number), room));
  }
  return wanted;
}

export function pick(view, seat, picked) {
  const wanted = composed(view, seat, picked);
  const left = wanted.capacity - wanted.producers - wanted.soldiers;
  const hint = left ? `Your producers can make ${left} more unit${left === 1 ? "" : "s"}.` : "Attack or not, then play.";
  const kept = [wanted.producers && `producer ${wanted.producers}`, wanted.soldiers && `soldier ${wanted.soldiers}`, wanted.attack && "attack"].filter(Boolean);
  return { picked: kept, answer: `${wanted.producers} ${wanted.soldiers} ${wanted.attack ? 1 : 0}`, complete: false, hint };
}
