// The applications of Green Circle: what each one needs, and what each team has of it.

import { NAMES, SHORT, lack, unseen } from "./drawing-cards.js";
import { clickOn } from "./drawing-clicks.js";

/** Each application: the skills it needs, and per team what is missing: ✓ nothing, a number to be done shoddily, – out of reach. */
export function applications({ el, k, view, before, offered, context }, [x, y, across, stepX, stepY, w, h]) {
  const boxes = view.applications.map((application, index) => {
    const left = x + (index % across) * stepX, top = y + Math.floor(index / across) * stepY;
    return box(el, k, view, application, left, top, w, h, offered, context);
  });
  const gone = before ? before.applications.filter((each) => !view.applications.some((other) => other.id === each.id)) : [];
  const by = gone.length ? view.teams.findIndex((team, seat) => team.score > before.teams[seat].score) : -1;
  const cost = by >= 0 ? lack(before.teams[by], gone[0]).short : 0;
  const flash = by < 0 ? null : k.pill(k.narrow ? 200 : 640, k.narrow ? 136 : 43, `${k.seatName(by)} released #${gone[0].id} ${cost ? `with ${cost} debt${cost === 1 ? "" : "s"}` : "in good quality"}`, { width: k.narrow ? 384 : 450, size: k.narrow ? 11.5 : 16, kind: cost ? "pill-warn" : "pill" });
  return [boxes, flash];
}

function box(el, k, view, application, x, y, w, h, offered, context) {
  const lacks = view.teams.map((team, seat) => (unseen(context, seat) ? { short: "?", able: false, has: [], bonus: 0 } : lack(team, application)));
  const skills = application.needs.map((need, skill) => [need, skill]).filter(([need]) => need);
  const ready = !view.over && lacks[view.seat].short === 0;
  const tight = w < 140, roomy = !k.narrow && w / skills.length > 56;
  const spare = lacks.map((each) => ({ left: each.bonus }));  // bonus cards fill gaps from left to right
  const size = k.narrow ? 11.5 : 17, cell = k.narrow ? 22 : 26, token = `app ${application.id}`;
  const able = offered?.next.has(token);
  const title = `application ${application.id}: ${skills.map(([need, skill]) => `${need} ${NAMES[skill]}`).join(", ")}; ${lacks.map((each, seat) => `${k.seatName(seat)} lacks ${each.short}`).join(", ")}`;
  const body = [
    el("title", {}, title), k.rect(0, 0, w, h, ready ? "ready" : "panel", 7),
    k.text(6, size + 3, `#${application.id}`, size, { kind: "muted bold" }),
    skills.map(([need, skill], index) => {
      const room = Math.min(56, (w - 6) / skills.length), cx = w / 2 + (index - (skills.length - 1) / 2) * room, top = k.narrow ? 18 : roomy ? 22 : 26;
      return k.place(
        cx, top, null, el("title", {}, `${need} ${NAMES[skill]}`),
        k.rect(-cell / 2, 0, cell, cell * 1.12, `skill skill-${skill}`, 4), k.text(0, cell * 0.8, skill, cell * 0.72, { anchor: "middle", kind: "num" }),
        roomy ? k.text(0, cell * 1.12 + 15, SHORT[skill], 16, { anchor: "middle", kind: "muted" }) : null,
        lacks.map((each, seat) => pips(k, seat, cell * 1.12 + (roomy ? 24 : 11) + seat * (k.narrow ? 9 : 13), room, need, each.has[skill] ?? 0, spare[seat])),
      );
    }),
    lacks.map((each, seat) => {
      const cx = w * (tight ? (seat ? 0.67 : 0.19) : seat ? 0.66 : 0.2), cy = h - (k.narrow ? 13 : 20);
      return k.place(
        cx, cy, null, k.badge(k.narrow ? -3 : -4, 0, seat, k.narrow ? 8 : tight ? 9 : 11),
        k.text(k.narrow ? 9 : tight ? 8 : 13, size * 0.38, each.short === 0 ? "✓" : each.able ? `!${each.short}` : each.short, k.narrow ? 12 : tight ? 16 : 17, { kind: each.short === 0 ? "bold" : each.able ? "warn bold" : "muted" }),
      );
    }),
    able ? k.rect(-2, -2, w + 4, h + 4, "ring", 8) : null,
  ];
  const inner = able ? el("g", clickOn(k, offered, token, `Release ${title}`), body) : body;
  return k.place(x, y, `app-${application.id}`, inner);
}

/** What a team has of a skill that an application needs: filled, filled by bonus cards, hollow for what is missing. */
function pips(k, seat, cy, room, need, has, spare) {
  // Those of two skills must not look like one row.
  const r = Math.min(k.narrow ? 3 : 4.5, (room - 8) / need / 2.45), step = r * 2.45;
  return [...Array(need).keys()].map((index) => {
    const filled = index < has, joker = !filled && spare.left > 0;
    if (joker) spare.left -= 1;
    return k.place((index - (need - 1) / 2) * step, cy, null, k.outline(seat, r, filled ? `pip-on seat-${seat}` : joker ? "pip-on skill-8" : "pip"));
  });
}
