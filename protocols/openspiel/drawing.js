// Games of OpenSpiel for spectators: the board as a grid where the text of the position draws one, and else the text.
// docs/drawings.md explains the arguments of draw().

export const style = `
.spiel-cell { fill: var(--panel); stroke: var(--line); stroke-width: 1; }
.spiel-text { font-family: ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre; }
`;

const EMPTY = new Set([".", "-", "_", "*", "0", "+"]);

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const [w, h] = k.narrow ? [400, 560] : [1280, 720];
  const title = view.forfeited.length ? `${view.forfeited.map(k.seatName).join(", ")} forfeited`
    : view.to_move.length ? `${view.to_move.map(k.seatName).join(", ")} to move` : "game over";
  const seats = context.seats.length, columns = Math.min(seats, k.narrow ? 2 : 5), line = k.narrow ? 22 : 32;
  const top = Math.ceil(seats / columns) * line + 2 * line;
  return k.sheet(
    w, h, `After ${view.moves} moves, ${title}: ${shapes.clean(view.text).slice(0, 200)}`,
    context.seats.map((_, seat) => player(k, view, seat, 12 + (seat % columns) * ((w - 24) / columns), Math.floor(seat / columns) * line + line, (w - 24) / columns, line)),
    k.fit(12, top - line * 0.6, title, line * 0.6, w - 24, { kind: "muted" }),
    view.grid.length ? board(k, view, w, h, top) : text(el, view.text, w, h, top, k.narrow ? 16 : 26),
  );
}

function player(k, view, seat, x, y, width, line) {
  const last = k.moved.get(seat), said = last ? `${k.seatName(seat)}: ${last.fault ? "fault" : last.move}` : k.seatName(seat);
  return [k.badge(x + line * 0.4, y - line * 0.2, seat, line * 0.36), k.fit(x + line, y, said, line * 0.6, width - line * 1.2, { kind: view.to_move.includes(seat) ? "bold" : "" })];
}

/** Cells with a letter each: capitals and x in the colour of the seat that moves first, small letters and o in the other's. */
function board(k, { grid, first }, w, h, top) {
  const side = Math.min((w - 24) / grid[0].length, (h - top - 12) / grid.length);
  const left = (w - side * grid[0].length) / 2;
  return grid.map((row, y) => row.map((cell, x) => [
    k.rect(left + x * side, top + y * side, side, side, "spiel-cell", 0),
    EMPTY.has(cell) ? null : k.place(
      left + (x + 0.5) * side, top + (y + 0.5) * side, `${x} ${y}`,
      k.circle(0, 0, side * 0.4, `badge seat-${isFirst(cell) ? first : 1 - Math.min(first, 1)}`),
      k.text(0, side * 0.17, cell, side * 0.48, { anchor: "middle", kind: "badge-text" }),
    ),
  ]));
}

function isFirst(cell) {
  return cell === "x" || (cell !== "O" && cell.toUpperCase() === cell);
}

function text(el, content, w, h, top, most) {
  const lines = content.split("\n"), longest = Math.max(1, ...lines.map((line) => [...line].length));
  const size = Math.max(11, Math.min((w - 24) / longest / 0.62, (h - top - 12) / lines.length / 1.3, most));
  const rows = Math.floor((h - top - 12) / size / 1.3), columns = Math.floor((w - 24) / size / 0.62);
  return lines.slice(0, rows).map((line, row) => el(
    "text", { x: 12, y: top + (row + 1) * size * 1.3, "font-size": size, class: "spiel-text" }, [...line].slice(0, columns).join(""),
  ));
}
