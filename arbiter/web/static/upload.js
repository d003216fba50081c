// Where a team uploads its program. The key is sent with every request and kept nowhere.

import { byId, h, shown } from "./dom.js";
import { clock, put } from "./arena_parts.js";
import { toggleTheme } from "./theme.js";

let key = "", most = Infinity;

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
    if (found?.versions) show(found);
  } catch (error) {
    byId("problem").textContent = shown(error.message, 2000);
  }
}

function show({ team, plays, versions, most_bytes }) {
  most = most_bytes;
  byId("key-form").hidden = true;
  byId("own").hidden = false;
  byId("facts").textContent = shown(team, 60);
  byId("network").hidden = plays === 0;
  const button = (label, path) => h("button", { type: "button", class: "small", "data-path": path }, label);
  put(byId("versions"), h("tbody", {}, versions.toReversed().map((each) => h("tr", {}, h("th", { scope: "row" }, `version ${each.version}`), h("td", {}, shown(each.file, 60), " ", h("span", { class: "muted" }, `${shown(each.language, 30)} ${clock(each.at)}`), each.problem && h("pre", { class: "problem" }, shown(each.problem))),
    h("td", { class: "acts" }, each.version === plays ? "plays" : !each.problem && button("Let it play", `/uploads/${each.version}/play`), " ", !each.problem && button("Try a game", `/uploads/${each.version}/try`))))));
}

byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  key = byId("key").value.trim();
  act(() => call("/uploads", null, "GET"));
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
  const { path } = target.dataset;
  if (path) act(async () => { const found = await call(path); if (found.game) location.href = `/${found.game}`; return found; });
});
byId("network").addEventListener("click", () => act(() => call("/uploads/0/play")));
byId("theme").addEventListener("click", toggleTheme);
document.documentElement.dataset.ready = "yes";
