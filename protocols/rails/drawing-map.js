// The map of Rails: terrain, regions, ink, tracks, connections and towns.

import { centre } from "./drawing-world.js";

const AROUND = [[0, -1], [1, 0], [0, 1], [-1, 0]];

export const drop = (k, x, y, r) => `M${k.at(x)} ${k.at(y - r)}q${k.at(r)} ${k.at(r)} ${k.at(r * 0.75)} ${k.at(r * 1.4)}a${k.at(r * 0.78)} ${k.at(r * 0.7)} 0 0 1 ${k.at(-r * 1.5)} 0q${k.at(-r * 0.25)} ${k.at(-r * 0.4)} ${k.at(r * 0.75)} ${k.at(-r * 1.4)}z`;

export function map(el, k, view, before, world, news, [x0, y0, s]) {
  const X = (x) => k.at(x0 + x * s), Y = (y) => k.at(y0 + y * s);
  const mid = ([x, y]) => [x0 + (x + 0.5) * s, y0 + (y + 0.5) * s];
  return [
    land(k, view, world, X, Y, mid, [x0, y0, s]),
    shaken(k, view, world, news, X, Y, s), lights(el, k, view, before, mid, s), tracks(el, k, view, world, news, mid, s),
    towns(el, k, view, mid, s), instability(el, k, view, world, news, mid, s), k.rect(x0, y0, s * world.width, s * world.height, "rule", 3),
  ];
}

/** Terrain, ink and the borders of regions: what few turns change. */
function land(k, view, world, X, Y, mid, [x0, y0, s]) {
  const paths = { river: "", wave: "", mountain: "", peak: "", interest: "", star: "", inked: "", hatch: "", border: "" };
  const box = (x, y) => `M${X(x)} ${Y(y)}h${k.at(s)}v${k.at(s)}h${k.at(-s)}z`;
  for (let y = 0; y < world.height; y += 1) {
    for (let x = 0; x < world.width; x += 1) {
      const region = world.regions[y][x], kind = view.terrain[y][x];
      if (view.inked[region]) {
        paths.inked += box(x, y);
        paths.hatch += `M${X(x)} ${Y(y + 1)}l${k.at(s)} ${k.at(-s)}M${X(x)} ${Y(y + 0.5)}l${k.at(s / 2)} ${k.at(-s / 2)}M${X(x + 0.5)} ${Y(y + 1)}l${k.at(s / 2)} ${k.at(-s / 2)}`;
      } else if (kind === "1") {
        paths.river += box(x, y);
        for (const part of [0.36, 0.68]) paths.wave += `M${X(x + 0.16)} ${Y(y + part)}q${k.at(s * 0.17)} ${k.at(-s * 0.18)} ${k.at(s * 0.34)} 0t${k.at(s * 0.34)} 0`;
      } else if (kind === "2") {
        paths.mountain += box(x, y);
        paths.peak += `M${X(x + 0.12)} ${Y(y + 0.82)}l${k.at(s * 0.28)} ${k.at(-s * 0.6)}l${k.at(s * 0.17)} ${k.at(s * 0.32)}l${k.at(s * 0.11)} ${k.at(-s * 0.18)}l${k.at(s * 0.2)} ${k.at(s * 0.46)}z`;
      } else if (kind === "3") {
        paths.interest += box(x, y);
        paths.star += star(k, ...mid([x, y]), s * 0.36);
      }
      if (x + 1 < world.width && world.regions[y][x + 1] !== region) paths.border += `M${X(x + 1)} ${Y(y)}v${k.at(s)}`;
      if (y + 1 < world.height && world.regions[y + 1][x] !== region) paths.border += `M${X(x)} ${Y(y + 1)}h${k.at(s)}`;
    }
  }
  return [
    k.rect(x0, y0, s * world.width, s * world.height, "plain", 3),
    ["river", "wave", "mountain", "peak", "interest", "star", "inked", "hatch", "border"].map((kind) => (paths[kind] ? k.path(paths[kind], kind) : null)),
  ];
}

export function star(k, x, y, r) {
  return [...Array(10).keys()].map((index) => { const d = index % 2 ? r * 0.45 : r, a = (index * Math.PI) / 5 - Math.PI / 2; return `${index ? "L" : "M"}${k.at(x + d * Math.cos(a))} ${k.at(y + d * Math.sin(a))}`; }).join("") + "z";
}

/** The edge of every region that was disrupted or inked out in this turn. */
function shaken(k, view, world, news, X, Y, s) {
  let edge = "";
  world.cells.forEach((cells, region) => {
    if (!(news.shaken[region] > 0)) return;
    for (const [x, y] of cells) {
      const other = (dx, dy) => world.regions[y + dy]?.[x + dx] !== region;
      if (other(0, -1)) edge += `M${X(x)} ${Y(y)}h${k.at(s)}`;
      if (other(0, 1)) edge += `M${X(x)} ${Y(y + 1)}h${k.at(s)}`;
      if (other(-1, 0)) edge += `M${X(x)} ${Y(y)}v${k.at(s)}`;
      if (other(1, 0)) edge += `M${X(x + 1)} ${Y(y)}v${k.at(s)}`;
    }
  });
  return edge ? k.path(edge, "shaky") : null;
}

/** Active connections as light along their routes; those of this turn brighter. */
function lights(el, k, view, before, mid, s) {
  const old = new Set((before ? before.connections : view.connections).map((each) => `${each.from}-${each.to}`));
  return view.connections.map((each) => k.place(0, 0, `link-${each.from}-${each.to}`, el(
    "polyline", { points: each.path.map((cell) => mid(cell).map(k.at).join(",")).join(" "), class: old.has(`${each.from}-${each.to}`) ? "lit" : "lit-new", "stroke-width": k.at(s * (old.has(`${each.from}-${each.to}`) ? 0.86 : 0.8)) },
    el("title", {}, `connection ${each.from} to ${each.to}`),
  )));
}

/** Tracks: round for seat 0, square for seat 1, diamonds for neutral ones; linked to their neighbours. */
function tracks(el, k, view, world, news, mid, s) {
  const fresh = new Set(news.laid.map(([x, y]) => `${x} ${y}`));
  const laid = (x, y) => (view.tracks[y]?.[x] ?? ".") !== "." || world.isTown[y]?.[x] === true;
  const parts = [];
  view.tracks.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] === ".") continue;
      const linked = AROUND.map(([dx, dy]) => laid(x + dx, y + dy));
      parts.push(track(el, k, Number(row[x]), x, y, linked, fresh.has(`${x} ${y}`), mid, s));
    }
  });
  return parts;
}

function track(el, k, owner, x, y, linked, isNew, mid, s) {
  const arms = AROUND.filter((_, index) => linked[index]).map(([dx, dy]) => `M0 0L${k.at((dx * s) / 2)} ${k.at((dy * s) / 2)}`).join("");
  return k.place(
    ...mid([x, y]), `track-${x}-${y}`, el("title", {}, `track of ${owner === 2 ? "nobody" : k.seatName(owner)} at ${x} ${y}`),
    arms ? [el("path", { d: arms, class: "casing", "stroke-width": k.at(s * 0.3) }), el("path", { d: arms, class: `rail line-${owner}`, "stroke-width": k.at(s * 0.2) })] : null,
    k.outline(owner, s * (owner === 0 ? 0.25 : 0.24), `node seat-${owner}`),
    isNew ? k.rect(-s * 0.46, -s * 0.46, s * 0.92, s * 0.92, "now", s * 0.2) : null,
  );
}

function towns(el, k, view, mid, s) {
  const r = Math.max(s * 0.46, k.narrow ? 9 : 15), size = Math.max(r * 1.1, k.narrow ? 11 : 15);
  return view.towns.map((town, id) => {
    const [x, y] = mid([town.x, town.y]);
    return k.place(x, y, null, el("title", {}, `town ${id}, wishes for ${town.wishes.join(", ") || "nothing"}`), k.circle(0, 0, r, "town"), k.text(0, size * 0.36, id, size, { anchor: "middle", kind: "num" }));
  });
}

/** A drop of ink in each unstable region: how often it was disrupted, and who has just done it. */
function instability(el, k, view, world, news, mid, s) {
  const r = Math.max(s * 0.42, k.narrow ? 10.5 : 15);
  return view.instability.map((value, region) => {
    if (!value || (view.inked[region] && !(news.shaken[region] > 0))) return null;
    const [x, y] = mid(centre(view, world, region));
    const who = news.by.filter((each) => each.region === region);
    return k.place(
      x, y, null, el("title", {}, `region ${region}: ${value} of ${view.ink_threshold} disruptions`),
      k.path(drop(k, 0, -r * 0.2, r), "drop"), k.text(0, r * 0.55, value, r * 1.05, { anchor: "middle", kind: "drop-text" }),
      who.map((each, index) => k.badge(r * 1.1 + index * r * 1.1, -r * 0.8, each.seat, r * 0.62)),
    );
  });
}
