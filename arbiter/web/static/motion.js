// The way from one position to the next: what has moved slides, what is new appears, and what has gone fades.

import { NAMESPACE } from "./svg.js";

const DURATION_MS = 260;
const MOST_ANIMATED = 600;

/** A transform attribute as a CSS value; null for one that is not made of plain translations, scales and rotations. */
function cssTransform(attribute) {
  const steps = [...(attribute ?? "").matchAll(/\s*(translate|scale|rotate)\(([^)]*)\)/g)];
  if (steps.map(([whole]) => whole).join("") !== (attribute ?? "")) return null;
  const parts = steps.map(([, name, numbers]) => {
    const values = numbers.trim().split(/[\s,]+/).map(Number);
    if (values.some(Number.isNaN) || (name === "rotate" && values.length > 1)) return null;
    if (name === "translate") return `translate(${values[0]}px, ${values[1] ?? 0}px)`;
    return name === "scale" ? `scale(${values[0]}, ${values[1] ?? values[0]})` : `rotate(${values[0]}deg)`;
  });
  return parts.includes(null) ? null : parts.join(" ") || "none";
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How something that is in both positions gets from one place to the other; null if it stays. */
function way(old, made) {
  const from = cssTransform(old.transform), to = cssTransform(made.transform);
  if (from === null || to === null || (from === to && String(old.opacity) === String(made.opacity))) return null;
  return [{ transform: from, opacity: old.opacity }, { transform: to, opacity: made.opacity }];
}

/** The element that has gone, where it was. */
function ghostOf(old) {
  const ghost = document.createElementNS(NAMESPACE, "g");
  ghost.setAttribute("transform", old.within);
  ghost.setAttribute("pointer-events", "none");
  ghost.setAttribute("aria-hidden", "true");
  ghost.append(old.dom);
  return ghost;
}

export class Motion {
  constructor() {
    this.running = [];
    this.ghosts = [];
  }

  /** End what is still moving, since the elements of a drawing are used again. */
  stop() {
    for (const each of this.running) each.cancel();
    for (const ghost of this.ghosts) ghost.remove();
    this.running = [];
    this.ghosts = [];
  }

  /** Animate from the keyed elements of one drawing to those of the next, which is on the page. */
  start(before, after, root) {
    if (still() || before.size + after.size > MOST_ANIMATED || !root.animate) return;
    const timing = { duration: DURATION_MS, easing: "ease-in-out" };
    for (const [key, made] of after) {
      const old = before.get(key), frames = old ? way(old, made) : [{ opacity: 0 }, { opacity: made.opacity }];
      if (frames) this.running.push(made.dom.animate(frames, timing));
    }
    for (const [key, old] of before) {
      if (after.has(key)) continue;
      const ghost = ghostOf(old);
      root.append(ghost);
      this.ghosts.push(ghost);
      const fade = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { ...timing, fill: "forwards" });
      fade.onfinish = () => ghost.remove();
      this.running.push(fade);
    }
  }
}
