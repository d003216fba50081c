// What happened in one turn: moves, events, messages, kibitz; faults with their evidence; times; input and commands.

import { badge, byId, copyButton, download, duration, h, points, quote, shown } from "./dom.js";

const quoted = (word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The command that shows a position in the terminal. */
export const showCommand = (story, turn) => `arbiter show ${quoted(story.document.file)} --turn ${turn}`;

/** The lines under the board: what was played, and what was said about it. */
export function showCaption(story, turn) {
  const moves = story.moves(turn).map((move) => h("p", { class: "played" },
    badge(move.seat, story.number(move.seat)), h("strong", {}, shown(story.seats[move.seat].name, 60)), " ", h("bdi", {}, shown(move.words, 300)),
    move.fault && h("span", { class: "mark fault" }, `✗ ${move.fault.kind}`)));
  const said = story.moves(turn).flatMap((move) => [
    move.message && h("p", { class: "talk" }, badge(move.seat, story.number(move.seat)), "says ", quote(move.message, 300)),
    ...(move.kibitz ?? []).slice(0, 4).map((line) => h("p", { class: "talk kibitz" }, badge(move.seat, story.number(move.seat)), quote(line, 300))),
  ]);
  if (turn === story.last) {
    for (const [seat, lines] of Object.entries(story.result?.afterwards ?? {})) {
      said.push(...lines.slice(0, 4).map((line) => h("p", { class: "talk kibitz" }, badge(Number(seat), story.number(Number(seat))), "after the game: ", quote(line, 300))));
    }
  }
  const events = story.events(turn).length > 0 ? [h("p", { class: "event" }, "◆ ", story.events(turn).map((event) => shown(event, 300)).join(" · "))] : [];
  const caption = byId("caption");
  caption.replaceChildren(...(turn ? [...moves, ...events, ...said.filter(Boolean)] : [h("p", { class: "muted" }, "The start of the game.")]));
  // It grows with what is said, and stays so high: a board that changed its size with every turn could not be watched.
  caption.style.minHeight = `${Math.min(caption.scrollHeight, innerHeight * 0.3)}px`;
}

/** Who has won; to a person who played, how it went for them. */
export function verdict({ seats, result: { ranks, scores }, document: { person } }) {
  const winners = seats.filter((_, seat) => ranks[seat] === 1).map((seat) => shown(seat.name, 60));
  if (person !== undefined) {
    const own = points(scores[person]), how = ranks[person] > 1 ? "lost" : winners.length === 1 ? "won" : seats.length === 2 ? "drew" : "shared the win";
    return seats.length === 2 ? `You ${how} ${own} : ${points(scores[1 - person])}.` : `You ${how}: place ${ranks[person]} of ${seats.length} with ${own}.`;
  }
  if (winners.length < 2) return winners.length ? `★ ${winners[0]} wins:` : "Nobody wins:";
  return `★ ${winners.slice(0, -1).join(", ")} and ${winners.at(-1)} share the win:`;
}

const block = (title, text) => (text ? [h("h4", {}, title), h("pre", { class: "evidence", tabindex: "0" }, shown(text, 20000))] : []);

function faultDetails(fault) {
  const facts = [
    fault.exit_code !== undefined && fault.exit_code !== null && `exit status ${fault.exit_code}`,
    fault.memory && `peak memory ${fault.memory < 1e6 ? `${Math.ceil(fault.memory / 1000)} KB` : `${Math.round(fault.memory / 1e6)} MB`}`,
    fault.said_bytes && `the answer had ${fault.said_bytes} bytes`,
  ].filter(Boolean);
  return h("div", { class: "fault-box" },
    h("p", {}, h("strong", {}, `✗ ${fault.kind}: `), quote(fault.detail)),
    facts.length > 0 && h("p", { class: "muted" }, facts.join(" · ")),
    block("What it said", fault.said), block("Its standard error", fault.stderr));
}

function times(story, move) {
  const limit = story.limit(move);
  const rows = [
    ["charged", duration(move.charged_us) + (limit ? ` of ${duration(limit)}` : "")],
    ["wall time", duration(move.wall_us)], move.cpu_us > 0 && ["CPU time", duration(move.cpu_us)],
    move.left_us !== undefined && ["left for the game", duration(move.left_us)],
  ].filter(Boolean);
  return h("dl", { class: "times" }, rows.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** The exact input, made when it is asked for: it may be long. */
function input(story, turn, seat) {
  const text = h("pre", { class: "evidence", tabindex: "0" });
  const details = h("details", {}, h("summary", {}, "Exact input of this turn"),
    h("p", { class: "buttons" }, copyButton("Copy input", () => story.input(turn, seat)),
      h("button", { type: "button", class: "small", onclick: () => download(`turn-${turn}-seat-${seat}.txt`, story.input(turn, seat), "text/plain") }, "Save input")),
    text);
  details.addEventListener("toggle", () => { if (details.open && !text.textContent) text.textContent = shown(story.input(turn, seat), 200000); });
  return details;
}

/** What the agents printed for their authors, where a log was kept. */
function logs(story, turn) {
  const { stderr } = story.document, texts = story.stderr(turn);
  if (!stderr || (!stderr.problem && Object.keys(stderr.turns).length === 0)) return [];
  return [h("section", { class: "answer", id: "stderr" },
    h("h3", {}, "Standard error"),
    texts.length === 0 && h("p", { class: "muted" }, "Nothing was kept of this turn."),
    texts.map(({ seat, text, cut, after }) => [
      h("h4", {}, badge(seat, story.number(seat)), shown(story.seats[seat]?.name ?? "", 80), after && " after its last answer", cut && h("span", { class: "muted" }, " · the beginning was left out")),
      h("pre", { class: "evidence", tabindex: "0" }, h("bdi", {}, shown(text, 20000))),
    ]),
    stderr.problem && h("p", { class: "muted" }, `Not everything is shown: ${shown(stderr.problem, 300)}.`),
    story.document.file && command(`arbiter show ${quoted(story.document.file)} --stderr-log --turn ${turn}`))];
}

function command(text) {
  return h("p", { class: "command" }, h("code", {}, text), copyButton("Copy", () => text));
}

export function showDetails(story, turn) {
  const file = quoted(story.document.file);
  const moves = story.moves(turn).map((move) => h("section", { class: "answer" },
    h("h3", {}, badge(move.seat, story.number(move.seat)), shown(story.seats[move.seat].name, 80)),
    h("p", {}, h("bdi", {}, shown(move.words)), h("br"), h("code", { class: "muted" }, shown(move.move, 400))),
    move.fault && faultDetails(move.fault),
    move.message && h("p", { class: "talk" }, "says ", quote(move.message)),
    (move.kibitz ?? []).length > 0 && [h("h4", {}, "Kibitz"), h("ul", { class: "kibitz" }, move.kibitz.map((line) => h("li", {}, quote(line))))],
    (move.notes ?? []).length > 0 && [h("h4", {}, "Notes of the arbiter"), h("ul", {}, move.notes.map((line) => h("li", {}, quote(line))))],
    times(story, move), move.input !== undefined && input(story, turn, move.seat),
    story.document.file && command(`arbiter show ${file} --inputs --turn ${turn} --seat ${story.number(move.seat)}`)));
  const events = story.events(turn).map((event) => h("li", {}, shown(event)));
  byId("details").replaceChildren(
    h("h3", {}, turn ? `Turn ${turn}` : "The start", story.numbersInWords(turn) && h("span", { class: "muted" }, ` · ${story.numbersInWords(turn)}`)),
    events.length > 0 ? h("ul", { class: "events" }, events) : "",
    ...moves, ...logs(story, turn), ...(story.document.file ? [h("h4", {}, "See it in the terminal"), command(showCommand(story, turn))] : []));
}
