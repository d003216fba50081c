// The world of Rails: the map with lookup tables, what a turn changed, and what a person has composed.

export const COST = [1, 2, 3, 3];
export const PAINT = 3;

/** The map with lookup tables. */
export function chart(view) {
  const height = view.terrain.length, width = view.terrain[0].length;
  const regions = view.regions.map((row) => row.trim().split(/\s+/).map(Number));
  const cells = view.instability.map(() => []);
  regions.forEach((row, y) => row.forEach((region, x) => cells[region].push([x, y])));
  const towns = new Map(view.towns.map((town, id) => [`${town.x} ${town.y}`, id]));
  const safe = new Set(view.towns.map((town) => regions[town.y][town.x]));
  const isTown = regions.map((row, y) => row.map((_, x) => towns.has(`${x} ${y}`)));
  return { width, height, regions, cells, towns, isTown, safe };
}

/** What the last turn changed: new tracks with who paid for them, disrupted and newly inked regions. */
export function changes(view, before, world, moves) {
  const laid = [], paid = [0, 0];
  if (before) {
    view.tracks.forEach((row, y) => {
      for (let x = 0; x < row.length; x += 1) {
        if (row[x] === "." || before.tracks[y][x] !== ".") continue;
        laid.push([x, y]);
        for (const seat of row[x] === "2" ? [0, 1] : [Number(row[x])]) paid[seat] += COST[view.terrain[y][x]];
      }
    });
  }
  const shaken = view.instability.map((value, region) => (before ? value - before.instability[region] : 0));
  const inked = view.inked.map((value, region) => (before && value && !before.inked[region] ? region : -1)).filter((region) => region >= 0);
  const by = moves.map(({ seat, move }) => {
    const order = /DISRUPT (\d+)(?: (\d+))?/.exec(move || "");
    if (!order) return null;
    const region = order[2] === undefined ? Number(order[1]) : world.regions[Number(order[2])]?.[Number(order[1])];
    return shaken[region] > 0 ? { seat, region } : null;
  }).filter(Boolean);
  return { laid, paid, shaken, inked, by };
}

/** The free cell of a region that is nearest to its middle. */
export function centre(view, world, region) {
  const cells = world.cells[region];
  const mx = cells.reduce((sum, [x]) => sum + x, 0) / cells.length, my = cells.reduce((sum, [, y]) => sum + y, 0) / cells.length;
  const far = ([x, y]) => (x - mx) ** 2 + (y - my) ** 2 + (view.tracks[y][x] === "." ? 0 : 1.5) + (world.isTown[y][x] ? 50 : 0);
  return cells.reduce((best, cell) => (far(cell) < far(best) ? cell : best), cells[0]);
}

/** For every cell a number, the same for cells that can still be joined by tracks; -1 where there is ink. */
export function components(view, world) {
  const found = world.regions.map((row) => row.map((region) => (view.inked[region] ? -1 : null)));
  let count = 0;
  found.forEach((row, y) => row.forEach((_, x) => {
    const open = [[x, y]];
    count += 1;
    while (open.length) {
      const [cx, cy] = open.pop();
      if (found[cy]?.[cx] !== null) continue;
      found[cy][cx] = count;
      open.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1]);
    }
  }));
  return found;
}

/** The tracks, the route between towns and the region that clicks stand for, and the paint that is left besides the route. */
export function composed(view, world, picked) {
  const cells = [];
  let route = [];
  let region = null, paint = PAINT;
  for (const token of picked) {
    const [word, ...numbers] = token.split(" ");
    const name = numbers.join(" ");
    if (word === "town") route = route.includes(Number(name)) ? route.filter((id) => id !== Number(name)) : [...route.slice(0, 1), Number(name)];
    else if (word === "disrupt") region = region === name ? null : name;
    else if (cells.includes(name)) cells.splice(cells.indexOf(name), 1);
    else cells.push(name);
  }
  const kept = cells.filter((name) => {
    const [x, y] = name.split(" ").map(Number);
    const free = view.tracks[y]?.[x] === "." && !world.towns.has(name) && !view.inked[world.regions[y][x]];
    const cost = free ? COST[view.terrain[y][x]] : Infinity;
    if (cost > paint) return false;
    paint -= cost;
    return true;
  });
  return { cells: kept, region, route: paint > 0 ? route : [], paint };
}
