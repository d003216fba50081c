// The page of a folder: the games that match a search, the standings of a contest, and both again whenever a game changes.

import { agentPanel, crosstable, linksTo, standings } from "./contest.js";
import { byId, h, plural, shown } from "./dom.js";
import { gameLine } from "./game-line.js";
import { remember, remembered, toggleTheme } from "./theme.js";

const PAGE = 100;
let limit = PAGE;

const lineOf = (game) => gameLine(game, `/game/${game.id}`);
const link = linksTo("/games?");

async function fetched(path) {
  const response = await fetch(path);
  const data = await response.json();
  if (!response.ok) throw new Error(data?.error ?? `the server answered ${response.status}`);
  return data;
}

async function showGames() {
  const asked = new URLSearchParams(location.search);
  asked.set("limit", limit);
  const data = await fetched(`/data/games?${asked}`);
  const filtered = [...new URLSearchParams(location.search)].length > 0;
  byId("title").textContent = shown(data.title, 120);
  byId("facts").textContent = plural(data.searched, "saved game") + (data.indexing ? " · being read; search works in a moment" : "");
  byId("count").textContent = filtered ? `${plural(data.found, "game")} of ${data.searched}` : plural(data.found, "game");
  byId("clear").hidden = !filtered;
  byId("filters").hidden = !data.can_search;
  byId("list").replaceChildren(...data.games.map(lineOf));
  byId("more").hidden = data.games.length >= data.found;
  byId("damaged").textContent = data.damaged.length ? `Not readable as saved games: ${shown(data.damaged.join("; "), 1000)}` : "";
  const names = [...new Set(data.games.flatMap((game) => game.seats))].sort();
  byId("agents").replaceChildren(...names.map((name) => h("option", { value: name })));
  return data;
}

async function showPlaying() {
  const { games } = await fetched("/data/games?finished=no&limit=24");
  byId("playing").hidden = games.length === 0;
  byId("in-hand").replaceChildren(...games.map(lineOf));
}

async function showContest() {
  const report = await fetched("/data/contest");
  byId("contest").hidden = !report;
  if (!report) return;
  byId("title").textContent = shown(report.title || report.name, 120);
  byId("answer").textContent = shown(report.asked || report.answer, 500);
  byId("facts").textContent = `${shown(report.game, 60)} · ${report.counts.played}${report.counts.total ? ` of ${report.counts.total}` : ""} games`;
  byId("standings").replaceChildren(...standings(report, link));
  byId("cross").replaceChildren(...crosstable(report, link));
  byId("cross-box").hidden = report.rows.length < 2;
  const chosen = new URLSearchParams(location.search).getAll("agent");
  byId("agent").hidden = chosen.length !== 1;
  if (chosen.length === 1) byId("agent").replaceChildren(...agentPanel(report, chosen[0]));
}

async function refresh() {
  try {
    const data = await showGames();
    if (data.can_search && !data.indexing) await showPlaying();
    if (data.has_contest && !data.indexing) await showContest();
    byId("problem").textContent = "";
    return data;
  } catch (error) {
    byId("problem").textContent = shown(error.message, 500);
    return null;
  }
}

/** Refresh when the server says that a game has changed, and not more often than the page can keep up with. */
function follow(seen) {
  let busy = false, again = false;
  const changed = async () => {
    if (busy) { again = true; return; }
    busy = true;
    await refresh();
    setTimeout(() => { busy = false; if (again) { again = false; changed(); } }, 700);
  };
  const events = new EventSource(`/data/changes?seen=${seen}`);
  addEventListener("pagehide", () => events.close());
  events.addEventListener("changed", changed);
  events.onopen = () => { byId("state").textContent = ""; };
  events.onerror = () => { byId("state").textContent = "connection lost"; };
}

function fillForm(kinds) {
  const asked = new URLSearchParams(location.search);
  byId("search").open = [...asked.keys()].some((name) => name !== "words");
  byId("filters").elements.fault.append(...kinds.map((kind) => h("option", { value: kind }, kind)));
  const given = new Map([...asked.keys()].map((name) => [name, asked.getAll(name)]));
  for (const field of byId("filters").elements) {
    const value = given.get(field.name)?.shift();  // two agents have two fields of this name
    if (field.type === "checkbox") field.checked = value === field.value;
    else if (field.name) field.value = value ?? "";
  }
}

byId("filters").addEventListener("submit", (event) => {
  event.preventDefault();
  const asked = new URLSearchParams([...new FormData(event.target)].filter(([, value]) => value));
  location.search = asked.toString();
});
byId("more").addEventListener("click", () => { limit = limit * 2 + PAGE; refresh(); });
byId("theme").addEventListener("click", toggleTheme);
const hide = byId("hide"), HIDE = "arbiter-hide-results";
hide.checked = remembered(HIDE) === "1";
const showHidden = () => document.body.classList.toggle("hide-results", hide.checked);
hide.addEventListener("change", () => { remember(HIDE, hide.checked ? "1" : "0"); showHidden(); });
showHidden();
const first = await refresh();
fillForm(first?.fault_kinds ?? []);
document.documentElement.dataset.ready = first ? "yes" : "failed";
if (!first || first.can_change) follow(first?.state ?? "");
