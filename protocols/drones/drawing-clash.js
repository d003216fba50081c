// The end of a round of GameOfDrones: who attacked, strength against strength, and who won why.

const BY = { attack: "", soldiers: "more soldiers", units: "more units", coin: "coin toss", nothing: "equal" };

/** Who attacked, strength against strength, and who won why. */
export function clashMiddle(el, k, view, now, [x, y, w, h], foot) {
  const clash = now.clash, [first, second] = clash.players;
  const lone = first.attacked !== second.attacked;
  const strength = clash.players.map((player) => player.soldiers + (lone && !player.attacked ? view.defender_bonus : 0));
  const words = clash.players.map((player) => k.short(player.soldiers) + (lone && !player.attacked ? ` + ${k.short(view.defender_bonus)}` : ""));
  const most = Math.max(strength[0], strength[1], 1);
  const reach = w * (k.narrow ? 0.23 : 0.34), centre = x + w / 2, top = y + h - foot + (k.narrow ? 64 : 66), high = k.narrow ? 20 : 30;
  const bars = [0, 1].map((seat) => {
    const long = Math.max(3, (reach * strength[seat]) / most);
    const edge = centre + (seat === 0 ? -1 : 1) * (k.narrow ? 22 : 40);
    const end = seat === 0 ? edge - long : edge;
    return [
      k.rect(seat === 0 ? edge - reach : edge, top, reach, high, "bar-back", 4), k.rect(end, top, long, high, `unit seat-${seat}`, 4),
      k.text(centre + (seat === 0 ? -1 : 1) * (reach + (k.narrow ? 28 : 52)), top + high * 0.72, words[seat], k.narrow ? 13 : 20, { anchor: seat === 0 ? "end" : "start", kind: "num" }),
      clash.players[seat].attacked ? arrow(k, centre + (seat === 0 ? -1 : 1) * (k.narrow ? 13 : 46), y + (k.narrow ? 18 : 40), seat, k.narrow ? 7 : 20) : lone ? shield(k, centre + (seat === 0 ? -1 : 1) * (k.narrow ? 16 : 46), y + (k.narrow ? 18 : 40), k.narrow ? 13.8 : 24, view.defender_bonus) : null,
    ];
  });
  const burst = [...Array(16).keys()].map((index) => {
    const r = (k.narrow ? 19 : 33) * (index % 2 ? 0.62 : 1), angle = (index * Math.PI) / 8;
    return `${k.at(centre + r * Math.cos(angle))},${k.at(top + high / 2 + r * Math.sin(angle))}`;
  });
  const how = lone ? "" : first.attacked ? "both attack" : "time is up";
  const why = [how, BY[clash.settled_by]].filter(Boolean).join(", ");
  const verdict = clash.winner === null ? `Round ${clash.round} is a draw` : `${k.seatName(clash.winner)} ${lone ? (clash.players[clash.winner].attacked ? "breaks through" : "holds") : "wins"}${why ? ` (${why})` : ""}`;
  return [
    bars, el("polygon", { points: burst.join(" "), class: "clash" }), k.text(centre, top + high / 2 + (k.narrow ? 5 : 7), clash.winner === null ? "=" : (strength[0] > strength[1] ? ">" : strength[0] < strength[1] ? "<" : "="), k.narrow ? 16 : 24, { anchor: "middle", kind: "num" }),
    k.pill(centre, top - (k.narrow ? 26 : 26), verdict, { size: k.narrow ? 13 : 19, width: w * 0.92 }),
  ];
}

function arrow(k, x, y, seat, r) {
  const s = seat === 0 ? 1 : -1;
  return k.path(`M${k.at(x - s * r)} ${k.at(y - r * 0.8)}l${k.at(s * r)} ${k.at(r * 0.8)}l${k.at(-s * r)} ${k.at(r * 0.8)}M${k.at(x - s * r * 0.1)} ${k.at(y - r * 0.8)}l${k.at(s * r)} ${k.at(r * 0.8)}l${k.at(-s * r)} ${k.at(r * 0.8)}`, `march line-${seat}`);
}

function shield(k, x, y, r, bonus) {
  return [
    k.path(`M${k.at(x)} ${k.at(y - r)}l${k.at(r * 0.9)} ${k.at(r * 0.35)}v${k.at(r * 0.6)}q0 ${k.at(r * 0.8)} ${k.at(-r * 0.9)} ${k.at(r * 1.2)}q${k.at(-r * 0.9)} ${k.at(-r * 0.4)} ${k.at(-r * 0.9)} ${k.at(-r * 1.2)}v${k.at(-r * 0.6)}z`, "shield"),
    k.text(x, y + r * 0.45, `+${k.short(bonus)}`, r * 0.8, { anchor: "middle", kind: "num" }),
  ];
}
