// The tables of a contest: standings, crosstable, and the panel of one agent with its rating over time.

import { h, points, shown } from "./dom.js";
import { el, toDom } from "./svg.js";

/** Links to the games that a search finds; `base` is the address of the page that takes the search. */
export const linksTo = (base) => (asked, text, label) => h("a", { href: `${base}${new URLSearchParams(asked)}`, "aria-label": label }, text);

/** A rating as the tables have it: halves are rounded to even numbers. */
const signed = (value) => { const whole = Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value); return `${whole > 0 ? "+" : ""}${whole}`.replace("-", "−"); };

/** Standings as the server sends them: columns, and rows with the text of every cell by key. */
export function standingsTable({ columns, rows }, named, others = (key, row) => shown(row[key], 60), styled = () => null) {
  const side = (column) => (column.right ? "right" : null);
  const cell = (column, row) => (column.key === "agent" ? h("th", { scope: "row" }, named(row.agent)) : h("td", { class: side(column) }, others(column.key, row)));
  return [h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: side(column) }, column.heading)))),
    h("tbody", {}, rows.map((row) => h("tr", { class: styled(row) }, columns.map((column) => cell(column, row)))))];
}

export function standings(report, link) {
  const faults = (row) => row.faults && link([["agent", row.agent], ["fault", "any"]], row.faults, `faults of ${shown(row.agent, 60)}`);
  return standingsTable(report.standings, (name) => link([["agent", name]], shown(name, 60)), (key, row) => (key === "faults" ? faults(row) : shown(row[key], 60)));
}

export function crosstable(report, link) {
  const names = report.rows.map((row) => row.agent);
  const cell = (one, other) => {
    const met = report.cross[one]?.[other];
    if (!met) return h("td", { class: one === other ? "self" : "" });
    const box = h("td", { class: "right met" }, link([["agent", one], ["agent", other]], points(met.points),
      `${shown(one, 60)} against ${shown(other, 60)}: ${points(met.points)} points in ${met.games} games`), h("span", { class: "muted" }, ` / ${met.games}`));
    box.style.setProperty("--share", `${Math.round((met.points / met.games) * 100)}%`);
    return box;
  };
  const head = h("thead", {}, h("tr", {}, h("td"), names.map((name, index) => h("th", { scope: "col", class: "right", title: shown(name, 60) }, String(index + 1)))));
  const rows = names.map((one, index) => h("tr", {}, h("th", { scope: "row" }, `${index + 1} ${shown(one, 40)}`), names.map((other) => cell(one, other))));
  return [head, h("tbody", {}, rows)];
}

/** A figure of one agent over the contest, with its 95 % interval. */
function curve(timeline, agent) {
  const line = timeline.curves.find((each) => each.agent === agent);
  const at = (line?.values ?? []).map((value, index) => [timeline.games[index], value, line.low[index] ?? value, line.high[index] ?? value]).filter(([, value]) => value !== null);
  if (at.length < 2) return null;
  const width = innerWidth < 600 ? 330 : 640, height = 150, all = at.flatMap(([, ...values]) => values), low = Math.min(...all), high = Math.max(...all, low + 1e-6);
  const x = (game) => (46 + ((width - 56) * (game - at[0][0])) / Math.max(1, at.at(-1)[0] - at[0][0])).toFixed(1);
  const y = (value) => (height - 20 - ((height - 30) * (value - low)) / (high - low)).toFixed(1);
  const shownValue = (value) => (Math.abs(high) < 5 ? value.toFixed(2) : signed(value));
  const band = [...at.map(([game, , , top]) => `${x(game)},${y(top)}`), ...at.toReversed().map(([game, , bottom]) => `${x(game)},${y(bottom)}`)].join(" ");
  const label = (px, py, text, anchor) => el("text", { x: px, y: py, class: "axis", "text-anchor": anchor }, text);
  const caption = h("figcaption", { class: "muted" }, `${timeline.measure} over the games${line.low.length ? ", with its 95 % interval" : ""}`);
  return h("figure", {}, caption, toDom(el("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${timeline.measure} of ${shown(agent, 60)} over ${at.at(-1)[0]} games: ${shownValue(at.at(-1)[1])}` },
    el("polygon", { points: band, class: "band" }), el("polyline", { points: at.map(([game, value]) => `${x(game)},${y(value)}`).join(" "), class: "curve" }),
    label(40, 14, shownValue(high), "end"), label(40, height - 20, shownValue(low), "end"), label(46, height - 4, `game ${at[0][0]}`, "start"), label(width - 10, height - 4, `game ${at.at(-1)[0]}`, "end"))));
}

export function agentPanel({ standings: { columns, rows }, timelines }, name) {
  const row = rows.find((each) => each.agent === name);
  if (!row) return [];
  const facts = columns.filter((column) => column.key !== "agent").map((column) => [h("dt", {}, column.heading), h("dd", {}, shown(row[column.key] || "–", 200))]);
  const figures = ["rating", "lead", "score"].flatMap((measure) => timelines.filter((each) => each.measure === measure));
  const figure = figures.map((timeline) => curve(timeline, name)).find(Boolean) ?? null;
  return [h("div", { class: "box about-agent" }, h("h2", {}, shown(name, 80)), h("dl", { class: "facts" }, facts), figure)];
}
