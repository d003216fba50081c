// Splendor for spectators: the table with its decks, cards, nobles and bank, and a panel per player.
//
// A person's move (context.choices is the list of legal answers, context.person the seat, context.picked the tokens so far):
// - a click on a card or a deck chooses it: token "card ID", or "card -LEVEL" for a deck. Then the strip above the table has what can
//   be done with it: "buy", with data-move "4 ID", and "reserve", with the token "keep ID";
// - everything that takes chips is composed of clicks: each element carries a token in data-pick, and pick() below turns the
//   tokens into an answer. Tokens: "take C" (a chip of the bank), "return C" (a chip to give back, offered while more than ten would
//   be held), "nothing" (take no chip at all).
// - pick(view, seat, picked, choices) returns {picked, answer, complete, hint}; "complete" is true once nothing can be added.
//   It knows no rule: it looks for the legal answers that the tokens so far are a part of.

import { COLOURS, candidates, chosenCard, inWords, offer, parse } from "./drawing-moves.js";
import { LETTERS, button, pieces, tag } from "./drawing-pieces.js";

export const style = `
.gem-0 { fill: #b8281f; } .gem-1 { fill: #18864d; } .gem-2 { fill: #1f5fc0; } .gem-3 { fill: #f6f3ea; } .gem-4 { fill: #26262b; } .gem-5 { fill: #e3b33b; }
.gem { stroke: color-mix(in srgb, var(--ink) 70%, transparent); stroke-width: 1.2; }
.gem-4.gem { stroke: #a9a9b3; }
.jewel { fill: #fff; fill-opacity: 0.3; stroke: #fff; stroke-width: 1.6; } .jewel-3 { fill: #000; fill-opacity: 0.1; stroke: #4a463c; }
.on-0, .on-1, .on-2, .on-4 { fill: #fff; font-weight: 800; } .on-3, .on-5 { fill: #111; font-weight: 800; }
.face-0 { fill: color-mix(in srgb, #b8281f 16%, var(--panel)); } .face-1 { fill: color-mix(in srgb, #18864d 16%, var(--panel)); }
.face-2 { fill: color-mix(in srgb, #1f5fc0 16%, var(--panel)); } .face-3 { fill: color-mix(in srgb, #a89f86 14%, var(--panel)); }
.face-4 { fill: color-mix(in srgb, #55555f 18%, var(--panel)); }
.edge { fill: none; stroke: color-mix(in srgb, var(--ink) 45%, transparent); stroke-width: 1.2; }
.back-1 { fill: #2f6b4f; } .back-2 { fill: #96660f; } .back-3 { fill: #2b4c86; }
.back-line { fill: none; stroke: #fff; opacity: 0.5; stroke-width: 1.5; }
.back-text { fill: #fff; font-weight: 800; }
.noble { fill: color-mix(in srgb, #8d6bb0 24%, var(--panel)); }
.crown { fill: #e3b33b; stroke: color-mix(in srgb, var(--ink) 70%, transparent); stroke-width: 1; }
.faint { opacity: 0.38; } .over { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
.button { fill: var(--accent); } .button-text { fill: var(--paper); font-weight: 800; }
`;

function facesOf(view) {
  return view ? [...view.rows.flat(), ...view.players.flatMap((player) => player.reserve)].filter(Boolean) : [];
}

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const p = pieces(el, k);
  const before = context.before;
  const mover = k.moves[0];
  const last = mover ? parse(mover.move) : null;
  const offered = context.choices ? offer(view, context) : null;
  const scene = { el, k, p, view, before, mover, last, offered, turn: context.turn, context };
  const n = view.players.length;
  const parts = [];
  if (k.narrow) {
    const down = context.person === undefined ? 0 : 42;  // room for the strip of actions
    const table = { deckX: 8, deckW: 46, cardX: 62, cardW: 78, cardH: 98, stepX: 83, stepY: 103, y: 88 + down, nobleX: 62, nobleW: 62, nobleH: 52, nobleStep: 66, nobleY: 30 + down };
    parts.push(strip(scene, 8, 27, 384, 36), drawTable(scene, table), drawBank(scene, (index) => [40 + index * 64, 429 + down], 25));
    const top = 466 + down, height = 148;
    view.players.forEach((player, seat) => parts.push(drawPlayer(scene, seat, 8, top + seat * (height + 8), 384, height)));
    return k.sheet(400, top + n * (height + 8), label(scene), k.text(8, 19, roundText(scene), 13, { kind: "bold" }), parts);
  }
  const table = { deckX: 16, deckW: 96, cardX: 126, cardW: 128, cardH: 194, stepX: 138, stepY: 205, y: 156, nobleX: 126, nobleW: 100, nobleH: 90, nobleStep: 111, nobleY: 54 };
  parts.push(strip(scene, 360, 6, 410, 40), drawTable(scene, table), drawBank(scene, (index) => [726, 210 + index * 104], 40));
  const height = Math.min(376, (766 - 12 * (n - 1)) / n);
  view.players.forEach((player, seat) => parts.push(drawPlayer(scene, seat, 784, 8 + seat * (height + 12), 486, height)));
  return k.sheet(1280, 780, label(scene), k.text(16, 34, roundText(scene), 22, { kind: "bold" }), parts);
}

/** What can be done with the card that was clicked, or without one: one row that covers nothing. */
function strip({ el, k, offered }, x, y, w, h) {
  if (!offered) return null;
  const card = offered.chosen, what = card < 0 ? `the top card of the level ${-card} deck` : `card ${card}`;
  const actions = card === null ? [] : [
    offered.buys.has(card) && ["buy", { move: `4 ${card}` }, `Buy ${what}`], offered.keeps.has(card) && ["reserve", { token: `keep ${card}` }, `Reserve ${what}`],
  ].filter(Boolean);
  if (card === null && offered.nothing) actions.push(["take no chip", { token: "nothing" }, "Take no chip", true]);
  const wide = w / 3 - 6, name = card === null ? "" : card < 0 ? `level ${-card} deck` : `card ${card}`;
  return [
    actions.map(([action, does, title, quiet], index) => button(k, el, x + w - (actions.length - index) * (wide + 6), y, wide, h, action, does, title, quiet)),
    name ? k.fit(x + w - actions.length * (wide + 6) - 8, y + h * 0.66, name, k.narrow ? 14 : 20, w / 3, { anchor: "end", kind: "bold" }) : null,
  ];
}

/** A card or deck that can be clicked: outlined if it can be bought, or was chosen. */
function clickable({ el, k, offered }, id, title, drawn, [x, y, w, h]) {
  if (!offered?.keeps.has(id) && !offered?.buys.has(id)) return drawn;
  const picked = offered.chosen === id;
  return el("g", k.choice(title, { token: `card ${id}`, picked }), drawn, k.rect(x, y, w, h, "area", w * 0.07), picked || offered.buys.has(id) ? k.rect(x - 2, y - 2, w + 4, h + 4, "ring", w * 0.07) : null);
}

/** The round of the move just played, as everywhere on the page; for a person who is to move, that of their move. */
function roundText({ view, before, context }) {
  if (view.over) return `Game over after round ${view.round}`;
  return `Round ${context.choices || !before ? view.round : before.round}` + (view.last_round ? " · last round" : ` · to ${view.goal} points`);
}

function label({ view, k, ...scene }) {
  const scores = view.players.map((player, seat) => `${k.seatName(seat)} ${player.points} points`).join(", ");
  return `Splendor, ${roundText({ view, ...scene })}: ${scores}${k.moves[0] ? `; ${k.seatName(k.moves[0].seat)} ${inWords(parse(k.moves[0].move))}` : ""}`;
}

/** Decks, cards and nobles. */
function drawTable(scene, g) {
  const { k, p, view, before, last } = scene;
  const known = new Set(facesOf(before).map((card) => card.id));
  const parts = [k.heading(g.deckX, g.nobleY + g.nobleH * 0.45, "Nobles", g.deckW + 10)];
  view.nobles.forEach((noble, index) => parts.push(p.noble(g.nobleX + index * g.nobleStep, g.nobleY, g.nobleW, g.nobleH, noble)));
  const slots = [];
  for (const level of [3, 2, 1]) {
    const y = g.y + (3 - level) * g.stepY;
    const back = p.back(g.deckX, y, g.deckW, g.cardH, level, view.decks[level - 1], { key: `deck-${level}`, fresh: last?.kind === 3 && last.card === -level });
    slots.push(clickable(scene, -level, `Level ${level} deck`, back, [g.deckX, y, g.deckW, g.cardH]));
    view.rows[level - 1].forEach((card, index) => {
      const x = g.cardX + index * g.stepX;
      slots.push(k.rect(x, y, g.cardW, g.cardH, "hollow", g.cardW * 0.07));
      if (card) slots.push(clickable(scene, card.id, `Card ${card.id}`, p.card(x, y, g.cardW, g.cardH, card, { fresh: Boolean(before) && !known.has(card.id) }), [x, y, g.cardW, g.cardH]));
    });
  }
  return [parts, slots];
}

/** The bank; taken chips start their way to a player here. */
function drawBank({ el, k, p, view, before, offered, turn, context }, spot, r) {
  const chips = view.bank.map((count, colour) => {
    const [x, y] = spot(colour);
    const change = before ? count - before.bank[colour] : 0;
    const taken = (context.picked || []).filter((token) => token === `take ${colour}`).length;
    const drawn = [
      el("title", {}, `${count} ${COLOURS[colour]} in the bank`),
      count > 2 ? k.place(0, k.narrow ? 4 : 6, null, k.circle(0, 0, r, "panel"), k.circle(0, 0, r, "edge")) : null,
      count ? p.chip(colour, r, LETTERS[colour]) : [k.circle(0, 0, r, "hollow"), k.text(0, r * 0.34, LETTERS[colour], r * 0.96, { anchor: "middle", kind: "muted bold" })],
      tag(el, k, r * 0.82, r * 0.78, count, k.narrow ? 12 : 18),
      change ? k.text(-r * 0.98, -r * 0.76, signed(change), k.narrow ? 12 : 20, { anchor: "middle", kind: "accent bold" }) : null,
    ];
    if (!offered?.takes.has(colour) && !taken) return k.place(x, y, null, drawn);
    const attributes = k.choice(`Take a ${COLOURS[colour]} chip`, { token: `take ${colour}`, picked: taken > 0 });
    return el("g", { ...attributes, transform: `translate(${k.at(x)} ${k.at(y)})` }, drawn, k.circle(0, 0, r + 5, "ring"), taken ? k.text(0, r * 0.2 - r * 1.3, `${taken} taken`, k.narrow ? 12 : 17, { anchor: "middle", kind: "bold over" }) : null);
  });
  const pads = view.bank.flatMap((_, colour) => [0, 1].map((index) => k.place(...spot(colour), `fly-${turn + 1}-${colour}-${index}`)));
  const [x, y] = spot(0);
  const head = k.narrow ? null : k.heading(x, y - r - 30, "Bank", 120, { anchor: "middle" });
  return [head, chips, pads];
}

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
const signed = (change) => (change > 0 ? `+${change}` : `−${-change}`);

/** Whether nobody has more points, nor as many with fewer cards; without enough points, nobody wins. */
const wins = ({ players, goal }, { points, cards }) => points >= goal
  && players.every((each) => each.points < points || (each.points === points && each.cards.length >= cards.length));

/** One player: plate, bonuses and chips by colour, reserve, nobles, and the card just bought. */
function drawPlayer({ el, k, p, view, before, mover, last, offered, turn, context }, seat, x, y, w, h) {
  const player = view.players[seat], earlier = before?.players[seat];
  const mine = mover?.seat === seat;
  const plateH = k.narrow ? 42 : Math.min(76, h * 0.3);
  const low = k.narrow ? 58 : Math.min(164, h * 0.42);
  const middle = y + plateH + (h - plateH - low) / 2;
  const column = w / 6;
  const tall = h > 280;  // room for the bonuses above the chips instead of beside them
  const r = k.narrow ? 13 : tall ? 25 : 18;
  const size = k.narrow ? 13 : r;
  const held = player.chips.reduce((sum, count) => sum + count, 0);
  const parts = [
    k.rect(x, y, w, h, "panel", 8),
    k.plate(x, y, w, plateH, seat, {
      score: player.points, unit: k.narrow ? "" : "pts", state: view.over && wins(view, player) ? "winner" : "",
      detail: mine ? inWords(last) : view.seat === seat ? "to move" : `${counted(player.cards.length, "card")} · ${counted(held, "chip")}`,
    }),
  ];
  for (let colour = 0; colour < 6; colour += 1) {
    const left = x + colour * column;
    const change = earlier ? player.chips[colour] - earlier.chips[colour] : 0;
    const grown = earlier && colour < 5 && player.bonuses[colour] > earlier.bonuses[colour];
    const bonus = colour < 5 ? player.bonuses[colour] : 0;
    const bw = r * (tall ? 2.2 : 1.35), bh = r * (tall ? 1.6 : 1.9);
    const bx = tall ? left + (column - bw) / 2 : left + column * 0.1, by = tall ? middle - 6 - bh : middle - bh / 2;
    if (colour < 5) {
      parts.push(el(
        "g", { class: bonus ? null : "faint" }, el("title", {}, `${bonus} ${COLOURS[colour]} cards`),
        k.rect(bx, by, bw, bh, `gem gem-${colour}`, 4),
        k.text(bx + bw / 2, by + bh / 2 + size * 0.36, bonus, size, { anchor: "middle", kind: `on-${colour}` }),
        grown ? k.rect(bx - 3, by - 3, bw + 6, bh + 6, "now", 6) : null,
      ));
    }
    if (colour === 5 && tall) parts.push(k.text(left + column / 2, by + bh / 2 + 6, "bonus", 18, { anchor: "middle", kind: "muted" }));
    const cx = left + column * (colour < 5 && !tall ? 0.7 : 0.5), cy = tall ? middle + 34 : middle;
    const count = player.chips[colour];
    const returning = context.person === seat && offered?.returns.has(colour);
    const chip = [
      el("title", {}, `${count} ${COLOURS[colour]} chips`), p.chip(colour, r, count),
      change > 0 ? k.circle(0, 0, r + 2.5, "now") : null,
      change ? k.text(Math.min(left + column - cx - 1, r * 2.1), -r * 0.92, signed(change), k.narrow ? 11.5 : Math.min(18, r), { anchor: "end", kind: "accent bold" }) : null,
      returning ? k.circle(0, 0, r + 5, "ring") : null,
    ];
    const kind = returning ? k.choice(`Return a ${COLOURS[colour]} chip`, { token: `return ${colour}` }) : { class: count || change ? null : "faint" };
    parts.push(el("g", { ...kind, transform: `translate(${k.at(cx)} ${k.at(cy)})` }, chip));
    if (mine && last.taken.includes(colour)) {
      [0, 1].slice(0, last.taken.filter((each) => each === colour).length).forEach((index) =>
        parts.push(k.place(cx, cy, `fly-${turn}-${colour}-${index}`, p.chip(colour, r, count))));
    }
    if (mine && last.kind === 3 && colour === 5 && change > 0) parts.push(k.place(cx, cy, `fly-${turn}-5-0`, p.chip(5, r, count)));
  }
  parts.push(drawKept({ el, k, p, view, before, mine, last, offered, context }, seat, x, y + h - low, w, low - (k.narrow ? 6 : 8)));
  return parts;
}

/** The reserve, the nobles, and the card just bought. Nobles come before empty places of the reserve, and before that card. */
function drawKept({ el, k, p, view, before, mine, last, offered, context }, seat, x, y, w, h) {
  const player = view.players[seat], earlier = before?.players[seat];
  const slotW = w * 0.185, gap = w * 0.015, count = player.nobles.length;
  const nobleW = Math.min(h * 1.15, slotW * 0.82), nobles = count * (nobleW + 4);
  const end = (slots) => x + gap * 1.5 + slots * (slotW + gap), room = (slots, rest) => x + w - gap - rest - end(slots);
  const card = mine && last.kind === 4 ? facesOf(before).find((each) => each.id === last.card) : null;
  const bought = card && (!count || room(player.reserve.length, slotW + gap) >= nobles) ? card : null, rest = bought ? slotW + gap : 0;
  const slots = [3, 2, 1, 0].find((each) => each === player.reserve.length || room(each, rest) >= nobles);
  const parts = [...Array(slots).keys()].map((index) => kept(index, end(index)));

  function kept(index, left) {
    const card = player.reserve[index];
    if (!card) return [k.rect(left, y, slotW, h, "hollow", 6), k.fit(left + slotW / 2, y + h / 2 + 5, "reserve", k.narrow ? 11 : 19, slotW, { anchor: "middle", kind: "muted" })];
    const fresh = mine && last.kind === 3 && index === player.reserve.length - 1;
    const hidden = card.secret && context.reveal === false && context.person !== seat;
    const drawn = hidden ? p.back(left, y, slotW, h, card.level, null, { key: `hidden-${seat}-${index}`, fresh }) : p.card(left, y, slotW, h, card, { fresh, secret: card.secret });
    return context.person === seat ? clickable({ el, k, offered }, card.id, `Card ${card.id} of the reserve`, drawn, [left, y, slotW, h]) : drawn;
  }

  const step = Math.min(nobleW + 4, (room(slots, rest) - nobleW) / Math.max(1, count - 1));
  const had = new Set((earlier ? earlier.nobles : player.nobles).map((noble) => noble.id));
  player.nobles.forEach((noble, index) => parts.push(p.noble(end(slots) + index * step, y, nobleW, h, noble, { fresh: !had.has(noble.id) })));
  if (bought) parts.push(p.card(x + w - gap - slotW, y, slotW, h, bought, { fresh: true }));
  return parts;
}

export function pick(view, seat, picked, choices) {
  const card = chosenCard(picked), tokens = picked.filter((token) => !token.startsWith("card "));
  if (card !== null && picked.filter((token) => token === `card ${card}`).length < 2) return { picked: [`card ${card}`], answer: null, complete: false, hint: "Buy or reserve it, or click it again." };
  return composed(view, seat, tokens, choices);
}

function composed(view, seat, picked, choices) {
  const possible = candidates(picked, choices);
  if (!possible.length) return composed(view, seat, picked.slice(0, -1), choices);
  const whole = picked.length ? possible.find((each) => each.more === 0 && each.owed === 0) : undefined;
  const complete = Boolean(whole) && possible.every((each) => each.more === 0 && each.owed === 0);
  const owed = possible.filter((each) => each.more === 0 && each.owed > 0);
  const hint = !picked.length ? "Take chips from the bank, or click a card or a deck."
    : complete ? "The move is complete."
    : owed.length ? `Return ${owed[0].owed} of your chips${possible.some((each) => each.more > 0) ? ", or take another" : ""}.`
    : whole ? "Take another chip, or play this." : "Take another chip.";
  return { picked, answer: whole ? whole.text : null, complete, hint };
}
