// The cards of Green Circle: their names, what a move does with them, what a team lacks, and a card as a tile.

export const NAMES = ["Training", "Coding", "Daily routine", "Task priority", "Architecture", "Integration", "Code review", "Refactoring", "Bonus", "Debt"];
export const BRIEF = NAMES.map((name) => name.split(" ")[0]);
export const SKILLS = ["TRAINING", "CODING", "DAILY_ROUTINE", "TASK_PRIORITIZATION", "ARCHITECTURE_STUDY", "CONTINUOUS_INTEGRATION", "CODE_REVIEW", "REFACTORING"];
export const BONUS = 8;
const DEBT = 9;
export const TO_END = 5;

export const tally = (cards) => cards.reduce((counts, card) => { counts[card] += 1; return counts; }, Array(10).fill(0));
const mark = (card) => (card === BONUS ? "★" : card === DEBT ? "!" : String(card));

/** What a team lacks for an application, whether it could release it now, and what it has: by skill, and as bonus. */
export function lack(team, application) {
  const counts = tally([...team.hand, ...team.automated]);
  const has = application.needs.map((need, skill) => Math.min(need, 2 * counts[skill]));
  const short = application.needs.reduce((sum, need, skill) => sum + need - has[skill], -counts[BONUS]);
  const shoddy = team.score >= TO_END - 1 ? 0 : counts[BONUS] + 2 * counts.slice(0, 8).reduce((sum, count) => sum + count, 0);
  return { short: Math.max(0, short), able: short <= shoddy, has, bonus: counts[BONUS] };
}

/** A move in words, with these names of cards. */
export function spoken(move, names) {
  const [verb, ...numbers] = String(move).split(" ");
  const [first, second] = numbers.map(Number);
  if (verb === "MOVE") return `moves to desk ${first}${second === undefined ? "" : `, takes from ${second}`}`;
  if (verb === "GIVE" || verb === "THROW") return `${verb.toLowerCase()}s ${names[first]}`;
  if (verb === "RELEASE") return `releases #${first}`;
  if (verb === "WAIT") return "waits";
  if (verb === "RANDOM") return "leaves it to chance";
  const card = SKILLS.indexOf(verb);
  if (card < 0) return String(move);
  return `${names === BRIEF ? "" : "plays "}${names[card]}${numbers.length ? `: ${numbers.map((number) => names[Number(number)]).join(" → ")}` : ""}`;
}

/** The card that a move plays, throws or gives; null for other moves. Keys of cards let it fly there from the hand. */
export function shownCard(move) {
  const [verb, number] = String(move ?? "").split(" ");
  if (verb === "GIVE" || verb === "THROW") return Number(number);
  const card = SKILLS.indexOf(verb);
  return card < 0 ? null : card;
}

/** Whether a person at the table may not see this team's hand. */
export function unseen(context, seat) {
  return context.reveal === false && context.person !== undefined && context.person !== seat;
}

/** The class of text on cards that are not tinted like the desks. */
const on = (card) => ({ [DEBT]: "debt-text", [BONUS]: "bonus-text" }[card] ?? "");

/** The name of a card in the middle of a width, in two lines where one is too long; `y` is the baseline of the last one. */
export function nameOf(k, card, x, y, most, width, kind = "") {
  const name = NAMES[card], lines = k.ems(name) * most > width ? name.split(" ") : [name];
  const size = Math.max(k.narrow ? 11 : 14, Math.min(most, ...lines.map((line) => width / k.ems(line))));
  return lines.map((line, index) => k.fit(x, y - (lines.length - 1 - index) * size * 1.02, line, size, width + 4, { anchor: "middle", kind }));
}

/** A card of a hand: its mark, its name, and how many there are of it, as a stack. */
export function face({ el, k }, card, w, h, count, fresh) {
  const size = Math.min(h * 0.4, k.narrow ? 20 : 34), kind = on(card);
  return [
    el("title", {}, `${count} ${NAMES[card]}`), count > 1 ? k.rect(4, -4, w, h, `skill skill-${card}`, 7) : null, k.rect(0, 0, w, h, `skill skill-${card}`, 7),
    k.text(w * 0.09, h * 0.08 + size * 0.82, mark(card), size, { kind: kind || "num" }),
    count > 1 ? k.text(w * 0.92, h * 0.08 + size * 0.75, `×${count}`, size * 0.72, { anchor: "end", kind: kind || "num" }) : null,
    nameOf(k, card, w / 2, h * 0.9, k.narrow ? 11 : 16, w - 3, kind), fresh ? k.rect(-1, -1, w + 2, h + 2, "now", 7) : null,
  ];
}

/** A card type as a small tile: its mark, and how many. */
export function tile({ el, k }, card, x, y, w, h, count, { fresh = false } = {}) {
  const size = Math.max(11, Math.min(h * (count ? 0.42 : 0.6), w * 0.56));
  return k.place(
    x, y, null, el("title", {}, `${count} ${NAMES[card]}`), k.rect(0, 0, w, h, `skill skill-${card}`, 5),
    k.text(w / 2, count ? h * 0.46 : h / 2 + size * 0.36, mark(card), size, { anchor: "middle", kind: on(card) || "num" }),
    count ? k.text(w / 2, h - 6, `×${count}`, Math.min(17, w * 0.5), { anchor: "middle", kind: on(card) }) : null, fresh ? k.rect(-1, -1, w + 2, h + 2, "now", 6) : null,
  );
}
