// What the drawings of all games have in common: seat badges, score plates, headings, fitted text, the highlight.
// A drawing gets this module as the fourth argument of draw(view, context, el, shapes) and calls shapes.kit(el, context).
// It imports nothing, keeps no state and touches no document.

export const style = `
text { fill: var(--ink); font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; unicode-bidi: isolate; }
.muted { fill: var(--muted); }
.bold { font-weight: 700; }
.num { font-variant-numeric: tabular-nums; font-weight: 700; }
.panel { fill: var(--panel); stroke: var(--line); stroke-width: 1; }
.rule { stroke: var(--line); stroke-width: 1; fill: none; }
.hollow { fill: none; stroke: var(--line); stroke-width: 1.5; stroke-dasharray: 4 3; }
.now { fill: none; stroke: var(--accent); stroke-width: 3; }
.glow { fill: var(--accent); opacity: 0.16; }
.accent { fill: var(--accent); }
.warn { fill: var(--warn); }
.on { fill: var(--paper); }
.seat-0 { fill: var(--seat-0); } .seat-1 { fill: var(--seat-1); } .seat-2 { fill: var(--seat-2); } .seat-3 { fill: var(--seat-3); }
.line-0 { stroke: var(--seat-0); } .line-1 { stroke: var(--seat-1); } .line-2 { stroke: var(--seat-2); } .line-3 { stroke: var(--seat-3); }
.tint-0 { fill: color-mix(in srgb, var(--seat-0) 13%, var(--panel)); } .tint-1 { fill: color-mix(in srgb, var(--seat-1) 13%, var(--panel)); }
.tint-2 { fill: color-mix(in srgb, var(--seat-2) 13%, var(--panel)); } .tint-3 { fill: color-mix(in srgb, var(--seat-3) 13%, var(--panel)); }
.badge { stroke: var(--ink); stroke-width: 1.2; }
.badge-text { fill: #000; font-weight: 800; }
.choice { cursor: pointer; }
.choice .ring, .ring { fill: none; stroke: var(--accent); stroke-width: 2.5; stroke-dasharray: 6 4; }
.choice:hover .ring, .choice:focus .ring { stroke-dasharray: none; stroke-width: 4; }
.choice:focus { outline: none; }
.area { fill: var(--ink); opacity: 0; }
.choice:hover .area, .choice:focus .area { opacity: 0.08; }
.picked .ring { stroke-dasharray: none; stroke-width: 4; }
.pill { fill: color-mix(in srgb, var(--accent) 22%, var(--panel)); stroke: var(--accent); stroke-width: 1.5; }
.pill-warn { fill: color-mix(in srgb, var(--warn) 22%, var(--panel)); stroke: var(--warn); stroke-width: 1.5; }
.pill-quiet { fill: var(--panel); stroke: var(--line); stroke-width: 1; }
`;

const NARROW = new Set("iljtfrI.,:;'!|()[] -");
const BROAD = new Set("mwMW@%");

/** Estimated width of a text in ems, on the generous side for the usual system fonts. */
export function ems(text, weight = 1) {
  let sum = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0);
    if (code >= 0x1100) sum += 1.05;
    else if (NARROW.has(letter)) sum += 0.4;
    else if (BROAD.has(letter)) sum += 0.97;
    else if (letter >= "A" && letter <= "Z") sum += 0.72;
    else sum += 0.63;
  }
  return sum * weight;
}

/** The text on one line: control and direction marks out, blanks joined, no lone surrogates. */
export function clean(text) {
  return String(text ?? "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, " ")
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/\s+/g, " ").trim();
}

/** The text, cut with an ellipsis to fit a width at a font size. */
export function fitted(text, size, width, weight = 1) {
  // Long before it is measured, a megabyte is cut to what could ever fit.
  const letters = [...clean(String(text ?? "").slice(0, 400))];
  if (ems(letters.join(""), weight) * size <= width) return letters.join("");
  const room = width / size - 0.9;
  let kept = "", used = 0;
  for (const letter of letters) {
    used += ems(letter, weight);
    if (used > room) break;
    kept += letter;
  }
  return kept.trimEnd() + "…";
}

/** A number for an attribute: at most two decimals, never NaN. */
export function at(value) {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}

/** A count for people: 1 234 as it is, large ones shortened. */
export function short(value) {
  const count = Number.isInteger(value) ? value : Math.round(value * 100) / 100;
  if (Math.abs(count) < 10000) return String(count);
  for (const [unit, letter] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (Math.abs(count) >= unit) return `${Math.floor((count / unit) * 10) / 10}${letter}`;
  }
  return String(count);
}

/** Helpers bound to el() and the context of one drawing. */
export function kit(el, context) {
  const narrow = Boolean(context.narrow);
  const moves = context.moves || [];
  const moved = new Map(moves.map((each) => [each.seat, each]));

  const seatName = (seat) => clean((context.seats[seat] || {}).name).slice(0, 300) || `seat ${seat}`;

  function text(x, y, content, size, { anchor = "start", kind = "", key } = {}) {
    return el("text", { x: at(x), y: at(y), "font-size": at(size), "text-anchor": anchor, class: kind || null, key }, content);
  }

  /** Text cut to a width; the whole of it stays as its title. */
  function fit(x, y, content, size, width, { anchor = "start", kind = "" } = {}) {
    const weight = /bold|num/.test(kind) ? 1.08 : 1;
    const shown = fitted(content, size, width, weight);
    const whole = clean(String(content ?? "").slice(0, 400));
    return el(
      "text", { x: at(x), y: at(y), "font-size": at(size), "text-anchor": anchor, class: kind || null },
      shown, shown === whole ? null : el("title", {}, whole),
    );
  }

  function rect(x, y, width, height, kind, radius = 6) {
    return el("rect", { x: at(x), y: at(y), width: at(Math.max(0, width)), height: at(Math.max(0, height)), rx: at(radius), class: kind });
  }

  const circle = (x, y, r, kind) => el("circle", { cx: at(x), cy: at(y), r: at(r), class: kind });
  const line = (x1, y1, x2, y2, kind) => el("line", { x1: at(x1), y1: at(y1), x2: at(x2), y2: at(y2), class: kind });
  const path = (d, kind) => el("path", { d, class: kind });
  const place = (x, y, key, ...children) => el("g", { transform: `translate(${at(x)} ${at(y)})`, key }, ...children);
  const named = (title, ...children) => el("g", {}, el("title", {}, title), ...children);

  /** The outline of a seat's badge: circle, square, diamond, hexagon. */
  function outline(seat, r, kind) {
    if (seat === 0) return el("circle", { r: at(r), class: kind });
    if (seat === 1) return el("rect", { x: at(-r * 0.9), y: at(-r * 0.9), width: at(r * 1.8), height: at(r * 1.8), rx: at(r * 0.2), class: kind });
    const corners = seat === 2
      ? [[0, -1.22], [1.22, 0], [0, 1.22], [-1.22, 0]]
      : [[-0.56, -1], [0.56, -1], [1.12, 0], [0.56, 1], [-0.56, 1], [-1.12, 0]];
    return el("polygon", { points: corners.map(([x, y]) => `${at(x * r)},${at(y * r)}`).join(" "), class: kind });
  }

  /** The mark of a seat: its colour, its shape and its number. */
  function badge(x, y, seat, r, label = context.seats[seat]?.label ?? String(seat)) {
    return el(
      "g", { transform: `translate(${at(x)} ${at(y)})` },
      el("title", {}, seatName(seat)),
      outline(seat, r, `badge seat-${seat}`),
      el("text", { y: at(r * 0.42), "font-size": at(r * 1.2), "text-anchor": "middle", class: "badge-text" }, label),
    );
  }

  /**
   * The plate of a seat: badge, name, score, one line of detail; outlined if the seat has just moved.
   * `label` is the number in the badge, `state` "winner" or "out".
   */
  function plate(x, y, width, height, seat, { score, unit = "", detail = "", label, state = "" }) {
    const fault = moved.get(seat)?.fault, now = moved.has(seat);
    const big = Math.min(height * 0.6, narrow ? 22 : width < 450 ? 32 : 40);
    const small = narrow ? 11.5 : Math.min(19, height * 0.31);
    const r = Math.min(height * 0.3, narrow ? 12 : 20);
    const pad = narrow ? 7 : 12;
    const shown = String(score);
    const scoreWidth = ems(shown, 1.1) * big + (unit ? ems(unit) * small + 5 : 0);
    const room = width - 2 * pad - 2.5 * r - pad - scoreWidth - 4;
    const name = (state === "winner" ? "★ " : "") + seatName(seat);
    const usual = narrow ? 13 : Math.max(16, Math.min(21, height * 0.34));
    // A long name or detail is first set smaller, and cut only then.
    const nameSize = Math.max(Math.min(usual, narrow ? 11.5 : 16), Math.min(usual, room / ems(name, 1.08)));
    const said = fault ? `✗ ${typeof fault === "string" ? fault : fault.kind || "fault"}` : detail;
    const saidSize = said ? Math.max(narrow ? 11 : 15, Math.min(small, room / ems(said, fault ? 1.08 : 1))) : small;
    const middle = y + height / 2;
    return el(
      "g", {},
      rect(x, y, width, height, `panel tint-${seat}`, 8),
      now ? rect(x + 1, y + 1, width - 2, height - 2, "now", 7) : null,
      badge(x + pad + r * 1.15, middle, seat, r, label),
      fit(x + pad * 1.8 + r * 2.5, said ? middle - nameSize * 0.12 : middle + nameSize * 0.35, name, nameSize, room, { kind: "bold" }),
      said ? fit(x + pad * 1.8 + r * 2.5, middle + small * 1.12, said, saidSize, room, { kind: fault ? "warn bold" : "muted" }) : null,
      text(x + width - pad - (unit ? ems(unit) * small + 5 : 0), middle + big * 0.36, shown, big, { anchor: "end", kind: "num score" }),
      unit ? text(x + width - pad, middle + big * 0.36, unit, small, { anchor: "end", kind: "muted" }) : null,
    );
  }

  /** A small heading. */
  const heading = (x, y, content, width = 400, options = {}) =>
    fit(x, y, content, narrow ? 12 : 19, width, { kind: "muted bold", ...options });

  /** A rounded label with text in its middle; kind is "pill", "pill-warn" or "pill-quiet". */
  function pill(x, y, content, { size = narrow ? 12 : 18, kind = "pill", width, anchor = "middle" } = {}) {
    const wide = Math.min(width ?? Infinity, ems(clean(content), 1.08) * size + size * 1.3);
    const left = anchor === "middle" ? x - wide / 2 : anchor === "end" ? x - wide : x;
    return el(
      "g", {},
      rect(left, y - size * 0.95, wide, size * 1.75, kind, size * 0.9),
      fit(left + wide / 2, y + size * 0.28, content, size, wide - size * 0.7, { anchor: "middle", kind: "bold" }),
    );
  }

  /** Attributes of something a person can click: a whole answer, or a token for pick(). */
  function choice(label, { move, token, picked = false }) {
    const attributes = { class: picked ? "choice picked" : "choice", tabindex: 0, role: "button", "aria-label": clean(label) };
    if (move !== undefined) attributes["data-move"] = move;
    if (token !== undefined) attributes["data-pick"] = token;
    if (token !== undefined) attributes["aria-pressed"] = picked ? "true" : "false";
    return attributes;
  }

  /** The root of the drawing. */
  function sheet(width, height, label, ...children) {
    // An image has no parts to a screen reader, so what a person can click must not be inside one.
    const root = { viewBox: `0 0 ${at(width)} ${at(height)}`, role: context.choices ? "group" : "img", "aria-label": clean(label) };
    return el("svg", root, ...children);
  }

  return { narrow, moves, moved, seatName, text, fit, rect, circle, line, path, place, named, outline, badge, plate, heading, pill, choice, sheet, at, ems, short };
}
