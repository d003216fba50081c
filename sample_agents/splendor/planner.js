#!/usr/bin/env node
// Plans by turns. For every pair of visible cards it estimates how many turns it takes to buy the first and then,
// helped by its bonus, the second; the plan that brings most per turn determines the target. It then buys the
// target, or takes the chips it lacks, or reserves it when a rival is about to buy it or the bank has nothing for it.
"use strict";

// Cards 1 to 90: the points, then the price in red, green, blue, white and black. Bonus colours follow that order too.
const CARDS = `
000030 030000 000003 000300 003000 001200 000120 000012 020001 012000
100040 100004 140000 104000 100400 020020 020200 002002 000202 002020
001111 010111 011011 011101 011110 001121 010112 021011 012101 011210
001022 020102 022010 002201 010220 010013 001310 013100 000131 031001
200005 205000 200500 250000 200050 360000 306000 300600 300060 300006
200035 203500 200350 250003 235000 202410 200241 210024 241002 224100
120023 100322 132200 123002 102230 120303 132030 103203 130320 103032
407000 400700 400070 400007 470000 537000 503700 500370 500037 570003
436300 403630 400363 430036 463003 303533 330353 333035 353303 335330`.trim().split(/\s+/).map((word, index) => {
  const [points, ...price] = Array.from(word, Number);
  return { id: index + 1, colour: index % 5, points, price };
});
const NOBLES = "44000 04400 00440 00044 40004 33300 03330 00333 30033 33003".split(" ")
  .map((word) => Array.from(word, Number));
const NAMES = ["red", "green", "blue", "white", "black", "gold"];
const COLOURS = [0, 1, 2, 3, 4];
const GOLD = 5;
const NEVER = 99;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const byMost = (colours, amounts) => [...colours].sort((a, b) => amounts[b] - amounts[a] || a - b);

// The state that starts at tokens[0], and how many tokens it has; null if they end too early.
function parse(tokens) {
  let at = 0;
  const number = () => Number(tokens[at++]);
  const several = (count) => Array.from({ length: count }, number);
  const listed = () => several(number());
  const [players, me] = several(2);
  number(); // the round
  const bank = several(6);
  const rows = [several(5), several(5), several(5)];
  const nobles = listed().map((id) => NOBLES[id - 1]);
  const hands = [];
  for (let seat = 0; seat < players && at < tokens.length; seat++) {
    hands.push({ chips: several(6), cards: listed(), reserve: listed(), nobles: listed() });
  }
  if (hands.length < players || !(players > 0) || at > tokens.length) return null;
  for (const hand of hands) {
    hand.bonus = COLOURS.map((colour) => hand.cards.filter((id) => (id - 1) % 5 === colour).length);
    hand.points = sum(hand.cards.map((id) => CARDS[id - 1].points)) + 3 * hand.nobles.length;
  }
  const board = rows.flatMap((row) => row.slice(1)).filter((id) => id > 0);
  const mine = hands[me - 1];
  const inSight = [...board, ...mine.reserve].map((id) => CARDS[id - 1]);
  const rivals = hands.filter((hand) => hand !== mine);
  return { used: at, bank, decks: rows.map((row) => row[0]), board, nobles, mine, rivals, inSight };
}

const needs = (card, bonus) => COLOURS.map((c) => Math.max(0, card.price[c] - bonus[c]));
const lacks = (card, bonus, chips) => needs(card, bonus).map((need, c) => Math.max(0, need - chips[c]));
const canBuy = (card, hand) => sum(lacks(card, hand.bonus, hand.chips)) <= hand.chips[GOLD];

// Turns of collecting before the card can be bought, if the bank does not change. Gold comes only with reservations.
function turnsToCollect(card, bonus, chips, bank, reservations) {
  if (sum(needs(card, bonus)) > 10) return NEVER;
  const open = lacks(card, bonus, chips);
  const piles = [...bank];
  let gold = chips[GOLD];
  for (let turns = 0; ; turns++) {
    if (sum(open) <= gold) return turns;
    const wanted = byMost(COLOURS.filter((c) => open[c] && piles[c]), open).slice(0, 3);
    if (wanted.length === 0) {
      if (piles[GOLD]-- <= 0 || reservations-- <= 0) return NEVER;
      gold++;
    }
    const twice = wanted.length === 1 && open[wanted[0]] >= 2 && piles[wanted[0]] >= 4;
    for (const c of wanted) {
      open[c] -= twice ? 2 : 1;
      piles[c] -= twice ? 2 : 1;
    }
  }
}

// The value of a card to a player with these bonuses: points, the noble it attracts, progress towards others, and what
// its bonus will save on the visible cards; savings count less near the end of the game.
function worth(card, bonus, state, lead) {
  const later = Math.max(0, 1 - lead / 15);
  let value = card.points;
  for (const noble of state.nobles) {
    if (noble[card.colour] <= bonus[card.colour]) continue;
    const distance = sum(COLOURS.map((c) => Math.max(0, noble[c] - bonus[c])));
    value += distance === 1 ? 3 : 1.5 / distance;
  }
  const savings = sum(state.inSight.map((other) =>
    other !== card && other.price[card.colour] > bonus[card.colour] ? 0.05 + 0.05 * other.points : 0));
  return value + later * (0.5 + savings);
}

// The best plan: a first card, the card after it, and what the two bring per turn.
function makePlan(state) {
  const { mine, bank } = state;
  const lead = Math.max(mine.points, ...state.rivals.map((rival) => rival.points));
  const free = 3 - mine.reserve.length;
  let best = null;
  for (const first of state.inSight) {
    const turns = turnsToCollect(first, mine.bonus, mine.chips, bank, free);
    if (turns === NEVER) continue;
    const bonus = mine.bonus.map((count, c) => count + (c === first.colour ? 1 : 0));
    const price = needs(first, mine.bonus);
    const left = mine.chips.map((count, c) => Math.max(0, count - (price[c] || 0)));
    left[GOLD] = Math.max(0, mine.chips[GOLD] - sum(lacks(first, mine.bonus, mine.chips)));
    const piles = bank.map((count, c) => count + mine.chips[c] - left[c]);
    const alone = worth(first, mine.bonus, state, lead);
    const plan = { first, second: null, turns, rate: alone / (turns + 1.3) };
    for (const second of state.inSight) {
      if (second === first) continue;
      const more = turnsToCollect(second, bonus, left, piles, free);
      const rate = (alone + worth(second, bonus, state, lead)) / (turns + more + 2.3);
      if (rate > plan.rate) Object.assign(plan, { second, rate });
    }
    if (!best || plan.rate > best.rate) best = plan;
  }
  return best;
}

// Colours to take: what the target lacks, then what the next card lacks, then anything while it fits.
function chipsToward(plan, state) {
  const { mine, bank } = state;
  const open = lacks(plan.first, mine.bonus, mine.chips);
  const useful = byMost(COLOURS.filter((c) => open[c] && bank[c]), open).slice(0, 3);
  if (useful.length === 1 && open[useful[0]] >= 2 && bank[useful[0]] >= 4) {
    return { useful, colours: [useful[0], useful[0]] };
  }
  const next = plan.second ? lacks(plan.second, mine.bonus, mine.chips) : [0, 0, 0, 0, 0];
  const colours = [...useful];
  for (const c of [...byMost(COLOURS.filter((c) => next[c]), next), ...byMost(COLOURS, bank)]) {
    if (colours.length < 3 && sum(mine.chips) + colours.length < 10 && bank[c] && !colours.includes(c)) colours.push(c);
  }
  return { useful, colours };
}

// The action, followed by the chips above ten that the plan needs least.
function withReturns(action, gained, plan, mine) {
  const chips = [...mine.chips];
  for (const c of gained) chips[c]++;
  const [first, second] = [plan.first, plan.second].map((card) => (card ? needs(card, mine.bonus) : [0, 0, 0, 0, 0]));
  while (sum(chips) > 10) {
    const surplus = chips.map((count, c) => 4 * (count - first[c]) - second[c]);
    const colour = byMost(COLOURS.filter((c) => chips[c]), surplus)[0];
    chips[colour]--;
    action.push(colour);
  }
  return action;
}

function choose(state) {
  const { mine, bank, rivals, board, decks } = state;
  const plan = makePlan(state) || { first: { id: 0, price: [0, 0, 0, 0, 0] }, second: null, turns: NEVER, rate: 0 };
  const target = plan.first;
  const then = plan.second ? `, then card ${plan.second.id}` : "";
  const about = target.id === 0 ? "plan: none, no card is in reach" :
    `plan: card ${target.id} in ${plan.turns + 1} turns${then}, ${plan.rate.toFixed(2)} a turn`;
  if (plan.turns === 0) return { action: [4, target.id], about, why: `buys card ${target.id}` };

  const { useful, colours } = chipsToward(plan, state);
  const gold = bank[GOLD] ? [GOLD] : [];
  if (mine.reserve.length < 3) {
    const threatened = board.includes(target.id) && target.points >= 2 && rivals.some((rival) => canBuy(target, rival));
    const stuck = gold.length > 0 && useful.length === 0;
    if (board.includes(target.id) && (threatened || stuck)) {
      const why = `reserves card ${target.id}: ${threatened ? "a rival could buy it" : "no chip in the bank for it"}`;
      return { action: withReturns([3, target.id], gold, plan, mine), about, why };
    }
    const level = [3, 2, 1].find((level) => decks[level - 1] > 0);
    if (stuck && level) {
      const why = `reserves blind from deck ${level} for the gold`;
      return { action: withReturns([3, -level], gold, plan, mine), about, why };
    }
  }
  const taken = colours.map((c) => NAMES[c]).join(", ") || "nothing";
  const start = colours.length === 2 && colours[0] === colours[1] ? [2, colours[0]] : [1, colours.length, ...colours];
  return { action: withReturns(start, colours, plan, mine), about, why: `takes ${taken}` };
}

function answer(state) {
  const { action, about, why } = choose(state);
  process.stderr.write(`kibitz score ${state.mine.points}; ${why}\nkibitz ${about}\n`);
  process.stdout.write(action.join(" ") + "\n");
}

// A state is answered as soon as its last token is complete, without waiting for the end of the input.
const tokens = [];
let tail = "";
function feed(text) {
  const parts = (tail + text).split(/\s+/);
  tail = parts.pop();
  tokens.push(...parts.filter(Boolean));
  for (let state = parse(tokens); state; state = parse(tokens)) {
    tokens.splice(0, state.used);
    answer(state);
  }
}
process.stdin.setEncoding("utf8");
process.stdin.on("data", feed);
process.stdin.on("end", () => feed("\n"));
