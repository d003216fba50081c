// First, previous, play, next, last; the slider with marks for faults and events; the speed.

import { byId, set, write } from "./dom.js";
import { el, toDom } from "./svg.js";

const SPEEDS = [0.5, 1, 2, 4, 8];
/** Turns that are played in a game, at single speed, within two minutes; a shorter game takes a second for each. */
const TURNS = 120;

export const FASTEST = SPEEDS.length - 1;
/** Turns a second, by the index of the speed and the length of the game. */
export const pace = (speed, turns) => SPEEDS[speed] * Math.max(1, turns / TURNS);

export class Controls {
  /** `actions` has first, previous, toggle, next, last, go(turn) and setSpeed(index). */
  constructor(story, actions) {
    this.story = story;
    this.slider = byId("slider");
    for (const name of ["first", "previous", "toggle", "next", "last"]) byId(name).addEventListener("click", () => actions[name]());
    this.slider.addEventListener("input", () => actions.go(Number(this.slider.value), { quick: true }));
    byId("speed").addEventListener("change", (event) => actions.setSpeed(Number(event.target.value)));
    byId("turn-box").addEventListener("change", (event) => { if (event.target.value !== "") actions.go(Number(event.target.value)); });
  }

  show(turn, playing, speed) {
    const { story, slider } = this;
    if (this.marked !== story.last) {
      this.marked = story.last;
      slider.max = byId("turn-box").max = story.last;
      byId("turn-count").textContent = `of ${story.last}`;
      this.#mark();
    }
    slider.value = byId("turn-box").value = turn;
    const numbers = story.numbersInWords(turn);
    write(byId("turn-numbers"), numbers && `· ${numbers}`);
    slider.setAttribute("aria-valuetext", `turn ${turn} of ${story.last}${numbers && `, ${numbers}`}`);
    for (const id of ["first", "previous"]) set(byId(id), "disabled", turn === 0);
    for (const id of ["next", "last"]) set(byId(id), "disabled", turn === story.last);
    if (this.playing !== playing) this.#showPlaying(playing);
    set(byId("speed"), "value", String(speed));
  }

  #showPlaying(playing) {
    const button = byId("toggle");
    this.playing = playing;
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    button.title = playing ? "Pause (space)" : "Play (space)";
    button.classList.toggle("playing", playing);
  }

  #mark() {
    const { story } = this, last = Math.max(1, story.last);
    let faults = "", events = "";
    for (let turn = 1; turn <= story.last; turn++) {
      const x = ((turn / last) * 1000).toFixed(1);
      if (story.hasFault(turn)) faults += `M${x} 0V9`;
      else if (story.events(turn).length) events += `M${x} 5V9`;
    }
    byId("marks").replaceChildren(toDom(el("svg", { viewBox: "0 0 1000 9", preserveAspectRatio: "none", "aria-hidden": "true" },
      el("path", { d: events, class: "event" }), el("path", { d: faults, class: "fault" }))));
  }
}
