// Tron for spectators: walls in the colours and shapes of the riders, heads as badges that glide from cell to cell.

export const style = `
.floor { fill: color-mix(in srgb, var(--muted) 8%, var(--paper)); stroke: var(--line); stroke-width: 1; }
.crash { fill: none; stroke: var(--warn); stroke-width: 3; }
.way { fill: color-mix(in srgb, var(--accent) 25%, transparent); stroke: var(--accent); stroke-width: 1.5; }
`;

const STEPS = { UP: [0, -1], DOWN: [0, 1], LEFT: [-1, 0], RIGHT: [1, 0] };

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const [w, h] = k.narrow ? [400, 620] : [1280, 720];
  const seats = view.riders.length;
  const riding = view.riders.filter((rider) => rider.crashed === null).length;
  const plates = view.riders.map((rider, seat) => {
    const box = k.narrow ? [8 + (seat % 2) * 194, 30 + Math.floor(seat / 2) * 52, 190, 46] : [16, 60 + seat * 96, 300, 84];
    const winner = riding === 1 && rider.crashed === null;
    return k.plate(...box, seat, {
      score: rider.crashed === null ? view.turn : rider.crashed,
      detail: rider.crashed === null ? "riding" : `crashed in turn ${rider.crashed}`, state: winner ? "winner" : rider.crashed === null ? "" : "out",
    });
  });
  const field = k.narrow ? [8, 30 + Math.ceil(seats / 2) * 52 + 6, 384, 450] : [336, 24, 928, 672];
  const size = Math.min(field[2] / view.width, field[3] / view.height);
  const left = field[0] + (field[2] - size * view.width) / 2;
  const place = (x, y) => [left + (x + 0.5) * size, field[1] + (y + 0.5) * size];
  const title = riding > 1 ? `Turn ${view.turn}: ${riding} riding` : `Over after turn ${view.turn}`;
  return k.sheet(
    w, h, `Tron, turn ${view.turn}, ${riding} of ${seats} riders are riding`,
    k.fit(k.narrow ? 8 : 16, k.narrow ? 20 : 40, title, k.narrow ? 14 : 22, k.narrow ? 384 : 300, { kind: "bold" }),
    plates, k.rect(left, field[1], size * view.width, size * view.height, "floor", 2),
    walls(k, view, left, field[1], size), ways(k, el, view, context, place, size),
    view.riders.map((rider, seat) => {
      const [x, y] = place(rider.x, rider.y);
      const r = Math.max(size * 0.46, k.narrow ? 5 : 9);
      return k.place(x, y, `rider ${seat}`, k.badge(0, 0, seat, r), rider.crashed === null ? null : k.circle(0, 0, r * 1.5, "crash"));
    }),
  );
}

/** Walls as runs of cells in a row, so that a large grid has few elements. */
function walls(k, view, left, top, size) {
  const runs = [];
  view.walls.forEach((row, y) => {
    for (const run of row.matchAll(/([0-9])\1*/g)) {
      runs.push(k.rect(left + run.index * size + 0.5, top + y * size + 0.5, run[0].length * size - 1, size - 1, `seat-${run[1]}`, 2));
    }
  });
  return runs;
}

/** What a person can click: the cells around their rider. */
function ways(k, el, view, context, place, size) {
  if (!context.choices || context.person === undefined) return null;
  const rider = view.riders[context.person];
  return context.choices.filter((move) => STEPS[move]).map((move) => {
    const [x, y] = place(rider.x + STEPS[move][0], rider.y + STEPS[move][1]);
    return el("g", k.choice(`ride ${move.toLowerCase()}`, { move }), k.rect(x - size / 2, y - size / 2, size, size, "way", 3));
  });
}
