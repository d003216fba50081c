// The applications of Green Circle: what each one needs, and what each team has of it.

import { NAMES, lack, unseen } from "./drawing-cards.js";
import { clickOn } from "./drawing-clicks.js";

/** Each application: the skills it needs, and per team what is missing: ✓ nothing, a number to be done shoddily, – out of reach. */
export function applications({ el, k, view, before, offered, context }, [x, y, columns, w, h]) {
  const gap = k.narrow ? 6 : 8;
  const boxes = view.applications.map((application, index) => box(el, k, view, application, x + (index % columns) * (w + gap), y + Math.floor(index / columns) * (h + gap), w, h, offered, context));
  const gone = before ? before.applications.filter((each) => !view.applications.some((other) => other.id === each.id)) : [];
  const by = gone.length ? view.teams.findIndex((team, seat) => team.score > before.teams[seat].score) : -1;
  const cost = by >= 0 ? lack(before.teams[by], gone[0]).short : 0;
  const told = `${view.applications.length}${k.narrow ? "" : " applications"} left · ✓ ready · !2 ready with 2 debts · 5 missing`;
  return [boxes, by < 0 ? k.heading(x, y - (k.narrow ? 7 : 10), told, k.narrow ? 384 : 1240)
    : k.pill(k.narrow ? 200 : 640, y - (k.narrow ? 14 : 18), `${k.seatName(by)} released #${gone[0].id} ${cost ? `with ${cost} debt${cost === 1 ? "" : "s"}` : "in good quality"}`, { width: k.narrow ? 384 : 900, kind: cost ? "pill-warn" : "pill" })];
}

function box(el, k, view, application, x, y, w, h, offered, context) {
  const lacks = view.teams.map((team, seat) => (unseen(context, seat) ? { short: "?", able: false, has: [], bonus: 0 } : lack(team, application)));
  const skills = application.needs.map((need, skill) => [need, skill]).filter(([need]) => need);
  const ready = !view.over && lacks[view.seat].short === 0;
  const spare = lacks.map((each) => ({ left: each.bonus }));  // bonus cards fill gaps from the top down
  const size = k.narrow ? 11.5 : h > 80 ? 17 : 14, left = k.narrow ? 42 : h > 80 ? 66 : 48, pitch = (h - 8) / skills.length, cell = Math.min(pitch - 3, h > 80 ? 30 : 18), token = `app ${application.id}`;
  const able = offered?.next.has(token);
  const title = `application ${application.id}: ${skills.map(([need, skill]) => `${need} ${NAMES[skill]}`).join(", ")}; ${lacks.map((each, seat) => `${k.seatName(seat)} lacks ${each.short}`).join(", ")}`;
  const body = [
    el("title", {}, title), k.rect(0, 0, w, h, ready ? "ready" : "panel", 7), k.text(7, size + 3, `#${application.id}`, size, { kind: "muted bold" }),
    lacks.map((each, seat) => k.place(
      7 + size * 0.6, size * (2.1 + seat * 1.25), null, k.badge(0, 0, seat, size * 0.56),
      k.text(size * 0.95, size * 0.36, each.short === 0 ? "✓" : each.able ? `!${each.short}` : each.short, size, { kind: each.short === 0 ? "bold" : each.able ? "warn bold" : "muted" }),
    )),
    skills.map(([need, skill], index) => {
      const middle = 4 + (index + 0.5) * pitch, room = w - left - cell - 10 - need * 2.45 * Math.min(pitch * 0.16, 6.5);
      return k.place(
        left, middle, null, k.rect(0, -cell / 2, cell, cell, `skill skill-${skill}`, 4), k.text(cell / 2, cell * 0.26, skill, Math.max(11, cell * 0.72), { anchor: "middle", kind: "num" }),
        k.fit(cell + 5, size * 0.36, NAMES[skill], Math.max(k.narrow ? 11 : 12, Math.min(size, (room - 5) / k.ems(NAMES[skill]))), room),
        lacks.map((each, seat) => pips(k, seat, w - left - 6, (seat - 0.5) * pitch * 0.42, Math.min(pitch * 0.16, 6.5), need, each.has[skill] ?? 0, spare[seat])),
      );
    }),
    able ? k.rect(-2, -2, w + 4, h + 4, "ring legal", 8) : null,
  ];
  const inner = able ? el("g", clickOn(k, offered, token, `Release ${title}`), body) : body;
  return k.place(x, y, `app-${application.id}`, inner);
}

/** What a team has of a skill that an application needs: filled, filled by bonus cards, hollow for what is missing. */
function pips(k, seat, right, cy, r, need, has, spare) {
  return [...Array(need).keys()].map((index) => {
    const filled = index < has, joker = !filled && spare.left > 0;
    if (joker) spare.left -= 1;
    return k.place(right - (need - index - 0.5) * r * 2.45, cy, null, k.outline(seat, r, filled ? `pip-on seat-${seat}` : joker ? "pip-on skill-8" : "pip"));
  });
}
