// Works towards the nearest application. It walks to the desk whose card helps that application most, keeps away from
// the other team so as not to give cards away, plays cards that draw cards or improve the deck as long as the
// release of this turn does not suffer, and releases the application that leaves the least technical debt.
// Written for a site that offers a global, blocking readline(); elsewhere: node -r readline.js sensible.js

const TRAINING = 0, CODING = 1, DAILY_ROUTINE = 2, TASK_PRIORITIZATION = 3, ARCHITECTURE_STUDY = 4;
const CONTINUOUS_INTEGRATION = 5, CODE_REVIEW = 6, REFACTORING = 7, BONUS = 8, TECHNICAL_DEBT = 9;
const NAMES = ["TRAINING", "CODING", "DAILY_ROUTINE", "TASK_PRIORITIZATION", "ARCHITECTURE_STUDY",
  "CONTINUOUS_INTEGRATION", "CODE_REVIEW", "REFACTORING", "BONUS", "TECHNICAL_DEBT"];
const DESKS = 8;
const COPIES = 5;
const MOST_DEBT = [3, 3, 3, 3, 0]; // accepted for a release, by the number of releases so far
const WORTH_OWNING = { [ARCHITECTURE_STUDY]: 3, [CONTINUOUS_INTEGRATION]: 3, [TRAINING]: 1 }; // once they can be played

const numbersOf = (line) => line.split(" ").slice(1).map(Number);
const plus = (cards, card, count = 1) => cards.map((held, type) => held + (type === card ? count : 0));
const both = (some, others) => some.map((held, type) => held + others[type]);

function readState(phase) {
  const applications = [];
  for (let count = parseInt(readline()); count > 0; count--) {
    const [id, ...needs] = numbersOf(readline());
    applications.push({ id, needs });
  }
  const teams = [0, 1].map(() => {
    const [location, score, routines, studies] = readline().split(" ").map(Number);
    return { location, score, routines, studies };
  });
  const piles = {};
  for (let count = parseInt(readline()); count > 0; count--) {
    const line = readline();
    piles[line.split(" ")[0]] = numbersOf(line);
  }
  const actions = [];
  for (let count = parseInt(readline()); count > 0; count--) actions.push(readline());
  const pile = (name) => piles[name] || new Array(10).fill(0);
  const everywhere = Object.values(piles).reduce(both);
  // The level is not sent, but only level 1 has just small applications, and only level 2 has both kinds.
  const big = applications.every(({ needs }) => Math.max(...needs) > 2);
  const small = applications.every(({ needs }) => Math.max(...needs) <= 2);
  return {
    phase, applications, actions, me: teams[0], rival: teams[1],
    hand: pile("HAND"), automated: pile("AUTOMATED"),
    mine: ["HAND", "DRAW", "DISCARD", "PLAYED_CARDS", "AUTOMATED"].map(pile).reduce(both),
    isOpen: (desk) => everywhere[desk] < COPIES,
    playable: small ? [] : big ? [0, 1, 2, 3, 4, 5, 6, 7] : [TRAINING, ARCHITECTURE_STUDY, CODE_REVIEW, REFACTORING],
    giving: !small, throwing: big,
  };
}

// Skills still missing for an application with these cards, after BONUS cards are applied.
function missing(application, cards) {
  const lacking = application.needs.map((need, skill) => Math.max(0, need - 2 * cards[skill]));
  return Math.max(0, lacking.reduce((a, b) => a + b) - cards[BONUS]);
}

// The least debt of a release with this hand, or Infinity if none is possible or acceptable.
function leastDebt(state, hand) {
  const cards = both(hand, state.automated);
  const shoddy = cards.slice(0, DESKS).reduce((a, b) => a + b) * 2 + cards[BONUS];
  const most = Math.min(shoddy, MOST_DEBT[state.me.score]);
  const costs = state.applications.map((application) => missing(application, cards)).filter((cost) => cost <= most);
  return Math.min(...costs);
}

// A release now counts most; every debt card reduces its value.
function releaseValue(state, hand) {
  const debt = leastDebt(state, hand);
  return debt === Infinity ? 0 : 20 - 4 * debt;
}

// How much one more such card would help the application that is nearest with all the cards owned.
function usefulness(state, card) {
  if (card === BONUS) return 2;
  let best = 0;
  for (const application of state.applications) {
    const before = missing(application, state.mine);
    const need = application.needs[card] - 2 * state.automated[card];
    if (need <= 0) continue;
    const helps = before - missing(application, plus(state.mine, card));
    best = Math.max(best, (1 + 2 * helps) / (1 + before));
  }
  const copies = state.mine[card];
  return 2 * best + (state.playable.includes(card) ? (WORTH_OWNING[card] || 0) / (1 + copies) : 0) - copies / 2;
}

const distance = (a, b) => Math.min((a - b + DESKS) % DESKS, (b - a + DESKS) % DESKS);
const typesIn = (hand) => hand.map((_, type) => type).filter((type) => hand[type] > 0 && type < TECHNICAL_DEBT);

// The card to give up: protect the release of this turn first, then give the least useful card.
function spareCard(state, hand) {
  const regret = (card) => usefulness(state, card) - releaseValue(state, plus(hand, card, -1));
  return typesIn(hand).sort((a, b) => regret(a) - regret(b))[0];
}

function afterLosing(state, count) {
  let hand = state.hand;
  for (; count > 0 && typesIn(hand).length > 0; count--) hand = plus(hand, spareCard(state, hand), -1);
  return hand;
}

function chooseMove(state) {
  const { me, rival } = state;
  let best = null;
  for (const action of state.actions) {
    if (action === "RANDOM") continue;
    const [target, desk = target] = numbersOf(action);
    const card = state.isOpen(desk) ? desk : BONUS;
    const gives = state.giving && rival.location >= 0 && distance(target, rival.location) <= 1 ? 1 : 0;
    const throws = state.throwing && target < me.location ? 2 : 0;
    const hand = plus(afterLosing(state, gives + throws), card);
    const value = releaseValue(state, hand) + usefulness(state, card) - 2 * (gives + throws);
    if (best === null || value > best.value) best = { action, value, card, gives, hand };
  }
  const debt = leastDebt(state, best.hand);
  const aim = debt === Infinity ? "for later" : `to release with ${debt} debt`;
  return [best.action, `takes ${NAMES[best.card]} ${aim}${best.gives ? ", although it must give a card" : ""}`];
}

function chooseLoss(state) {
  const card = spareCard(state, state.hand);
  return [`${state.phase === "GIVE_CARD" ? "GIVE" : "THROW"} ${card}`, `misses ${NAMES[card]} least`];
}

// The value of a play apart from the release of this turn; below zero, do not play it.
function playValue(state, card, named) {
  switch (card) {
    case CONTINUOUS_INTEGRATION: return named === BONUS ? 9 : 6 + usefulness(state, named);
    case ARCHITECTURE_STUDY: return 7;
    case TRAINING: return 6;
    case CODING: return 5;
    case CODE_REVIEW: return 3;
    case REFACTORING: return state.hand[TECHNICAL_DEBT] > 0 ? 2.5 : -1;
    case DAILY_ROUTINE: return 1;
    default: return 0;
  }
}

function choosePlay(state) {
  let best = { action: "WAIT", value: 0, why: "plays nothing: nothing helps" };
  const now = releaseValue(state, state.hand);
  for (const action of state.actions) {
    const card = NAMES.indexOf(action.split(" ")[0]);
    if (card < 0) continue;
    const [first, second] = numbersOf(action);
    let hand = plus(state.hand, card, -1);
    if (card === TASK_PRIORITIZATION) hand = plus(plus(hand, first, -1), state.isOpen(second) ? second : BONUS);
    const value = playValue(state, card, first) + releaseValue(state, hand) - now;
    if (value > best.value) best = { action, value, why: `plays ${NAMES[card]}, worth ${value.toFixed(1)}` };
  }
  return [best.action, best.why];
}

function chooseRelease(state) {
  const cards = both(state.hand, state.automated);
  let best = null;
  for (const action of state.actions) {
    if (!action.startsWith("RELEASE")) continue;
    const [id] = numbersOf(action);
    const debt = missing(state.applications.find((application) => application.id === id), cards);
    if (best === null || debt < best.debt) best = { action, debt };
  }
  if (best.debt > MOST_DEBT[state.me.score]) return ["WAIT", `waits: the cheapest release costs ${best.debt} debt`];
  return [best.action, `releases with ${best.debt} debt`];
}

const CHOICES = {
  MOVE: chooseMove, THROW_CARD: chooseLoss, GIVE_CARD: chooseLoss, PLAY_CARD: choosePlay, RELEASE: chooseRelease,
};

// game loop
while (true) {
  const phase = readline();
  if (phase === undefined) break;
  const [action, why] = CHOICES[phase](readState(phase));
  console.error(`kibitz ${why}`);
  console.log(action);
}
