// The page for a projector: running games one after the other, with the standings and the latest results.

import { Board } from "./board.js";
import { standingsTable } from "./contest.js";
import { badge, byId, h, points, shown } from "./dom.js";
import { Story } from "./story.js";
import { onTheme } from "./theme.js";

const EACH_MS = 15000;
const RESULT_MS = 4000;
const TICK_MS = 300;
const CATCH_UP = 25;
const CREEP_MS = 60;
const REST_STEPS = 50;
const MOST_RESULTS = 8;

const inArena = document.body.dataset.arena === "yes";
let theme = "light", game = null, waiting = [], finished = [];
const unreadable = new Set();

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}

/** One game on the wall: follows its record, and shows it at a pace that people can follow. */
class OnWall {
  static async open(id) {
    const document = await fetched(`/data/game/${id}`);
    const [drawing, shapes] = await Promise.all([document.drawing ? import(document.drawing) : null, document.drawing ? import("./shapes.js") : null]);
    return new OnWall(id, document, drawing, shapes);
  }

  constructor(id, document, drawing, shapes) {
    this.id = id;
    this.story = new Story(document);
    this.opened = Date.now();
    const host = h("div", { role: "group", "aria-label": "Board" });
    byId("frame").replaceChildren(host);
    this.board = new Board(host, this.story, drawing, shapes);
    this.board.setTheme(theme);
    this.turn = Math.max(0, this.story.last - (this.story.result ? CATCH_UP : 2));
    this.events = new EventSource(`/data/game/${id}/live?after=${this.story.last}&newest=`);
    this.events.addEventListener("turns", (event) => { const data = JSON.parse(event.data); this.story.append(data.after, data.turns); });
    this.events.addEventListener("over", (event) => { Object.assign(this.story.document, JSON.parse(event.data)); this.events.close(); });
    this.show();
  }

  close() {
    this.events.close();
  }

  /** One step; true when another game may follow. */
  step() {
    const behind = this.story.last - this.turn;
    if (behind > 0) {
      this.turn += Math.ceil(behind / CATCH_UP);
      this.show(behind > CATCH_UP);
    } else if (this.story.result) {
      this.ended ??= Date.now();
      this.show();
      return Date.now() - this.ended > RESULT_MS;
    }
    return Date.now() - this.opened > EACH_MS;
  }

  show(quick = false) {
    const { story, turn } = this;
    const { scores } = story.position(turn), result = this.ended ? story.result : null;
    if (this.board.turn !== turn) this.board.show(turn, { quick });
    byId("players").replaceChildren(...story.seats.map((seat, index) => h("li", { class: result?.ranks[index] === 1 ? "winner" : null }, badge(index, story.number(index)),
      h("bdi", {}, `${result?.ranks[index] === 1 ? "★ " : ""}${shown(seat.name, 40)}${seat.language === "absent" ? " (absent)" : ""}`), h("span", { class: "score" }, result ? points(result.scores[index]) : scores.length ? points(scores[index]) : ""))));
    const said = story.moves(turn).flatMap((move) => (move.kibitz ?? []).slice(0, 1).map((line) => `“${shown(line, 120)}”`));
    const told = result ? shown(result.reason, 240) : [...story.moves(turn).map((move) => `${shown(story.seats[move.seat].name, 40)} ${shown(move.words, 120)}`), ...story.events(turn), ...said].join(" · ");
    byId("told").textContent = `${told}`;
  }
}

function showStandings(table) {
  const playing = new Set(game?.story.seats.map((seat) => seat.name) ?? []);
  byId("standings-box").hidden = !table?.rows.length;
  byId("order").textContent = table?.order.length ? `ordered by ${shown(table.order.join(", then "), 160)}` : "";
  if (table) byId("standings").replaceChildren(...standingsTable(table, (name) => h("bdi", {}, shown(name, 40)), undefined, (row) => (playing.has(row.agent) ? "now" : null)));
}

function showContest(report) {
  showStandings(report?.wall);
  if (!report) return;
  byId("title").textContent = shown(report.title || report.name, 80);
  byId("facts").textContent = `${shown(report.game, 60)} · ${report.counts.played}${report.counts.total ? ` of ${report.counts.total}` : ""} games`;
}

function showResults(games) {
  byId("results-box").hidden = games.length === 0;
  byId("results").replaceChildren(...games.slice(0, games.some((each) => each.seats.length > 2) ? MOST_RESULTS / 2 : MOST_RESULTS).map(resultLine));
}

/** A result: both names and the score, or, with more seats, the names by rank, each with its score. */
function resultLine(each) {
  const name = (seat) => h("bdi", { class: each.ranks[seat] === 1 ? "won" : null }, shown(each.seats[seat], 30), each.faults[seat]?.absent ? " (absent)" : "");
  if (each.seats.length === 2) return h("li", {}, h("span", { class: "who" }, name(0), " – ", name(1)), h("span", {}, each.scores.map(points).join(" : "), each.annulled ? " (annulled)" : ""));
  const ranked = [...each.seats.keys()].sort((one, other) => each.ranks[one] - each.ranks[other]);
  return h("li", {}, h("span", { class: "who many" }, ranked.map((seat, index) => [index ? ", " : "", name(seat), ` ${points(each.scores[seat])}`]), each.annulled ? " (annulled)" : ""));
}

/** In an arena: the places, the games that wait for their teams, and the organiser's notice. */
async function showArena() {
  const data = await fetched("/data/arena");
  showStandings(data.wall);
  const next = data.games.filter((each) => each.status === "waiting").toReversed();
  byId("next-box").hidden = next.length === 0;
  byId("next").replaceChildren(...next.map((each) => h("li", {}, each.seats.map((name, seat) => [seat ? " – " : "", h("bdi", {}, shown(name || "any team", 30))]))));
  byId("notice").textContent = shown(data.notice || (data.paused ? "Pause" : ""), 300);
  byId("title").textContent = shown(data.title, 80);
  byId("facts").textContent = shown(data.game, 60);
}

/** Move a list that is longer than its box up by a pixel; at both ends it rests for a while. */
function creep(box) {
  const rests = Number(box.dataset.rests ?? 0);
  if (rests > 0) { box.dataset.rests = rests - 1; return; }
  const end = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
  box.scrollTop = end ? 0 : box.scrollTop + 1;
  if (end || box.scrollTop + box.clientHeight >= box.scrollHeight - 1) box.dataset.rests = REST_STEPS;
}

/** Read the folder again: which games are running, the results, the standings. */
async function refresh() {
  const [running, done] = await Promise.all([fetched("/data/games?finished=no&limit=50"), fetched("/data/games?finished=yes&limit=8")]);
  byId("title").textContent ||= shown(done.title, 80);
  if (byId("title").textContent === "…") byId("title").textContent = shown(done.title, 80);
  const ids = running.games.map((each) => each.id);
  waiting = [...waiting.filter((id) => ids.includes(id)), ...ids.filter((id) => !waiting.includes(id))];
  finished = done.games.map((each) => each.id);
  showAgain();
  showResults(done.games);
  if (done.has_contest && !done.indexing) showContest(await fetched("/data/contest"));
  if (inArena) await showArena();
  byId("state").textContent = "";
  return done;
}

/** Without running games, the last one that can be shown is shown again. */
function showAgain() {
  if (!waiting.length) waiting = finished.filter((id) => !unreadable.has(id)).slice(0, 1);
}

/** Show the game that has waited longest. */
async function turnOver() {
  const next = waiting.find((id) => id !== game?.id) ?? waiting[0];
  if (!next || next === game?.id) { if (game) game.opened = Date.now(); return; }
  waiting = [...waiting.filter((id) => id !== next), next];
  try {
    const opened = await OnWall.open(next);
    game?.close();
    game = opened;
  } catch (error) {
    waiting = waiting.filter((id) => id !== next);  // gone, or not readable yet
    unreadable.add(next);
    showAgain();
    console.info(shown(error.message, 300));
  }
}

async function start() {
  onTheme((chosen) => { theme = chosen; game?.board.setTheme(chosen); });
  let busy = false, changed = false;
  const guarded = async (work) => { busy = true; try { await work(); } catch { byId("state").textContent = "connection lost"; } busy = false; };
  const first = await refresh();
  await turnOver();
  setInterval(() => { if (!busy && (!game || game.step())) guarded(turnOver); }, TICK_MS);
  setInterval(() => { if (changed && !busy) { changed = false; guarded(refresh); } }, 1000);
  setInterval(() => document.querySelectorAll(".creeps").forEach(creep), CREEP_MS);
  if (inArena) setInterval(() => { changed = true; }, 3000);  // notices and waiting games change no record
  const events = new EventSource(`/data/changes?seen=${first.state}`);
  events.addEventListener("changed", () => { changed = true; });
  events.onerror = () => { byId("state").textContent = "connection lost"; };
  addEventListener("pagehide", () => { events.close(); game?.close(); });
  document.documentElement.dataset.ready = "yes";
}

start();
