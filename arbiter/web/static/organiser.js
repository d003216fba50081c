// The organiser's page. The token is sent once, for a cookie that scripts cannot read; every change brings the session's secret.

import { byId, download, h, plural, shown } from "./dom.js";
import { clock, light, put, table, who } from "./arena_parts.js";
import { standingsTable } from "./contest.js";
import { toggleTheme } from "./theme.js";

const AGAIN_MS = 2000;
/** A match file to begin with, for the protocol of the arena. */
function example({ protocol, seats: [fewest], house }) {
  const places = [...Array(fewest).keys()].reverse(), agent = house[0] ?? "";
  return `title: Our contest
protocol: ${protocol}
seats: ${fewest}
agents: [${['"remote:*"', agent].filter(Boolean).join(", ")}]
schedule:
  kind: season
  house: [${agent}]
  season:
    - {name: round 1, points: [${places.join(", ")}]}
    - {name: round 2, points: [${places.map((points) => 2 * points).join(", ")}]}
  elimination:
    - {name: final, takes: {season: [1, ${fewest}]}, tables: 1, games: 1}
`;
}
let session = "", state = null, keys = [];

async function call(path, { method = "POST", body = null, type = "application/json" } = {}) {
  const response = await fetch(path, { method, body, headers: { "x-session": session, "content-type": type, accept: "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(text || `the server answered ${response.status}`);
  return text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : text;
}

/** Run an action, show its error if it fails, and refresh the page. */
async function act(work) {
  try {
    byId("problem").textContent = "";
    await work();
  } catch (error) {
    byId("problem").textContent = shown(error.message, 1500);
    byId("problem").scrollIntoView({ block: "nearest" });
  }
  await refresh();
}

function ask(text, reason = false, label = "Reason, which teams are told") {
  const dialog = byId("ask");
  byId("ask-text").textContent = text;
  byId("ask-line").hidden = !reason;
  byId("ask-label").textContent = label;
  byId("ask-reason").value = "";
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes" ? byId("ask-reason").value || "ended by the organiser" : null), { once: true }));
}

const bdi = (name) => h("bdi", {}, shown(name, 60));
const button = (label, name, value) => h("button", { type: "button", class: "small", "data-act": name, "data-value": value }, label);
const sum = (counts = []) => counts.reduce((all, count) => all + count, 0);
function showDay() {
  const { contest, paused, hidden } = state;
  const stages = (contest?.stages ?? []).map((stage) => h("div", { class: "stage" }, h("h3", {}, shown(stage.name || "All games", 80), " ", h("span", { class: "muted" }, `${stage.played} of ${plural(stage.games, "game")} played`)),
    h("progress", { max: stage.games || 1, value: stage.played, "aria-label": `${shown(stage.name || "All games", 80)}: ${stage.played} of ${stage.games} played` })));
  put(byId("stages"), contest ? [stages, contest.problem && h("p", { class: "problem" }, shown(contest.problem, 300))] : h("p", { class: "muted" }, "No contest yet: register the teams, then give a match file below."));
  const closed = contest ? contest.closed : "give a match file first";
  byId("open-round").disabled = closed !== "";
  byId("why-closed").textContent = closed && shown(`The next round cannot be opened: ${closed}.`, 200);
  byId("end-all").disabled = state.live.length === 0;
  byId("pause").textContent = paused ? "End the pause" : "Pause";
  byId("hide").textContent = hidden ? "Show the results" : "Hide results";
  byId("state").textContent = [paused && "paused", hidden && "results are hidden"].filter(Boolean).join(" · ");
  if (!byId("match").dataset.seen) byId("match-text").value = example(state);
  if (!contest && !byId("match").dataset.seen) byId("match").open = true;
  byId("match").dataset.seen = "yes";
  if (document.activeElement !== byId("notice")) byId("notice").value = state.notice;
}

function showGames() {
  put(byId("live"), table(["game", "stage", "seats", "state", ""], state.live.map((game) => h("tr", {}, h("td", {}, h("a", { href: `/${game.id}` }, game.id)), h("td", {}, shown(game.stage, 60)), h("td", {}, who(game, bdi)),
    h("td", {}, game.status === "playing" ? h("span", { class: "live-word" }, "being played") : ["waits for ", game.missing.length ? game.missing.map((name, index) => [index ? ", " : "", name ? bdi(name) : "any team"]) : state.paused ? "the end of the pause" : "its turn"]),
    h("td", { class: "acts" }, game.status === "waiting" && button("Start", "start", game.id), button("End", "end", game.id)))), "No game is waiting or being played."));
  put(byId("over"), table(["game", "stage", "result", "time", ""], state.over.map((game) => h("tr", {}, h("td", {}, h("a", { href: `/${game.id}` }, game.id)), h("td", {}, shown(game.stage, 60)),
    h("td", {}, who(game, bdi), game.status === "aborted" && h("div", { class: "muted" }, `not counted: ${shown(game.annulled || game.reason, 100)}`), sum(game.faults) > 0 && h("div", { class: "muted" }, plural(sum(game.faults), "fault"))), h("td", {}, clock(game.at)),
    h("td", { class: "acts" }, game.status === "finished" && button("Annul", "annul", game.id), game.status === "finished" ? button("Annul and play again", "redo", game.id) : button("Play again", "again", game.id)))), "No game is over yet."));
  byId("standings-box").hidden = !state.standings;
  put(byId("standings"), state.standings ? standingsTable(state.standings, bdi) : []);
}

function showTeams() {
  put(byId("teams"), table(["team", "connection", "contest", ...(state.uploads ? ["plays"] : []), ""], state.teams.map((team) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `/team?name=${encodeURIComponent(team.name)}` }, bdi(team.name))), h("td", {}, light(team.connection)), h("td", {}, team.withdrawn ? "withdrawn" : team.takes_part ? "takes part" : ""),
    state.uploads && h("td", {}, h("select", { "data-act": "version", "data-value": team.name, "aria-label": `What plays for ${shown(team.name, 60)}` }, [0, ...team.versions].map((version) => h("option", { value: version, selected: version === team.plays }, version ? `version ${version}` : "over the network")))),
    h("td", { class: "acts" }, state.contest && !team.takes_part && button("Add to the contest", "late", team.name), team.withdrawn ? button("Let it play again", "readmit", team.name) : button("Withdraw", "withdraw", team.name),
      button("New key", "key", team.name), !team.takes_part && [button("Rename", "rename", team.name), button("Delete", "delete", team.name)]))), "No team is registered yet."));
  put(byId("invitation"), state.invitation ? [h("a", { href: state.invitation }, state.invitation), " ", button("End the invitation", "uninvite", "")] : "");
  byId("keys").hidden = keys.length === 0 && !byId("refused").textContent;
  put(byId("sheet"), keys.map(({ name, key }) => h("li", {}, h("div", {}, bdi(name)), h("div", { class: "key" }, key), h("div", { class: "muted" }, state.address))));
}

function show() {
  byId("title").textContent = shown(state.title, 120);
  byId("facts").textContent = `${state.address} · ${plural(state.teams.length, "team")} · ${plural(state.training, "training game")}`;
  showDay();
  showGames();
  showTeams();
  put(byId("log"), state.log.toReversed().map((line) => h("li", {}, h("span", { class: "muted" }, `${clock(line.at)} ${shown(line.who, 60)}`), h("bdi", {}, shown(line.what, 300)))));
}

async function refresh() {
  const response = await fetch("/organiser/state").catch(() => null);
  const known = response?.ok ?? false;
  if (response?.status === 401 || known) {
    byId("login").hidden = known;
    byId("controls").hidden = byId("logout").hidden = !known;
  }
  if (known) {
    state = await response.json();
    session = state.session;
    show();
  } else if (!response) byId("state").textContent = "connection lost";
  return known;
}

async function login(token) {
  await act(async () => { await call("/organiser/login", { body: JSON.stringify({ token }) }); byId("token").value = ""; });
}

const game = (id, what) => `/games/${encodeURIComponent(id)}${what}`;
const named = (path, name, more = {}) => call(path, { body: JSON.stringify({ name, ...more }) });
const actions = {
  start: (id) => call(game(id, "/start")),
  end: async (id) => { const because = await ask(`End game ${id}?`, true); if (because) await call(game(id, ""), { method: "DELETE", body: JSON.stringify({ because }) }); },
  annul: async (id) => { const because = await ask(`Annul game ${id}? It will no longer count.`, true); if (because) await call(game(id, ""), { method: "DELETE", body: JSON.stringify({ because }) }); },
  again: (id) => call(game(id, "/again"), { body: "{}" }),
  redo: async (id) => { const because = await ask(`Annul game ${id} and play it again?`, true); if (because) await call(game(id, "/again"), { body: JSON.stringify({ because }) }); },
  late: (name) => named("/contest/teams", name),
  key: async (name) => { if (await ask(`Give ${shown(name, 60)} a new key? The old one stops working.`)) { keys = [await named("/teams/key", name)]; byId("refused").textContent = ""; } },
  withdraw: async (name) => { if (await ask(`Withdraw ${shown(name, 60)}? No game will wait for it.`)) await named("/teams/withdraw", name); },
  readmit: (name) => named("/teams/withdraw", name, { stop: "yes" }),
  rename: async (name) => { const renamed = await ask(`Rename ${shown(name, 60)}?`, true, "New name"); if (renamed) await named("/teams/rename", name, { new: renamed }); },
  delete: async (name) => { if (await ask(`Delete ${shown(name, 60)} with its key and uploads?`)) await named("/teams/delete", name); },
  uninvite: () => call("/invitation", { body: JSON.stringify({ stop: "yes" }) }),
  version: (name, version) => named("/teams/upload", name, { version }),
};
for (const event of ["click", "change"]) {
  document.addEventListener(event, ({ target }) => {
    const chosen = target.closest("[data-act]");
    if (chosen && (chosen.tagName === "SELECT") === (event === "change")) act(() => actions[chosen.dataset.act](chosen.dataset.value, chosen.value));
  });
}

function submits(id, work) {
  byId(id).addEventListener("submit", (event) => { event.preventDefault(); act(work); });
}
submits("login", async () => { await call("/organiser/login", { body: JSON.stringify({ token: byId("token").value }) }); byId("token").value = ""; });
submits("notice-form", async () => { await call("/notice", { body: JSON.stringify({ text: byId("notice").value }) }); byId("notice").blur(); });
submits("match-form", async () => { await call("/contest", { body: byId("match-text").value, type: "text/plain" }); byId("match").open = false; });
submits("register-form", async () => {
  const done = await call("/teams", { body: byId("names").value, type: "text/plain" });
  keys = done.keys;
  byId("refused").textContent = shown([...done.refused, ...done.known.map((name) => `${name}: registered before`)].join("; "), 1000);
  byId("names").value = "";
});
for (const [file, text] of [["match-file", "match-text"], ["names-file", "names"]]) {
  byId(file).addEventListener("change", async ({ target }) => { if (target.files[0]) byId(text).value = await target.files[0].text(); });
}
byId("open-round").addEventListener("click", () => act(() => call("/rounds")));
byId("end-all").addEventListener("click", () => act(async () => { const because = await ask("End all games that wait or are being played?", true); if (because) await call("/games", { method: "DELETE", body: JSON.stringify({ because }) }); }));
byId("invite").addEventListener("click", () => act(() => call("/invitation")));
byId("pause").addEventListener("click", () => act(() => call(state.paused ? "/resume" : "/pause")));
byId("hide").addEventListener("click", () => act(() => (state.hidden ? call("/publish", { body: JSON.stringify({ stop: "yes" }) }) : call("/hide"))));
byId("logout").addEventListener("click", () => act(async () => { await call("/organiser/logout"); session = ""; }));
byId("print").addEventListener("click", () => { document.body.classList.add("printing"); print(); document.body.classList.remove("printing"); });
byId("keys-csv").addEventListener("click", () => {
  const cell = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  download("keys.csv", `team,key\n${keys.map(({ name, key }) => `${cell(name)},${cell(key)}`).join("\n")}\n`, "text/csv");
});
byId("keys-done").addEventListener("click", () => { keys = []; byId("refused").textContent = ""; showTeams(); });
byId("theme").addEventListener("click", toggleTheme);

if (location.hash.length > 1) {
  const token = decodeURIComponent(location.hash.slice(1));
  history.replaceState(null, "", location.pathname);  // the token does not stay in the address
  await login(token);
} else await refresh();
document.documentElement.dataset.ready = "yes";
setInterval(() => { if (!byId("controls").hidden && !document.hidden) refresh(); }, AGAIN_MS);
