// The moves of Splendor: what an answer says, and which answers the clicks of a person can still become.

export const COLOURS = ["red", "green", "blue", "white", "black", "gold"];

/** What the last move was, from its text: kind, card, colours taken and returned. */
export function parse(move) {
  const [kind, operand, ...rest] = String(move).split(" ").map(Number);
  if (kind === 1) return { kind, card: 0, taken: rest.slice(0, operand), returned: rest.slice(operand) };
  if (kind === 2) return { kind, card: 0, taken: [operand, operand], returned: rest };
  if (kind === 3 || kind === 4) return { kind, card: operand, taken: [], returned: rest };
  return { kind: 0, card: 0, taken: [], returned: [] };
}

/** The last move in a few words. */
export function inWords(last) {
  const list = (colours) => colours.map((colour) => COLOURS[colour]).join(", ");
  const back = last.returned.length ? `, returns ${list(last.returned)}` : "";
  if (last.kind === 4) return `buys card ${last.card}`;
  if (last.kind === 3) return (last.card < 0 ? `reserves from deck ${-last.card}` : `reserves card ${last.card}`) + back;
  if (last.kind === 2) return `takes 2 ${COLOURS[last.taken[0]]}${back}`;
  if (last.kind === 1) return `takes ${last.taken.length ? list(last.taken) : "nothing"}${back}`;
  return "passes";
}

const parsed = new WeakMap();

/** The legal answers as moves. Every click looks at all of them, so they are kept as long as their list. */
function movesOf(choices) {
  if (!parsed.has(choices)) parsed.set(choices, choices.map((text) => ({ text, ...parse(text) })));
  return parsed.get(choices);
}

/** The legal answers that contain what was picked. */
export function candidates(picked, choices) {
  const took = [], returned = [];
  let kept = null, nothing = false;
  for (const token of picked) {
    const [word, number] = token.split(" ");
    if (word === "take") took.push(Number(number));
    else if (word === "return") returned.push(Number(number));
    else if (word === "keep") kept = Number(number);
    else nothing = true;
  }
  const within = (part, whole) => part.length <= whole.length && part.every((colour) => part.filter((each) => each === colour).length <= whole.filter((each) => each === colour).length);
  return movesOf(choices).filter((each) => {
    if (each.kind === 4 || !within(took, each.taken) || !within(returned, each.returned)) return false;
    if (kept !== null) return each.kind === 3 && each.card === kept;
    if (nothing) return each.kind === 1 && !each.taken.length;
    return took.length === 0 || each.kind !== 3;
  }).map((each) => ({ ...each, more: each.taken.length - took.length, owed: each.returned.length - returned.length }));
}

/** The card that was clicked, or a deck as its negative level; null without one. Any other click takes it back. */
export function chosenCard(picked) {
  const [word, number] = (picked.at(-1) ?? "").split(" ");
  return word === "card" ? Number(number) : null;
}

/** What can be clicked now. */
export function offer(view, context) {
  const chosen = chosenCard(context.picked || []), picked = chosen === null ? context.picked || [] : [];
  const buys = new Set(picked.length ? [] : movesOf(context.choices).filter((each) => each.kind === 4).map((each) => each.card));
  const possible = candidates(picked, context.choices);
  const missing = (all, word) => all.filter((colour, index) => all.slice(0, index + 1).filter((each) => each === colour).length > picked.filter((token) => token === `${word} ${colour}`).length);
  // Chips are given back once everything is taken, so that the hand to choose from is known.
  const begun = picked.length > 0;
  const takes = new Set(possible.flatMap((each) => (begun && each.kind === 3 ? [] : missing(each.taken, "take"))));
  const settled = begun && possible.some((each) => each.more === 0 && each.owed > 0);
  return {
    buys, takes, chosen,
    keeps: new Set(begun ? [] : possible.filter((each) => each.kind === 3).map((each) => each.card)),
    returns: new Set(settled ? possible.filter((each) => each.more === 0).flatMap((each) => missing(each.returned, "return")) : []),
    nothing: !begun && possible.some((each) => each.kind === 1 && !each.taken.length),
  };
}
