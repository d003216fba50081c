// A typical first entry on a contest site, reading with the site's global readline(). It computes the paint that every
// wish still needs and orders an AUTOPLACE for the cheapest one that is not connected; it disrupts the region in
// which the opponent's tracks carry most connections and its own few, and prefers regions that are already unstable.

const PRICES = [1, 2, 3, 3]; // paint for a track, by terrain
const NEIGHBOURS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

const myId = parseInt(readline());
const width = parseInt(readline());
const height = parseInt(readline());
const size = width * height;
const region = [];
const terrain = [];
for (let cell = 0; cell < size; cell++) {
  const inputs = readline().split(' ');
  region.push(parseInt(inputs[0]));
  terrain.push(parseInt(inputs[1]));
}
const townCount = parseInt(readline());
const towns = [];
for (let i = 0; i < townCount; i++) {
  const inputs = readline().split(' ');
  const x = parseInt(inputs[1]);
  const y = parseInt(inputs[2]);
  const wishes = inputs[3] === 'x' ? [] : inputs[3].split(',').map(Number);
  towns.push({ id: parseInt(inputs[0]), x, y, cell: y * width + x, wishes });
}
const townById = new Map(towns.map((town) => [town.id, town]));
const isTown = new Set(towns.map((town) => town.cell));
const safeRegions = new Set(towns.map((town) => region[town.cell]));

const neighbours = [];
for (let cell = 0; cell < size; cell++) {
  const x = cell % width;
  const y = (cell - x) / width;
  neighbours.push(
    NEIGHBOURS.map(([dx, dy]) => [x + dx, y + dy])
      .filter(([nx, ny]) => nx >= 0 && nx < width && ny >= 0 && ny < height)
      .map(([nx, ny]) => ny * width + nx)
  );
}

// The least paint from a cell to every other one; Infinity where ink blocks every route.
function paintFrom(start, price) {
  const paint = new Array(size).fill(Infinity);
  paint[start] = 0;
  const buckets = [[start]];
  for (let spent = 0; spent < buckets.length; spent++) {
    const bucket = buckets[spent] || [];
    for (let i = 0; i < bucket.length; i++) {
      const cell = bucket[i];
      if (paint[cell] < spent) continue;
      for (const near of neighbours[cell]) {
        const next = spent + price[near];
        if (next < paint[near]) {
          paint[near] = next;
          (buckets[next] = buckets[next] || []).push(near);
        }
      }
    }
  }
  return paint;
}

// The unconnected wish that needs the least paint; undefined if none can be fulfilled any longer.
function cheapestWish(cells) {
  const active = new Set(cells.flatMap((cell) => cell.connections));
  const price = cells.map((cell, at) =>
    cell.inked ? Infinity : cell.owner >= 0 || isTown.has(at) ? 0 : PRICES[terrain[at]]);
  let best;
  for (const from of towns) {
    const open = from.wishes.filter((id) => !active.has(`${from.id}-${id}`));
    if (open.length === 0) continue;
    const paint = paintFrom(from.cell, price);
    for (const id of open) {
      const to = townById.get(id);
      if (paint[to.cell] < (best ? best.paint : Infinity)) best = { from, to, paint: paint[to.cell] };
    }
  }
  return best;
}

// The region whose loss hurts the opponent most; undefined if none is worth it.
function bestTarget(cells) {
  const regions = new Map();
  cells.forEach((cell, at) => {
    if (cell.owner !== 0 && cell.owner !== 1) return;
    if (cell.inked || safeRegions.has(region[at])) return;
    if (!regions.has(region[at])) {
      regions.set(region[at], { id: region[at], theirs: 0, mine: 0, instability: cell.instability });
    }
    // A track that is not on a connection yet counts a little: it is probably meant for one.
    const worth = cell.connections.length + 0.25;
    regions.get(region[at])[cell.owner === myId ? 'mine' : 'theirs'] += worth;
  });
  let best;
  for (const entry of regions.values()) {
    entry.gain = (entry.theirs - 1.5 * entry.mine) * (1 + entry.instability);
    if (entry.gain > (best ? best.gain : 0)) best = entry;
  }
  return best;
}

// game loop
while (true) {
  const first = readline();
  if (first === undefined) break;
  const myScore = parseInt(first);
  const foeScore = parseInt(readline());
  const cells = [];
  for (let cell = 0; cell < size; cell++) {
    const inputs = readline().split(' ');
    cells.push({
      owner: parseInt(inputs[0]),
      instability: parseInt(inputs[1]),
      inked: inputs[2] === '1',
      connections: inputs[3] === 'x' ? [] : inputs[3].split(','),
    });
  }

  const actions = [];
  const reasons = [`${myScore} to ${foeScore}`];
  const wish = cheapestWish(cells);
  if (wish) {
    actions.push(`AUTOPLACE ${wish.to.x} ${wish.to.y} ${wish.from.x} ${wish.from.y}`);
    reasons.push(`${wish.from.id} to ${wish.to.id} for ${wish.paint} paint`);
  }
  const target = bestTarget(cells);
  if (target) {
    actions.push(`DISRUPT ${target.id}`);
    reasons.push(`region ${target.id} serves them ${target.theirs} and me ${target.mine}`);
  }
  console.error('kibitz ' + reasons.join(', '));
  console.log(actions.join(';') || 'WAIT');
}
