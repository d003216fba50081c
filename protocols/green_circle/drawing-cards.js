// The cards of Green Circle: their names, what a move does with them, what a team lacks, and a card as a tile.

export const NAMES = ["Training", "Coding", "Daily routine", "Task priority", "Architecture", "Integration", "Code review", "Refactoring", "Bonus", "Debt"];
export const SHORT = ["Train", "Code", "Daily", "Tasks", "Archi", "Integr", "Review", "Refact", "Bonus", "Debt"];
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

/** A card type as a small tile: its mark, and how many. */
export function tile({ el, k }, card, x, y, w, h, count, { fresh = false, name = true } = {}) {
  const size = Math.min(h * (name ? 0.46 : name === null ? 0.42 : 0.6), w * 0.56), small = k.narrow ? 11 : 17;
  return k.place(
    x, y, null, el("title", {}, `${count} ${NAMES[card]}`), k.rect(0, 0, w, h, `skill skill-${card}`, 5),
    k.text(w / 2, name ? h * 0.5 : name === null ? h * 0.46 : h / 2 + size * 0.36, mark(card), size, { anchor: "middle", kind: on(card) || "num" }),
    name ? k.fit(w / 2, h - 6, SHORT[card], small, w - 2, { anchor: "middle", kind: on(card) }) : null,
    fresh ? k.rect(-1, -1, w + 2, h + 2, "now", 6) : null,
    count > 1 && name !== null ? [k.circle(w - 4, 5, k.narrow ? 8 : 11, "panel"), k.text(w - 4, k.narrow ? 9 : 10, count, k.narrow ? 11 : 14, { anchor: "middle", kind: "num" })] : null,
    name === null ? k.text(w / 2, h - 6, `×${count}`, 17, { anchor: "middle", kind: on(card) }) : null,
  );
}
