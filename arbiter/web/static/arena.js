// The public page of a contest day, and that of a team: what is played, what comes next, places and results.

import { byId, h, points, shown } from "./dom.js";
import { clock, put, table, teamLink, who } from "./arena_parts.js";
import { standingsTable } from "./contest.js";
import { toggleTheme } from "./theme.js";

const AGAIN_MS = 2500;
const team = location.pathname === "/team" ? new URLSearchParams(location.search).get("name") ?? "" : null;
const mine = (game) => team === null || game.seats.includes(team);

function gameLine(game) {
  const state = game.status === "playing" ? h("span", { class: "live-word" }, "● live ") : "";
  const watch = game.shown && game.status !== "waiting" && game.status !== "aborted" ? h("a", { href: `/${game.id}` }, "Watch") : null;
  const about = [game.stage, clock(game.at), game.status === "aborted" && `not counted: ${game.annulled || game.reason}`, game.ending].filter(Boolean).map((fact) => shown(fact, 120)).join(" · ");
  return h("li", {}, state, who(game), h("div", { class: "muted" }, `${about} `, watch));
}

function stageBox(stage, games) {
  const lines = stage.games.filter(mine).map((game) => {
    const known = games.get(game.id);
    const state = game.played ? "played" : known?.status === "playing" ? "live" : known ? "waiting for teams" : "to come";
    return h("li", {}, who(known?.scores ? known : game), " ", h("span", { class: state === "live" ? "live-word" : "muted" }, state), known?.shown && (game.played || state === "live") ? [" ", h("a", { href: `/${game.id}` }, "Watch")] : "");
  });
  return lines.length ? h("div", { class: "stage" }, h("h3", {}, shown(stage.name || "All games", 80)), h("ul", {}, lines)) : null;
}

function show(data) {
  const games = new Map(data.games.map((game) => [game.id, game]));
  const playing = data.games.filter((game) => game.status === "playing" && mine(game));
  const over = data.games.filter((game) => ["finished", "aborted"].includes(game.status) && mine(game) && (game.scores || game.reason));
  document.title = shown(team ?? data.title, 60);
  byId("title").textContent = shown(data.title, 120);
  byId("facts").textContent = shown(data.game, 60);
  byId("notice").textContent = shown(data.notice || (data.paused ? "Pause" : ""), 300);
  put(byId("playing"), playing.length ? playing.map(gameLine) : h("li", { class: "muted" }, "No game at the moment."));
  byId("standings-box").hidden = !data.contest;
  byId("standings-hidden").textContent = data.hidden ? "Results are hidden until the organiser shows them." : "";
  put(byId("standings"), data.standings ? standingsTable(data.standings, teamLink) : []);
  byId("bracket-box").hidden = team !== null || !data.bracket.length;
  put(byId("bracket"), data.bracket.map(bracketStage));
  const loose = data.games.filter((game) => game.status === "waiting" && mine(game)).map((game) => h("li", {}, who(game), " ", h("span", { class: "muted" }, `waiting, ${shown(game.stage, 60)} ${game.id}`)));
  put(byId("schedule"), data.contest ? data.contest.stages.toReversed().map((stage) => stageBox(stage, games)) : loose.length ? h("ul", { class: "list" }, loose) : h("p", { class: "muted" }, "Nothing is scheduled."));
  put(byId("results"), over.length ? over.slice(0, 200).map(gameLine) : h("li", { class: "muted" }, data.hidden ? "Results are hidden." : "No results yet."));
  byId("teams-box").hidden = team !== null;
  put(byId("teams"), data.teams.map((name) => h("li", {}, teamLink(name), distance(data.network, name))));
  byId("network").textContent = networkLine(data.network);
  if (team !== null) showTeam(data, over);
}

/** One stage of an elimination: a column of tables, in which those who went on are marked. */
function bracketStage(stage) {
  const entry = (each) => h("li", { class: each.goes_to || each.place === 1 ? "won" : null }, teamLink(each.agent), h("span", {}, each.points === null ? "" : points(each.points)), each.why && h("span", { class: "muted" }, shown(each.why, 60)));
  return h("div", { class: "column" }, h("h3", {}, shown(stage.name, 60)), stage.tables.map((entries) => h("ul", {}, entries.map(entry))));
}

const ms = (value) => `${value < 1 ? "under 1" : Math.round(value)} ms`;

function distance(network, name) {
  const known = network.teams[name];
  if (!known) return "";
  return h("span", { class: "muted" }, ` ${ms(known.round_trip_ms)}${network.by_round_trip ? `, ${ms(known.allowance_ms)} added` : ""}`);
}

/** What the times beside the teams mean, and what is added to the limits. */
function networkLine(network) {
  const all = network.allowance_ms ? ms(network.allowance_ms) : "";
  const own = network.by_round_trip ? "twice its round trip" : "";
  const added = [all, own].filter(Boolean).join(" and ") || "nothing";
  return `Added to every time limit of a team for the network: ${added}. Times beside the names are round trips to the team's program, measured when it joined last.`;
}

/** Games, wins and faults of the team, and how it did against each opponent. */
function showTeam(data, over) {
  byId("team").hidden = false;
  byId("team-heading").textContent = shown(team, 80);
  const row = data.standings?.rows.find((each) => each.agent === team);
  const counted = over.filter((game) => game.status === "finished" && game.ranks && !game.annulled), met = new Map();
  let won = 0, faults = 0;
  for (const game of counted) {
    const own = game.seats.indexOf(team), rank = game.ranks[own];
    won += rank === 1 && game.ranks.filter((other) => other === 1).length === 1;
    faults += game.faults[own];
    for (const [seat, name] of game.seats.entries()) {
      if (seat === own) continue;
      const tally = met.get(name) ?? [0, 0, 0];
      tally[rank < game.ranks[seat] ? 0 : rank === game.ranks[seat] ? 1 : 2] += 1;
      met.set(name, tally);
    }
  }
  const share = counted.length ? `, ${Math.round((100 * won) / counted.length)} %` : "";
  const facts = [["place", row ? `${row.place}` : "–"], ["games", `${counted.length}`], ["won", `${won}${share}`], ["faults", `${faults}`]];
  put(byId("team-facts"), data.teams.includes(team) ? facts.map(([key, value]) => [h("dt", {}, key), h("dd", {}, value)]) : [h("dt", {}, "There is no such team.")]);
  put(byId("against"), met.size ? table(["against", "better", "equal", "worse"], [...met].map(([name, tally]) => h("tr", {}, h("th", { scope: "row" }, teamLink(name)), tally.map((count) => h("td", {}, count)))), "") : "");
}

async function refresh() {
  try {
    const response = await fetch("/data/arena");
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    show(await response.json());
    byId("state").textContent = "";
  } catch {
    byId("state").textContent = "connection lost";
  }
  document.documentElement.dataset.ready = "yes";
  setTimeout(refresh, AGAIN_MS);
}

byId("theme").addEventListener("click", toggleTheme);
refresh();
