// Green Circle for spectators: the desks in a circle, both teams with their cards and debts, and what each application still needs.
//
// A person's move (context.choices is the list of possible actions): what one click decides carries data-move: a desk, a card of
// the hand, an application, the buttons "wait" and "random". Where several clicks decide (a desk to move to and one to take
// from, a card to play and cards it works on) elements carry tokens in data-pick: "desk D", "card C", see steps() and pick().

export const style = `
.skill { stroke: color-mix(in srgb, var(--ink) 45%, transparent); stroke-width: 1.2; }
.skill-0 { fill: color-mix(in srgb, #4f7fd1 34%, var(--panel)); } .skill-1 { fill: color-mix(in srgb, #d1774f 34%, var(--panel)); }
.skill-2 { fill: color-mix(in srgb, #56a866 34%, var(--panel)); } .skill-3 { fill: color-mix(in srgb, #c9a93a 36%, var(--panel)); }
.skill-4 { fill: color-mix(in srgb, #8a67c4 34%, var(--panel)); } .skill-5 { fill: color-mix(in srgb, #3fa8b5 34%, var(--panel)); }
.skill-6 { fill: color-mix(in srgb, #c4608f 34%, var(--panel)); } .skill-7 { fill: color-mix(in srgb, #8c8f4a 36%, var(--panel)); }
.skill-8 { fill: #f3cf62; } .bonus-text { fill: #241a00; font-weight: 700; } .skill-9 { fill: #2a2226; } .debt-text { fill: #ffb3ab; font-weight: 800; }
.floor { fill: color-mix(in srgb, #56a866 10%, var(--panel)); stroke: var(--line); stroke-width: 1; }
.walk { fill: none; stroke: color-mix(in srgb, #56a866 30%, var(--panel)); }
.step { fill: none; stroke-width: 5; stroke-linecap: round; stroke-dasharray: 1 10; }
.near { fill: none; stroke-width: 2; stroke-dasharray: 3 5; opacity: 0.9; }
.gate { stroke: var(--warn); stroke-width: 3; stroke-dasharray: 6 4; }
.left { fill: var(--ink); } .gone { fill: none; stroke: var(--muted); stroke-width: 1; }
.pip { fill: none; stroke: var(--muted); stroke-width: 1.6; } .pip-on { stroke: var(--ink); stroke-width: 1.4; }
.ready { fill: color-mix(in srgb, #56a866 34%, var(--panel)); stroke: color-mix(in srgb, #56a866 60%, var(--ink)); stroke-width: 2; }
.button { fill: var(--accent); } .button-text { fill: var(--paper); font-weight: 800; }
`;

const NAMES = ["Training", "Coding", "Daily routine", "Task priority", "Architecture", "Integration", "Code review", "Refactoring", "Bonus", "Debt"];
const SHORT = ["Train", "Code", "Daily", "Tasks", "Archi", "Integr", "Review", "Refact", "Bonus", "Debt"];
const BRIEF = NAMES.map((name) => name.split(" ")[0]);
const SKILLS = ["TRAINING", "CODING", "DAILY_ROUTINE", "TASK_PRIORITIZATION", "ARCHITECTURE_STUDY", "CONTINUOUS_INTEGRATION", "CODE_REVIEW", "REFACTORING"];
const BONUS = 8, DEBT = 9, TO_END = 5;
const PHASES = { MOVE: "moves", THROW_CARD: "throws a card", GIVE_CARD: "gives a card", TAKE_CARD: "takes a card", PLAY_CARD: "plays a card", RELEASE: "releases", END: "" };

const tally = (cards) => cards.reduce((counts, card) => { counts[card] += 1; return counts; }, Array(10).fill(0));
const mark = (card) => (card === BONUS ? "★" : card === DEBT ? "!" : String(card));

/** What a team lacks for an application, whether it could release it now, and what it has: by skill, and as bonus. */
function lack(team, application) {
  const counts = tally([...team.hand, ...team.automated]);
  const has = application.needs.map((need, skill) => Math.min(need, 2 * counts[skill]));
  const short = application.needs.reduce((sum, need, skill) => sum + need - has[skill], -counts[BONUS]);
  const shoddy = team.score >= TO_END - 1 ? 0 : counts[BONUS] + 2 * counts.slice(0, 8).reduce((sum, count) => sum + count, 0);
  return { short: Math.max(0, short), able: short <= shoddy, has, bonus: counts[BONUS] };
}

export function draw(view, context, el, shapes) {
  const k = shapes.kit(el, context);
  const before = context.before;
  const offered = context.choices ? steps(context.choices, context.picked || []) : null;
  const scene = { el, k, view, before, offered, context };
  const g = k.narrow
    ? { w: 400, plates: (seat) => [8, 28 + seat * 51, 384, 46], circle: [200, 290, 102, 28], team: (seat) => [8, 450 + seat * 100, 384], apps: [8, 662, 4, 96, 96, 91, 90] }
    : { w: 1280, plates: (seat) => [seat ? 938 : 12, 12, 330, 76], circle: [640, 298, 166, 48], team: (seat) => [seat ? 950 : 24, 100, 306], apps: [12, 582, 12, 105, 0, 99, 130] };
  if (!k.narrow) {
    // The fewer are left, the wider they are.
    const most = Math.max(7, view.applications.length);
    g.apps = [12, 582, most, 1262 / most, 0, 1262 / most - 6, 130];
  }
  const [ax, ay, across, , stepY] = g.apps;
  const height = k.narrow ? ay + Math.max(1, Math.ceil(view.applications.length / across)) * stepY + 8 : 720;
  return k.sheet(
    g.w, height, summary(view, k), k.narrow ? k.text(8, 19, title(view), 13, { kind: "bold" }) : k.text(640, 32, title(view), 22, { anchor: "middle", kind: "bold" }),
    [0, 1].map((seat) => [k.narrow ? null : k.rect(g.plates(seat)[0], 12, 330, 536, "panel", 8), plate(scene, seat, g.plates(seat))]), circle(scene, g.circle),
    [0, 1].map((seat) => teamCards(scene, seat, g.team(seat))), applications(scene, g.apps),
    k.heading(ax, ay - (k.narrow ? 7 : 10), k.narrow ? "✓ ready · !2 ready with 2 debts · 5 missing" : `${view.applications.length} applications left · filled: in hand · ✓ ready · !2 ready with 2 debts · 5 missing`, k.narrow ? 384 : 1240),
    offered ? buttons(scene, g.circle) : null,
  );
}

function title(view) {
  return view.over ? `Game over after ${view.phases} phases` : `Level ${view.level} · phase ${view.phases} of ${view.max_phases}`;
}

function summary(view, k) {
  const teams = view.teams.map((team, seat) => `${k.seatName(seat)} has released ${team.score} of ${TO_END}, debt ${team.technical_debt}, ${team.location < 0 ? "outside" : `at desk ${team.location}`}`);
  return `Green Circle, ${title(view)}: ${teams.join("; ")}${view.over ? "" : `; ${k.seatName(view.seat)} ${PHASES[view.phase] || ""}`}`;
}

function doing(view, k, seat) {
  const last = k.moved.get(seat);
  if (view.defeated === seat) return "defeated";
  if (last) return spoken(last.move, k.narrow ? NAMES : BRIEF);
  return view.over || view.seat !== seat ? "" : `${PHASES[view.phase]} next`;
}

function spoken(move, names) {
  const [verb, ...numbers] = String(move).split(" ");
  const [first, second] = numbers.map(Number);
  if (verb === "MOVE") return `moves to desk ${first}${second === undefined ? "" : `, takes from ${second}`}`;
  if (verb === "GIVE" || verb === "THROW") return `${verb.toLowerCase()}s ${names[first]}`;
  if (verb === "RELEASE") return `releases #${first}`;
  if (verb === "WAIT") return "waits";
  if (verb === "RANDOM") return "leaves it to chance";
  const card = SKILLS.indexOf(verb);
  if (card < 0) return String(move);
  return `${names === BRIEF ? "" : "plays "}${names[card]}${numbers.length ? `: ${numbers.map((number) => names[Number(number)]).join(" → ")}` : ""}`;
}

function plate({ k, view }, seat, box) {
  const team = view.teams[seat];
  const best = view.over && view.defeated === null ? Math.max(...view.teams.map((each) => each.score * 1000 - each.technical_debt)) : null;
  const won = view.over && (view.defeated === null ? team.score * 1000 - team.technical_debt === best : view.defeated !== seat);
  return k.plate(...box, seat, { score: `${team.score}/${TO_END}`, detail: doing(view, k, seat), state: won ? "winner" : "" });
}

/** The card that a move plays, throws or gives; null for other moves. Keys of cards let it fly there from the hand. */
function shownCard(move) {
  const [verb, number] = String(move ?? "").split(" ");
  if (verb === "GIVE" || verb === "THROW") return Number(number);
  const card = SKILLS.indexOf(verb);
  return card < 0 ? null : card;
}

/** Whether a person at the table may not see this team's hand. */
function unseen(context, seat) {
  return context.reveal === false && context.person !== undefined && context.person !== seat;
}

/** The class of text on cards that are not tinted like the desks. */
const on = (card) => ({ [DEBT]: "debt-text", [BONUS]: "bonus-text" }[card] ?? "");

/** A card type as a small tile: its mark, and how many. */
function tile({ el, k }, card, x, y, w, h, count, { fresh = false, name = true } = {}) {
  const size = Math.min(h * (name ? 0.46 : name === null ? 0.42 : 0.6), w * 0.56), small = k.narrow ? 11 : 17;
  return k.named(
    `${count} ${NAMES[card]}`, k.rect(x, y, w, h, `skill skill-${card}`, 5),
    k.text(x + w / 2, y + (name ? h * 0.5 : name === null ? h * 0.46 : h / 2 + size * 0.36), mark(card), size, { anchor: "middle", kind: on(card) || "num" }),
    name ? k.fit(x + w / 2, y + h - 6, SHORT[card], small, w - 2, { anchor: "middle", kind: on(card) }) : null,
    fresh ? k.rect(x - 1, y - 1, w + 2, h + 2, "now", 6) : null,
    count > 1 && name !== null ? [k.circle(x + w - 4, y + 5, k.narrow ? 8 : 11, "panel"), k.text(x + w - 4, y + (k.narrow ? 9 : 10), count, k.narrow ? 11 : 14, { anchor: "middle", kind: "num" })] : null,
    name === null ? k.text(x + w / 2, y + h - 6, `×${count}`, 17, { anchor: "middle", kind: on(card) }) : null,
  );
}

/** Hand, piles, lasting effects and debt of a team. */
function teamCards(scene, seat, [x, y, w]) {
  const { el, k, view, before, offered, context } = scene;
  const team = view.teams[seat], earlier = before?.teams[seat];
  const hidden = unseen(context, seat);
  const hand = tally(hidden ? [] : team.hand), had = earlier ? tally(earlier.hand) : hand;
  const types = hand.map((count, card) => [count, card]).filter(([count]) => count);
  const columns = k.narrow ? 9 : 4, gap = k.narrow ? 4 : 8, cw = (w - gap * (columns - 1)) / columns, ch = k.narrow ? 42 : types.length > 8 ? 60 : 80;
  const debt = earlier ? team.technical_debt - earlier.technical_debt : 0;
  const size = k.narrow ? 12 : 18;
  const lasting = [team.daily_routine ? `routine ×${team.daily_routine}` : "", team.architecture_study ? `architecture ×${team.architecture_study}` : ""].filter(Boolean).join(", ");
  const parts = [
    k.narrow ? k.badge(x + 8, y + size - 4, seat, 8) : null,
    k.heading(x + (k.narrow ? 22 : 0), y + size, `Hand ${hidden ? "hidden" : team.hand.length}`, w * 0.5),
    k.text(x + w, y + size, `debt ${team.technical_debt}${debt > 0 ? ` (+${debt})` : debt < 0 ? ` (−${-debt})` : ""}`, size, { anchor: "end", kind: debt > 0 ? "warn bold" : "bold" }),
  ];
  const top = y + size + (k.narrow ? 8 : 14);
  const played = shownCard(k.moved.get(seat)?.move), wide = k.narrow ? 20 : 30;
  if (played !== null) {
    parts.push(k.place(x + w * 0.36, y - (k.narrow ? 4 : 6), `card-${context.turn}-${seat}-${played}`, tile(scene, played, 0, 0, wide, wide, 1, { fresh: true, name: false })));
  }
  types.forEach(([count, card], index) => {
    const cx = x + (index % columns) * (cw + gap), cy = top + Math.floor(index / columns) * (ch + gap);
    const fresh = Boolean(earlier) && count > had[card];
    const drawn = [
      k.place(cx, cy, `hand-${seat}-${card}`, tile(scene, card, 0, 0, cw, ch, count, { fresh, name: !k.narrow })),
      fresh && k.moved.has(seat) ? k.place(cx, cy, `desk-${context.turn}-${card}`, tile(scene, card, 0, 0, cw, ch, count, { fresh, name: !k.narrow })) : null,
      k.place(cx, cy, `card-${context.turn + 1}-${seat}-${card}`),
    ];
    const token = `card ${card}`;
    parts.push(context.person === seat && offered?.next.has(token) ? el("g", clickOn(k, offered, token, `${NAMES[card]} in your hand`), drawn, k.rect(cx - 2, cy - 2, cw + 4, ch + 4, "ring", 7)) : drawn);
  });
  const piles = (hidden ? [["all cards", [...team.hand, ...team.draw, ...team.discard]]] : [["draw", team.draw], ["discard", team.discard], ["played", team.played], ["automated", team.automated]]).filter(([, cards]) => cards.length);
  if (k.narrow) {
    const words = piles.map(([name, cards]) => `${name} ${cards.length}`).join(" · ");
    return [parts, k.fit(x, top + ch + 16, [words, lasting].filter(Boolean).join(" · "), 11.5, w, { kind: "muted" })];
  }
  const rows = top + Math.max(1, Math.ceil(types.length / columns)) * (ch + gap) + 8;
  return [parts, piles.map(([name, cards], row) => pile(scene, name, cards, x, rows + row * 72, w)), lasting ? k.fit(x, rows + piles.length * 72 + 14, `lasting: ${lasting}`, 18, w, { kind: "accent bold" }) : null];
}

function pile(scene, name, cards, x, y, w) {
  const { k } = scene;
  const types = tally(cards).map((count, card) => [count, card]).filter(([count]) => count);
  const step = Math.min(44, w / types.length);
  return [k.heading(x, y + 14, `${name} ${cards.length}`, w), types.map(([count, card], index) => tile(scene, card, x + index * step, y + 21, step - 3, 42, count, { name: null }))];
}

/** The desks, who sits where, and what is asked. */
function circle(scene, [cx, cy, radius, r]) {
  const { el, k, view, before, offered, context } = scene;
  const turn = (desk) => ((desk * 45 - 90) * Math.PI) / 180;
  const spot = (desk, out = radius) => [cx + out * Math.cos(turn(desk)), cy + out * Math.sin(turn(desk))];
  const gate = [spot(7.5, radius - r * 0.7), spot(7.5, radius + r * 0.9)];
  const desks = view.desks.map((count, desk) => {
    const [x, y] = spot(desk);
    const change = before ? count - before.desks[desk] : 0;
    const drawn = [
      el("title", {}, `desk ${desk}, ${NAMES[desk]}: ${count} cards left`), k.circle(0, 0, r, `skill skill-${desk}`),
      change ? k.circle(0, 0, r + 1, "now") : null,
      k.text(0, -r * 0.12, desk, r * 0.66, { anchor: "middle", kind: "num" }),
      k.fit(0, r * 0.32, SHORT[desk], k.narrow ? 11 : 18, r * 2, { anchor: "middle" }),
      [...Array(Math.max(5, count)).keys()].slice(0, 10).map((index) => k.rect((index - (Math.max(5, count) - 1) / 2) * r * 0.2 - r * 0.07, r * 0.5, r * 0.14, r * 0.22, index < count ? "left" : "gone", 1)),
      change ? k.text(r * 0.72, -r * 0.72, change > 0 ? `+${change}` : `−${-change}`, k.narrow ? 12 : 18, { anchor: "middle", kind: "accent bold" }) : null,
    ];
    const token = `desk ${desk}`;
    if (!offered?.next.has(token)) return k.place(x, y, null, drawn);
    return el("g", { ...clickOn(k, offered, token, `Desk ${desk}, ${NAMES[desk]}`), transform: `translate(${k.at(x)} ${k.at(y)})` }, drawn, k.circle(0, 0, r + 5, "ring"));
  });
  const size = k.narrow ? 12 : 19, now = view.over ? "game over" : view.phase === "PLAY_CARD" ? `plays (${view.plays_left} left)` : view.phase === "THROW_CARD" ? `throws (${view.throws_left} left)` : PHASES[view.phase];
  return [
    k.circle(cx, cy, radius + r * 1.7, "floor"), el("circle", { cx, cy, r: radius, class: "walk", "stroke-width": k.at(r * 0.5) }), view.level >= 3 ? k.named("passing here costs two cards", k.line(...gate[0], ...gate[1], "gate")) : null,
    desks, view.desks.map((_, desk) => k.place(...spot(desk), `desk-${context.turn + 1}-${desk}`)), k.place(cx, cy, `desk-${context.turn + 1}-${BONUS}`), [0, 1].map((seat) => token(scene, seat, spot, [cx, cy, radius, r])),
    view.over ? null : k.badge(cx, cy - size * 2.1, view.seat, size * 0.85),
    k.fit(cx, cy - size * 0.2, now, size * 1.1, radius * 1.1, { anchor: "middle", kind: "bold" }),
    k.text(cx, cy + size * 1.25, `★ ${view.bonus_pool} bonus`, size, { anchor: "middle", kind: "muted" }), k.text(cx, cy + size * 2.5, `! ${view.debt_pool} debt`, size, { anchor: "middle", kind: "muted" }),
  ];
}

/** A team's token: outside the ring for seat 0, inside for seat 1; with its way from the last desk, and its reach. */
function token({ el, k, view, before }, seat, spot, [cx, cy, radius, r]) {
  const at = view.teams[seat].location, was = before ? before.teams[seat].location : at;
  const out = radius + (seat === 0 ? 1 : -1) * r * 1.24;
  const outside = [cx + (seat === 0 ? -1 : 1) * (radius + r * 0.9), cy + radius + r * 1.1];
  const [x, y] = at < 0 ? outside : spot(at, out);
  const parts = [];
  if (was >= 0 && at >= 0 && was !== at) {
    const steps = (at - was + 8) % 8, [x1, y1] = spot(was, out), [x2, y2] = spot(was + steps, out);
    parts.push(k.path(`M${k.at(x1)} ${k.at(y1)}A${k.at(out)} ${k.at(out)} 0 ${steps > 4 ? 1 : 0} 1 ${k.at(x2)} ${k.at(y2)}`, `step line-${seat}`));
  }
  parts.push(k.place(x, y, `team-${seat}`, el("title", {}, `${k.seatName(seat)} ${at < 0 ? "has not moved yet" : `is at desk ${at}`}`), k.moved.has(seat) ? k.circle(0, 0, r * 0.62, "glow") : null, k.badge(0, 0, seat, r * 0.36)));
  return parts;
}

/** Each application: the skills it needs, and per team what is missing: ✓ nothing, a number to be done shoddily, – out of reach. */
function applications({ el, k, view, before, offered, context }, [x, y, across, stepX, stepY, w, h]) {
  const boxes = view.applications.map((application, index) => {
    const left = x + (index % across) * stepX, top = y + Math.floor(index / across) * stepY;
    return box(el, k, view, application, left, top, w, h, offered, context);
  });
  const gone = before ? before.applications.filter((each) => !view.applications.some((other) => other.id === each.id)) : [];
  const by = gone.length ? view.teams.findIndex((team, seat) => team.score > before.teams[seat].score) : -1;
  const cost = by >= 0 ? lack(before.teams[by], gone[0]).short : 0;
  const flash = by < 0 ? null : k.pill(k.narrow ? 200 : 640, k.narrow ? 439 : 76, `${k.seatName(by)} released #${gone[0].id} ${cost ? `with ${cost} debt${cost === 1 ? "" : "s"}` : "in good quality"}`, { width: k.narrow ? 384 : 450, size: k.narrow ? 12 : 18, kind: cost ? "pill-warn" : "pill" });
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
      return k.named(
        `${need} ${NAMES[skill]}`, k.rect(cx - cell / 2, top, cell, cell * 1.12, `skill skill-${skill}`, 4), k.text(cx, top + cell * 0.8, skill, cell * 0.72, { anchor: "middle", kind: "num" }),
        roomy ? k.text(cx, top + cell * 1.12 + 15, SHORT[skill], 16, { anchor: "middle", kind: "muted" }) : null,
        lacks.map((each, seat) => pips(k, seat, cx, top + cell * 1.12 + (roomy ? 24 : 11) + seat * (k.narrow ? 9 : 13), room, need, each.has[skill] ?? 0, spare[seat])),
      );
    }),
    lacks.map((each, seat) => {
      const cx = w * (tight ? (seat ? 0.67 : 0.19) : seat ? 0.66 : 0.2), cy = h - (k.narrow ? 13 : 20);
      return [k.badge(cx - (k.narrow ? 3 : 4), cy, seat, k.narrow ? 8 : tight ? 9 : 11), k.text(cx + (k.narrow ? 9 : tight ? 8 : 13), cy + size * 0.38, each.short === 0 ? "✓" : each.able ? `!${each.short}` : each.short, k.narrow ? 12 : tight ? 16 : 17, { kind: each.short === 0 ? "bold" : each.able ? "warn bold" : "muted" })];
    }),
    able ? k.rect(-2, -2, w + 4, h + 4, "ring", 8) : null,
  ];
  const inner = able ? el("g", clickOn(k, offered, token, `Release ${title}`), body) : body;
  return k.place(x, y, `app-${application.id}`, inner);
}

/** What a team has of a skill that an application needs: filled, filled by bonus cards, hollow for what is missing. */
function pips(k, seat, cx, cy, room, need, has, spare) {
  // Those of two skills must not look like one row.
  const r = Math.min(k.narrow ? 3 : 4.5, (room - 8) / need / 2.45), step = r * 2.45;
  return [...Array(need).keys()].map((index) => {
    const filled = index < has, joker = !filled && spare.left > 0;
    if (joker) spare.left -= 1;
    return k.place(cx + (index - (need - 1) / 2) * step, cy, null, k.outline(seat, r, filled ? `pip-on seat-${seat}` : joker ? "pip-on skill-8" : "pip"));
  });
}

/** The clicks that spell each choice. */
function clicks(choice) {
  const [verb, ...numbers] = choice.split(" ");
  if (verb === "MOVE") return [`desk ${numbers[0]}`, `desk ${numbers[1] ?? numbers[0]}`];
  if (verb === "GIVE" || verb === "THROW") return [`card ${numbers[0]}`];
  if (verb === "RELEASE") return [`app ${numbers[0]}`];
  if (verb === "TASK_PRIORITIZATION") return ["card 3", `card ${numbers[0]}`, numbers[1] === "8" ? "bonus" : `desk ${numbers[1]}`];
  const card = SKILLS.indexOf(verb);
  if (card >= 0) return [`card ${card}`, ...numbers.map((number) => `card ${number}`)];
  return [verb.toLowerCase()];
}

/** What can be clicked after these clicks: by token, the choices that are still open. */
function steps(choices, picked) {
  const next = new Map();
  const open = choices.map((choice) => [choice, clicks(choice)]).filter(([, way]) => picked.every((token, index) => way[index] === token));
  for (const [choice, way] of open) {
    if (way.length <= picked.length) continue;
    const token = way[picked.length];
    next.set(token, [...(next.get(token) || []), choice]);
  }
  return { next, open: open.map(([choice]) => choice) };
}

function clickOn(k, offered, token, label) {
  const open = offered.next.get(token);
  return open.length === 1 ? k.choice(`${label}: ${open[0]}`, { move: open[0] }) : k.choice(label, { token });
}

/** Wait, random and the bonus pool, in the corners around the circle. */
function buttons({ el, k, offered }, [cx, cy, radius, r]) {
  const high = k.narrow ? 30 : 36, wide = k.narrow ? 70 : 104, reach = k.narrow ? 192 : 290, top = cy - radius - r * 1.6;
  const corners = { wait: [cx - reach, top], random: [cx + reach - wide, top], bonus: [cx - reach, cy + radius + r * 0.6] };
  return Object.keys(corners).filter((name) => offered.next.has(name)).map((name) => {
    const [x, y] = corners[name];
    return el("g", clickOn(k, offered, name, name === "bonus" ? "Take a bonus card" : name), k.rect(x, y, wide, high, "button", 8), k.rect(x, y, wide, high, "ring", 8), k.text(x + wide / 2, y + high * 0.68, name, k.narrow ? 13 : 17, { anchor: "middle", kind: "button-text" }));
  });
}

export function pick(view, seat, picked, choices) {
  const { open } = steps(choices, picked);
  if (!open.length) return pick(view, seat, picked.slice(0, -1), choices);
  const answer = picked.length && open.length === 1 ? open[0] : null;
  const hints = { MOVE: picked.length ? "Click the desk to take a card from." : "Click the desk to move to.", THROW_CARD: "Click a card to throw.", GIVE_CARD: "Click a card to give.", PLAY_CARD: picked.length ? "Click what the card is played on." : "Click a card to play, or wait.", RELEASE: "Click an application to release, or wait." };
  return { picked, answer, complete: answer !== null, hint: hints[view.phase] || "Choose." };
}
