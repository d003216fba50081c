// Rides where it gets to the most cells before the others do.
const lines = require("readline").createInterface({ input: process.stdin });
const STEPS = { UP: [0, -1], DOWN: [0, 1], LEFT: [-1, 0], RIGHT: [1, 0] };
let width = 0, height = 0, seats = 0, me = 0, turn = [];

/** How many cells I reach first if my head is at `start`: a breadth-first search from all heads at once, mine last. */
function reach(rows, riders, start) {
  const owner = new Map();
  let front = [];
  for (const [seat, rider] of riders.entries()) if (seat !== me && rider.riding) front.push([rider.x, rider.y, seat]);
  front.push([...start, me]);
  owner.set(start[1] * width + start[0], me);
  let mine = 0;
  while (front.length) {
    const next = [];
    for (const [x, y, seat] of front) {
      for (const [dx, dy] of Object.values(STEPS)) {
        const [a, b] = [x + dx, y + dy], cell = b * width + a;
        if (a < 0 || b < 0 || a >= width || b >= height || rows[b][a] !== "." || owner.has(cell)) continue;
        owner.set(cell, seat);
        if (seat === me) mine += 1;
        next.push([a, b, seat]);
      }
    }
    front = next;
  }
  return mine;
}

function choose(riders, rows) {
  const { x, y } = riders[me];
  let best = "UP", most = -1;
  for (const [word, [dx, dy]] of Object.entries(STEPS)) {
    const [a, b] = [x + dx, y + dy];
    if (a < 0 || b < 0 || a >= width || b >= height || rows[b][a] !== ".") continue;
    const cells = reach(rows, riders, [a, b]);
    if (cells > most) [best, most] = [word, cells];
  }
  process.stderr.write(`kibitz ${most} cells are mine\n`);
  return best;
}

lines.on("line", (line) => {
  if (!width) {
    [width, height, seats, me] = line.split(" ").map(Number);
    return;
  }
  turn.push(line);
  if (turn.length < seats + height) return;
  const riders = turn.slice(0, seats).map((text) => text.split(" ").map(Number)).map(([x, y, riding]) => ({ x, y, riding }));
  console.log(choose(riders, turn.slice(seats)));
  turn = [];
});
