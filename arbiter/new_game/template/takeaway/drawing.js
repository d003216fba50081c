// Take Away for spectators: each heap is a column of stones. docs/drawings.md explains the arguments of draw().

export const style = `
.stone { fill: color-mix(in srgb, #c9a35a 70%, var(--panel)); stroke: var(--ink); stroke-width: 1.2; }
`;

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const [w, h] = k.narrow ? [400, 560] : [1280, 720];
  const plate = k.narrow ? [8, 184, 46] : [16, 616, 76];
  const winner = view.loser === null ? null : 1 - view.loser;
  const plates = [0, 1].map((seat) => k.plate(plate[0] + seat * (w / 2 - plate[0] / 2), 40, plate[1], plate[2], seat, {
    score: winner === seat ? 1 : 0, detail: doing(k, seat), state: winner === seat ? "winner" : "",
  }));
  const title = winner === null ? `${k.seatName(view.mover)} to move` : `${k.seatName(winner)} wins`;
  return k.sheet(
    w, h, `Take Away: ${view.stones.join(", ")} stones left; ${title}`,
    k.fit(plate[0], 26, title, k.narrow ? 14 : 20, w - 2 * plate[0], { kind: "bold" }),
    plates, view.stones.map((left, heap) => column(k, el, view, context, heap, left, w, h)),
  );
}

function doing(k, seat) {
  const last = k.moved.get(seat);
  const [heap, count] = String(last ? last.move : "").split(" ");
  return count === undefined ? "" : `takes ${count} from heap ${heap}`;
}

/** One heap; a person clicks a stone to take it and all above it. */
function column(k, el, view, context, heap, left, w, h) {
  const width = w / view.stones.length, x = (heap + 0.5) * width;
  const foot = h - (k.narrow ? 34 : 50), room = foot - (k.narrow ? 110 : 140);
  const r = Math.min(width * 0.4, room / Math.max(12, left) / 2);
  const stones = Array.from({ length: left }, (_, index) => {
    const stone = k.place(x, foot - (2 * index + 1) * r, `stone ${heap} ${index}`, k.circle(0, 0, r * 0.92, "stone"));
    const move = `${heap} ${left - index}`;
    if (!context.choices || !context.choices.includes(move)) return stone;
    return el("g", k.choice(`take ${left - index} from heap ${heap}`, { move }), stone, k.circle(x, foot - (2 * index + 1) * r, r, "area"));
  });
  return [stones, k.text(x, foot + (k.narrow ? 22 : 34), `${heap}: ${left}`, k.narrow ? 14 : 22, { anchor: "middle", kind: "num" })];
}
