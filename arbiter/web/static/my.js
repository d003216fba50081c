// A team's own page: its program, its games with faults and times, its uploads. The key is sent with every request and kept nowhere.

import { byId, download, h, shown } from "./dom.js";
import { clock, light, put, table, who } from "./arena_parts.js";
import { toggleTheme } from "./theme.js";

const AGAIN_MS = 2500;
let key = "", most = Infinity, opened = "", answers = [];

async function call(path, body = null, method = "POST") {
  const response = await fetch(path, { method, body, headers: { authorization: `Bearer ${key}` } });
  const found = await response.json();
  if (!response.ok) throw new Error(found.error ?? `the server answered ${response.status}`);
  return found;
}

async function act(work) {
  try {
    byId("problem").textContent = "";
    const found = await work();
    if (found?.versions) showVersions(found);
  } catch (error) {
    byId("problem").textContent = shown(error.message, 2000);
  }
}

const button = (label, name, value) => h("button", { type: "button", class: "small", [`data-${name}`]: value }, label);
const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

async function refresh() {
  const found = await call("/my/team", null, "GET");
  byId("key-form").hidden = byId("register-form").hidden = true;
  byId("own").hidden = false;
  byId("uploads").hidden = !found.uploads;
  byId("team").textContent = shown(found.team, 60);
  put(byId("connection"), light(found.connection));
  put(byId("games"), table(["game", "who", "state", "time per move", "faults", ""], found.games.map((game) => h("tr", {},
    h("td", {}, game.shown && ["playing", "finished"].includes(game.status) ? h("a", { href: `/${game.id}` }, game.id) : game.id, h("div", { class: "muted" }, `${shown(game.category || game.kind, 60)} ${clock(game.at)}`)),
    h("td", {}, who(game)), h("td", {}, game.annulled ? `annulled: ${shown(game.annulled, 100)}` : game.reason ? shown(game.reason, 100) : game.status),
    h("td", {}, game.times_ms ? `${ms(game.times_ms[0])}, slowest ${ms(game.times_ms[1])}` : ""), h("td", {}, game.faults ? `${game.faults[game.seat]}` : ""),
    h("td", { class: "acts" }, game.shown && game.status !== "waiting" && (game.status !== "playing" || game.kind === "training") && button("Answers", "answers", game.id)))), "No game yet."));
  if (opened) await showAnswers(found.games.find((game) => game.id === opened));
}

/** What the program answered in a game; while a self-test waits for the program, that it does. */
async function showAnswers(game) {
  byId("answers-box").hidden = false;
  byId("answers-heading").textContent = `Answers in game ${opened}`;
  answers = game && game.status !== "waiting" ? await call(`/my/games/${opened}`, null, "GET").catch(() => []) : [];
  const evidence = (line) => [line.fault, line.said && `said ${JSON.stringify(line.said)}`, ...line.notes].filter(Boolean).map((text) => h("div", { class: line.fault ? "problem" : "muted" }, shown(text, 1000)));
  put(byId("answers"), table(["turn", "answer", "time", ""], answers.map((line) => h("tr", {}, h("td", {}, line.turn), h("td", {}, shown(line.move, 200)), h("td", {}, ms(line.charged_ms)), h("td", {}, evidence(line)))),
    game?.status === "waiting" ? "Waiting for your program to join." : "No answer yet."));
}

function showVersions({ plays, versions, most_bytes }) {
  most = most_bytes;
  byId("network").hidden = plays === 0;
  put(byId("versions"), h("tbody", {}, versions.toReversed().map((each) => h("tr", {}, h("th", { scope: "row" }, `version ${each.version}`), h("td", {}, shown(each.file, 60), " ", h("span", { class: "muted" }, `${shown(each.language, 30)} ${clock(each.at)}`), each.problem && h("pre", { class: "problem" }, shown(each.problem))),
    h("td", { class: "acts" }, each.version === plays ? "plays" : !each.problem && button("Let it play", "path", `/uploads/${each.version}/play`), " ", !each.problem && button("Try a game", "path", `/uploads/${each.version}/try`))))));
}

async function enter() {
  await refresh();
  if (!byId("uploads").hidden) showVersions(await call("/uploads", null, "GET"));
  setInterval(() => { if (!document.hidden) refresh().catch(() => {}); }, AGAIN_MS);
}

byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  key = byId("key").value.trim();
  act(enter);
});
byId("register-form").addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    const made = await call("/my/register", JSON.stringify({ name: byId("name").value, invitation: location.hash.slice(1) }));
    key = byId("key-shown").textContent = made.key;
    byId("new-key").hidden = false;
    history.replaceState(null, "", location.pathname);
    await enter();
  });
});
byId("upload-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const [file] = byId("file").files;
  if (file.size > most) { byId("problem").textContent = `The file must not be larger than ${most / 2 ** 20} MB.`; return; }
  byId("outcome").textContent = "Building …";
  byId("send").disabled = true;
  act(async () => {
    const found = await call(`/uploads?file=${encodeURIComponent(file.name)}&play=${byId("play").checked ? "yes" : "no"}`, file);
    byId("outcome").textContent = found.uploaded.problem ? `Version ${found.uploaded.version} cannot play.` : `Version ${found.uploaded.version} is built.`;
    return found;
  }).finally(() => { byId("send").disabled = false; if (byId("problem").textContent) byId("outcome").textContent = ""; });
});
document.addEventListener("click", ({ target }) => {
  const { path, answers: id } = target.dataset;
  if (path) act(async () => { const found = await call(path); if (found.game) location.href = `/${found.game}`; return found; });
  if (id) act(async () => { opened = id; await refresh(); byId("answers-box").scrollIntoView({ block: "nearest" }); });
});
byId("test").addEventListener("click", () => act(async () => { opened = (await call("/my/test")).game; await refresh(); }));
byId("save").addEventListener("click", () => download(`answers-${opened}.jsonl`, answers.map((line) => `${JSON.stringify(line)}\n`).join(""), "application/x-ndjson"));
byId("network").addEventListener("click", () => act(() => call("/uploads/0/play")));
byId("theme").addEventListener("click", toggleTheme);
byId("register-form").hidden = location.hash.length < 2;
document.documentElement.dataset.ready = "yes";
