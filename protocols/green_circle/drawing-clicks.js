// A person's move in Green Circle: the clicks that spell each action.

import { SKILLS } from "./drawing-cards.js";

/** The clicks that spell each choice. */
function clicks(choice) {
  const [verb, ...numbers] = choice.split(" ");
  if (verb === "MOVE") return [`desk ${numbers[0]}`, `desk ${numbers[1] ?? numbers[0]}`];
  if (verb === "GIVE" || verb === "THROW") return [`card ${numbers[0]}`];
  if (verb === "RELEASE") return [`app ${numbers[0]}`];
  if (verb === "TASK_PRIORITIZATION") return ["card 3", `card ${numbers[0]}`, numbers[1] === "8" ? "bonus" : `desk ${numbers[1]}`];
  const card = SKILLS.indexOf(verb);
  if (card >= 0) return [`card ${card}`, ...numbers.map((number) => `card ${number}`)];
  return [verb.toLowerCase()];
}

/** What can be clicked after these clicks: by token, the choices that are still open. */
export function steps(choices, picked) {
  const next = new Map();
  const open = choices.map((choice) => [choice, clicks(choice)]).filter(([, way]) => picked.every((token, index) => way[index] === token));
  for (const [choice, way] of open) {
    if (way.length <= picked.length) continue;
    const token = way[picked.length];
    next.set(token, [...(next.get(token) || []), choice]);
  }
  return { next, open: open.map(([choice]) => choice) };
}

export function clickOn(k, offered, token, label) {
  const open = offered.next.get(token);
  return open.length === 1 ? k.choice(`${label}: ${open[0]}`, { move: open[0] }) : k.choice(label, { token });
}
