// Green Circle for spectators: the desks in a circle, both teams with their cards and debts, and what each application still needs.
//
// A person's move (context.choices is the list of possible actions): what one click decides carries data-move: a desk, a card of
// the hand, an application, the buttons "wait" and "random". Where several clicks decide (a desk to move to and one to take
// from, a card to play and cards it works on) elements carry tokens in data-pick: "desk D", "card C", see drawing-clicks.js.

import { applications } from "./drawing-applications.js";
import { BONUS, BRIEF, NAMES, TO_END, face, nameOf, shownCard, spoken, tally, tile, unseen } from "./drawing-cards.js";
import { clickOn, steps } from "./drawing-clicks.js";

export const style = `
.skill { stroke: color-mix(in srgb, var(--ink) 45%, transparent); stroke-width: 1.2; }
.skill-0 { fill: color-mix(in srgb, #4f7fd1 34%, var(--panel)); } .skill-1 { fill: color-mix(in srgb, #d1774f 34%, var(--panel)); }
.skill-2 { fill: color-mix(in srgb, #56a866 34%, var(--panel)); } .skill-3 { fill: color-mix(in srgb, #c9a93a 36%, var(--panel)); }
.skill-4 { fill: color-mix(in srgb, #8a67c4 34%, var(--panel)); } .skill-5 { fill: color-mix(in srgb, #3fa8b5 34%, var(--panel)); }
.skill-6 { fill: color-mix(in srgb, #c4608f 34%, var(--panel)); } .skill-7 { fill: color-mix(in srgb, #8c8f4a 36%, var(--panel)); }
.skill-8 { fill: #f3cf62; } .bonus-text { fill: #241a00; font-weight: 700; } .skill-9 { fill: #2a2226; } .debt-text { fill: #ffb3ab; font-weight: 800; }
.floor { fill: color-mix(in srgb, #56a866 10%, var(--panel)); stroke: var(--line); stroke-width: 1; }
.walk { fill: none; stroke: color-mix(in srgb, #56a866 30%, var(--panel)); }
.step { fill: none; stroke-width: 5; stroke-linecap: round; stroke-dasharray: 1 10; }
.near { fill: none; stroke-width: 2; stroke-dasharray: 3 5; opacity: 0.9; }
.gate { stroke: var(--warn); stroke-width: 3; stroke-dasharray: 6 4; }
.left { fill: var(--ink); } .gone { fill: none; stroke: var(--muted); stroke-width: 1; }
.pip { fill: none; stroke: var(--muted); stroke-width: 1.6; } .pip-on { stroke: var(--ink); stroke-width: 1.4; }
.ready { fill: color-mix(in srgb, #56a866 34%, var(--panel)); stroke: color-mix(in srgb, #56a866 60%, var(--ink)); stroke-width: 2; }
.choice .legal, .legal { stroke-width: 5; stroke-dasharray: none; } .choice:hover .legal, .choice:focus .legal { stroke-width: 8; } .barred { opacity: 0.45; }
.button { fill: var(--panel); stroke: var(--line); stroke-width: 1.5; }
`;

const HAND_NARROW = 5;
const PHASES = { MOVE: "moves", THROW_CARD: "throws a card", GIVE_CARD: "gives a card", TAKE_CARD: "takes a card", PLAY_CARD: "plays a card", RELEASE: "releases", END: "" };

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const before = context.before;
  const offered = context.choices ? steps(context.choices, context.picked || []) : null;
  const scene = { el, k, view, before, offered, context };
  const hands = view.teams.map((team, seat) => (k.narrow && !unseen(context, seat) ? Math.max(1, Math.ceil(new Set(team.hand).size / HAND_NARROW)) : 1));
  const count = view.applications.length, columns = k.narrow ? 2 : count > 6 ? 6 : Math.max(3, count), second = 520 + 40 + hands[0] * 50, below = second + 40 + hands[1] * 50 + 30;
  const g = k.narrow
    ? { w: 400, plates: (seat) => [8, 28 + seat * 51, 384, 46], circle: [200, 322, 126, 37], team: (seat) => [8, seat ? second : 520, 384], apps: [8, below, columns, 189, 60] }
    : { w: 1280, plates: (seat) => [seat ? 938 : 12, 12, 330, 76], circle: [640, 324, 194, 62], team: (seat) => [seat ? 950 : 24, 100, 306], apps: [12, 650, columns, 1264 / columns - 8, count > columns ? 61 : 126] };
  const height = k.narrow ? below + Math.max(1, Math.ceil(count / columns)) * 66 + 4 : 784;
  return k.sheet(
    g.w, height, summary(view, k), k.narrow ? k.text(8, 19, title(view), 13, { kind: "bold" }) : k.text(640, 20, title(view), 20, { anchor: "middle", kind: "bold" }),
    [0, 1].map((seat) => [k.narrow ? null : k.rect(g.plates(seat)[0], 12, 330, 606, "panel", 8), plate(scene, seat, g.plates(seat))]), circle(scene, g.circle),
    [0, 1].map((seat) => teamCards(scene, seat, g.team(seat))), applications(scene, g.apps),
    offered ? buttons(scene, g.circle) : null,
  );
}

function title(view) {
  return view.over ? `Game over after ${view.phases} phases` : `Level ${view.level} · phase ${view.phases}, ${view.max_phases} at most`;
}

function summary(view, k) {
  const teams = view.teams.map((team, seat) => `${k.seatName(seat)} has released ${team.score} of ${TO_END}, debt ${team.technical_debt}, ${team.location < 0 ? "outside" : `at desk ${team.location}`}`);
  return `Green Circle, ${title(view)}: ${teams.join("; ")}${view.over ? "" : `; ${k.seatName(view.seat)} ${PHASES[view.phase] || ""}`}`;
}

function doing(view, k, seat) {
  const last = k.moved.get(seat);
  if (view.defeated === seat) return "defeated";
  if (last) return spoken(last.move, k.narrow ? NAMES : BRIEF);
  return view.over || view.seat !== seat ? "" : `${PHASES[view.phase]} next`;
}

function plate({ k, view }, seat, box) {
  const team = view.teams[seat];
  const best = view.over && view.defeated === null ? Math.max(...view.teams.map((each) => each.score * 1000 - each.technical_debt)) : null;
  const won = view.over && (view.defeated === null ? team.score * 1000 - team.technical_debt === best : view.defeated !== seat);
  return k.plate(...box, seat, { score: `${team.score}/${TO_END}`, detail: doing(view, k, seat), state: won ? "winner" : "" });
}

/** Hand, piles, lasting effects and debt of a team. */
function teamCards(scene, seat, [x, y, w]) {
  const { el, k, view, before, offered, context } = scene;
  const team = view.teams[seat], earlier = before?.teams[seat];
  const hidden = unseen(context, seat);
  const hand = tally(hidden ? [] : team.hand), had = earlier ? tally(earlier.hand) : hand;
  const types = hand.map((count, card) => [count, card]).filter(([count]) => count);
  const columns = k.narrow ? HAND_NARROW : 3, gap = k.narrow ? 5 : 9, cw = (w - gap * (columns - 1)) / columns - (k.narrow ? 0 : 3), rows = Math.max(1, Math.ceil(types.length / columns)), ch = k.narrow ? 45 : rows > 3 ? 62 : 82;
  const debt = earlier ? team.technical_debt - earlier.technical_debt : 0;
  const size = k.narrow ? 12 : 18;
  const lasting = [team.daily_routine ? `routine ×${team.daily_routine}` : "", team.architecture_study ? `architecture ×${team.architecture_study}` : ""].filter(Boolean).join(", ");
  const parts = [
    k.narrow ? k.badge(x + 8, y + size - 4, seat, 8) : null,
    k.heading(x + (k.narrow ? 22 : 0), y + size, `Hand ${hidden ? "hidden" : team.hand.length}`, w * 0.5),
    k.text(x + w, y + size, `debt ${team.technical_debt}${debt > 0 ? ` (+${debt})` : debt < 0 ? ` (−${-debt})` : ""}`, size, { anchor: "end", kind: debt > 0 ? "warn bold" : "bold" }),
  ];
  const top = y + size + (k.narrow ? 8 : 14);
  const played = shownCard(k.moved.get(seat)?.move), wide = k.narrow ? 20 : 30;
  if (played !== null) {
    parts.push(k.place(x + w * 0.36, y - (k.narrow ? 4 : 6), `card-${context.turn}-${seat}-${played}`, tile(scene, played, 0, 0, wide, wide, 0, { fresh: true })));
  }
  types.forEach(([count, card], index) => {
    const cx = x + (index % columns) * (cw + gap), cy = top + Math.floor(index / columns) * (ch + gap);
    const fresh = Boolean(earlier) && count > had[card];
    const drawn = [
      k.place(cx, cy, `hand-${seat}-${card}`, face(scene, card, cw, ch, count, fresh)),
      fresh && k.moved.has(seat) ? k.place(cx, cy, `desk-${context.turn}-${card}`, face(scene, card, cw, ch, count, fresh)) : null,
      k.place(cx, cy, `card-${context.turn + 1}-${seat}-${card}`),
    ];
    const token = `card ${card}`;
    parts.push(context.person === seat && offered?.next.has(token) ? el("g", clickOn(k, offered, token, `${NAMES[card]} in your hand`), drawn, k.rect(cx - 2, cy - 2, cw + 4, ch + 4, "ring legal", 7)) : drawn);
  });
  const piles = (hidden ? [["all cards", [...team.hand, ...team.draw, ...team.discard]]] : [["draw", team.draw], ["discard", team.discard], ["played", team.played], ["automated", team.automated]]).filter(([, cards]) => cards.length);
  const end = top + rows * (ch + gap);
  if (k.narrow) {
    const words = piles.map(([name, cards]) => `${name} ${cards.length}`).join(" · ");
    return [parts, k.fit(x, end + 9, [words, lasting].filter(Boolean).join(" · "), 11.5, w, { kind: "muted" })];
  }
  const pitch = Math.min(102, (584 - end) / piles.length);
  return [parts, piles.map(([name, cards], row) => pile(scene, name, cards, x, end + 8 + row * pitch, w, pitch - 32)), lasting ? k.fit(x, 610, `lasting: ${lasting}`, 18, w, { kind: "accent bold" }) : null];
}

function pile(scene, name, cards, x, y, w, h) {
  const { k } = scene;
  const types = tally(cards).map((count, card) => [count, card]).filter(([count]) => count);
  const step = Math.min(44, w / types.length);
  return [k.heading(x, y + 14, `${name} ${cards.length}`, w), types.map(([count, card], index) => tile(scene, card, x + index * step, y + 21, step - 3, h, count))];
}

/** The desks, who sits where, and what is asked. */
function circle(scene, [cx, cy, radius, r]) {
  const { el, k, view, before, offered, context } = scene;
  const turn = (desk) => ((desk * 45 - 90) * Math.PI) / 180;
  const spot = (desk, out = radius) => [cx + out * Math.cos(turn(desk)), cy + out * Math.sin(turn(desk))];
  const gate = [spot(7.5, radius - r * 0.7), spot(7.5, radius + r * 0.9)];
  const moving = offered && [...offered.next.keys()].some((each) => each.startsWith("desk "));
  const desks = view.desks.map((count, desk) => {
    const [x, y] = spot(desk);
    const change = before ? count - before.desks[desk] : 0, most = Math.max(5, count), token = `desk ${desk}`, legal = offered?.next.has(token);
    const drawn = [
      el("title", {}, `desk ${desk}, ${NAMES[desk]}: ${count} cards left`), legal ? k.circle(0, 0, r + 10, "glow") : null, k.circle(0, 0, r, `skill skill-${desk}`),
      change ? k.circle(0, 0, r + 1, "now") : null,
      k.text(0, -r * 0.34, desk, r * 0.52, { anchor: "middle", kind: "num" }), nameOf(k, desk, 0, r * 0.26, k.narrow ? 11 : 17, r * 2),
      [...Array(most).keys()].slice(0, 10).map((index) => k.rect((index - (Math.min(10, most) - 1) / 2) * r * 0.16 - r * 0.05, r * 0.46, r * 0.11, r * 0.22, index < count ? "left" : "gone", 1)),
      change ? k.text(r * 0.78, -r * 0.72, change > 0 ? `+${change}` : `−${-change}`, k.narrow ? 12 : 18, { anchor: "middle", kind: "accent bold" }) : null,
    ];
    if (!legal) return k.place(x, y, null, moving ? el("g", { class: "barred" }, drawn) : drawn);
    return el("g", { ...clickOn(k, offered, token, `Desk ${desk}, ${NAMES[desk]}`), transform: `translate(${k.at(x)} ${k.at(y)})` }, drawn, k.circle(0, 0, r + 3, "ring legal"));
  });
  const size = k.narrow ? 12 : 19, now = view.over ? "game over" : view.phase === "PLAY_CARD" ? `plays (${view.plays_left} left)` : view.phase === "THROW_CARD" ? `throws (${view.throws_left} left)` : PHASES[view.phase];
  return [
    k.circle(cx, cy, radius + r * 1.2, "floor"), el("circle", { cx, cy, r: radius, class: "walk", "stroke-width": k.at(r * 0.5) }), view.level >= 3 ? k.named("passing here costs two cards", k.line(...gate[0], ...gate[1], "gate")) : null,
    desks, view.desks.map((_, desk) => k.place(...spot(desk), `desk-${context.turn + 1}-${desk}`)), k.place(cx, cy, `desk-${context.turn + 1}-${BONUS}`), [0, 1].map((seat) => token(scene, seat, spot, [cx, cy, radius, r])),
    view.over ? null : k.badge(cx, cy - size * 2.1, view.seat, size * 0.85),
    k.fit(cx, cy - size * 0.2, now, size * 1.1, radius * 1.1, { anchor: "middle", kind: "bold" }),
    k.text(cx, cy + size * 1.25, `★ ${view.bonus_pool} bonus`, size, { anchor: "middle", kind: "muted" }), k.text(cx, cy + size * 2.5, `! ${view.debt_pool} debt`, size, { anchor: "middle", kind: "muted" }),
  ];
}

/** A team's token: outside the ring for seat 0, inside for seat 1; with its way from the last desk, and its reach. */
function token({ el, k, view, before }, seat, spot, [cx, cy, radius, r]) {
  const at = view.teams[seat].location, was = before ? before.teams[seat].location : at;
  const out = radius + (seat === 0 ? 1 : -1) * r * 1.24;
  const outside = [cx + (seat === 0 ? -1 : 1) * (radius + r * 0.9), cy + radius + r * 1.1];
  const [x, y] = at < 0 ? outside : spot(at, out);
  const parts = [];
  if (was >= 0 && at >= 0 && was !== at) {
    const steps = (at - was + 8) % 8, [x1, y1] = spot(was, out), [x2, y2] = spot(was + steps, out);
    parts.push(k.path(`M${k.at(x1)} ${k.at(y1)}A${k.at(out)} ${k.at(out)} 0 ${steps > 4 ? 1 : 0} 1 ${k.at(x2)} ${k.at(y2)}`, `step line-${seat}`));
  }
  parts.push(k.place(x, y, `team-${seat}`, el("title", {}, `${k.seatName(seat)} ${at < 0 ? "has not moved yet" : `is at desk ${at}`}`), k.moved.has(seat) ? k.circle(0, 0, r * 0.62, "glow") : null, k.badge(0, 0, seat, r * 0.36)));
  return parts;
}

/** Wait, random and the bonus pool, in the corners around the circle: quieter than desks and cards. */
function buttons({ el, k, offered }, [cx, cy, radius, r]) {
  const high = k.narrow ? 30 : 36, wide = k.narrow ? 62 : 88, reach = radius + r * 1.2 + (k.narrow ? 14 : 18), top = cy - radius - r * 1.2;
  const corners = { wait: [cx - reach, top], random: [cx + reach - wide, top], bonus: [cx - reach, cy + radius + r * 1.2 - high] };
  return Object.keys(corners).filter((name) => offered.next.has(name)).map((name) => {
    const [x, y] = corners[name];
    return el("g", clickOn(k, offered, name, name === "bonus" ? "Take a bonus card" : name), k.rect(x, y, wide, high, "button", 8), k.rect(x, y, wide, high, "area", 8), k.text(x + wide / 2, y + high * 0.68, name, k.narrow ? 13 : 17, { anchor: "middle", kind: "bold" }));
  });
}

export function pick(view, seat, picked, choices) {
  const { open } = steps(choices, picked);
  if (!open.length) return pick(view, seat, picked.slice(0, -1), choices);
  const answer = picked.length && open.length === 1 ? open[0] : null;
  const hints = { MOVE: picked.length ? "Click the desk to take a card from." : "Click the desk to move to.", THROW_CARD: "Click a card to throw.", GIVE_CARD: "Click a card to give.", PLAY_CARD: picked.length ? "Click what the card is played on." : "Click a card to play, or wait.", RELEASE: "Click an application to release, or wait." };
  return { picked, answer, complete: answer !== null, hint: hints[view.phase] || "Choose." };
}
