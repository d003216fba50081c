// The page of a contest as one file, beside its report: agents, crosstable and games, chosen by the address.

import { agentPanel, crosstable, linksTo, standings } from "./contest.js";
import { byId, h, plural, shown } from "./dom.js";
import { gameLine } from "./game-line.js";
import { unpacked } from "./source.js";
import { toggleTheme } from "./theme.js";

const PAGE = 100;

/** Whether a game is one of those that the address asks for: all these agents met, and one of them had a fault. */
function wanted(game, agents, faulty) {
  const seats = agents.map((agent) => game.seats.indexOf(agent));
  return !seats.includes(-1) && (!faulty || seats.some((seat) => Object.keys(game.faults[seat] ?? {}).length > 0));
}

class ContestPage {
  constructor(report) {
    this.report = report;
    this.limit = PAGE;
    byId("title").textContent = document.title = shown(report.title || report.name, 120);
    byId("facts").textContent = `${shown(report.game, 60)} · ${report.counts.played}${report.counts.total ? ` of ${report.counts.total}` : ""} games`;
    byId("answer").textContent = shown(report.asked || report.answer, 500);
    byId("report").href = report.back;
    const link = linksTo("#");
    byId("standings").replaceChildren(...standings(report, link));
    byId("cross").replaceChildren(...crosstable(report, link));
    byId("cross-box").hidden = report.rows.length < 2;
    byId("more").addEventListener("click", () => { this.limit = this.limit * 2 + PAGE; this.show(); });
    byId("theme").addEventListener("click", toggleTheme);
    addEventListener("hashchange", () => { this.limit = PAGE; this.show(); scrollTo(0, 0); });
    this.show();
  }

  show() {
    const { report } = this, asked = new URLSearchParams(location.hash.slice(1)), agents = asked.getAll("agent");
    const games = report.games.filter((game) => wanted(game, agents, asked.has("fault")));
    const filtered = agents.length > 0;
    byId("agent").hidden = agents.length !== 1;
    byId("agent").replaceChildren(...(agents.length === 1 ? agentPanel(report, agents[0]) : []));
    byId("count").textContent = filtered ? `${plural(games.length, "game")} of ${report.games.length}` : plural(games.length, "game");
    byId("clear").hidden = !filtered;
    byId("list").replaceChildren(...games.slice(0, this.limit).map((game) => gameLine({ ...game, finished: true, first_seat: report.first_seat, contest: report.name }, game.page)));
    byId("more").hidden = games.length <= this.limit;
  }
}

export async function start() {
  try {
    window.page = new ContestPage(JSON.parse(new TextDecoder().decode(await unpacked(byId("data").textContent))));
    document.documentElement.dataset.ready = "yes";
  } catch (error) {
    byId("problem").replaceChildren(h("span", {}, shown(error.message, 500)));
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}
