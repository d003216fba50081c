// Runs a protocol's drawing.js over positions given on standard input, one JSON object per line, and prints one per line. The
// first line is a JSON string: a module whose default export has drawing.js and shapes.js.
//   {"view", "context"}           -> the tree of the drawing
//   {"view", "context", "reach"}  -> what a person can answer by clicking: {"answers": [...], "states": N}
// Everything given to the drawing is frozen and it is called twice, so that a drawing that is not a pure function fails; and once more
// with what the positions before it left to same(), which must change nothing.
import { readFileSync } from "node:fs";

const [text, ...lines] = readFileSync(0, "utf8").split("\n").filter(Boolean);
const { default: modules } = await import(`data:text/javascript;base64,${Buffer.from(JSON.parse(text)).toString("base64")}`);
const { "drawing.js": drawing, "shapes.js": shapes } = modules;

function el(tag, attributes, ...children) {
  const given = {};
  for (const name in attributes) if (attributes[name] !== null && attributes[name] !== undefined) given[name] = attributes[name];
  return { tag, attributes: given, children: children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false) };
}

function freeze(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

const drawn = (view, context) => drawing.draw(freeze(view), freeze(context), el, shapes);

/** What drawings of one game may use again: the page has one of these for every game. */
const games = new Map();

function keptOf({ seats, reveal, person }) {
  const game = JSON.stringify([seats, reveal, person]);
  if (!games.has(game)) games.set(game, new Map());
  return games.get(game);
}

/** The drawing as JSON. */
function draw(view, context) {
  const text = JSON.stringify(drawn(view, context));
  if (JSON.stringify(drawn(view, context)) !== text) throw new Error("two calls draw differently");
  if (JSON.stringify(drawn(view, { ...context, kept: keptOf(context) })) !== text) throw new Error("same() was not given every value that a part depends on");
  return text;
}

function* nodes(node) {
  if (typeof node !== "object") return;
  yield node;
  for (const child of node.children) yield* nodes(child);
}

/** Click everything that can be clicked, from every state that clicks lead to. */
function reach(view, context) {
  const answers = new Set(), seen = new Set(), waiting = [[]];
  while (waiting.length && seen.size < context.most) {
    const picked = waiting.pop(), name = JSON.stringify([...picked].sort());
    if (seen.has(name)) continue;
    seen.add(name);
    const shown = { ...context, picked };
    if (picked.length < 2) draw(view, shown); // drawing every state twice would show no more
    for (const { attributes } of nodes(drawn(view, shown))) {
      if (attributes["data-move"] !== undefined) answers.add(attributes["data-move"]);
      const token = attributes["data-pick"];
      if (token === undefined) continue;
      const step = drawing.pick(view, context.person, [...picked, token], context.choices);
      if (typeof step.hint !== "string" || !step.hint) throw new Error("no hint");
      if (step.complete && step.answer === null) throw new Error("complete without an answer");
      if (step.answer !== null) answers.add(step.answer);
      if (!step.complete) waiting.push(step.picked);
    }
  }
  return { answers: [...answers], states: seen.size };
}

for (const line of lines) {
  const { view, context, reach: clicking } = JSON.parse(line);
  console.log(clicking ? JSON.stringify(reach(view, context)) : draw(view, context));
}
if (typeof drawing.style !== "string") throw new Error("no style");
