// A person plays: what can be clicked in the drawing, the field to type a move into, and the person's clock.

import { byId, h, shown } from "./dom.js";

const MOST_BUTTONS = 80;
const clock = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

export class Play {
  /** `page` shows the game; `send` hands an answer to the server. */
  constructor(page, drawing, send) {
    Object.assign(this, { page, drawing, send });
    this.person = page.story.document.person;
    this.board = page.parts.board;
    this.question = null;
    this.picked = [];
    document.body.classList.add("playing");
    byId("play").hidden = false;
    byId("download").hidden = true;
    byId("play-rules").textContent = shown(page.story.document.rules);
    byId("play").addEventListener("submit", (event) => { event.preventDefault(); this.answer(byId("play-text").value.trim() || this.#offered()); });
    byId("play-undo").addEventListener("click", () => this.pick([]));
    byId("play-leave").addEventListener("click", () => { if (confirm("Leave the game? What was played so far is saved.")) this.leave(); });
    byId("play-text").addEventListener("input", () => this.#buttons());
    this.board.host.shadowRoot?.addEventListener("click", (event) => this.#clicked(event));
    this.board.host.shadowRoot?.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") this.#clicked(event); });
    this.ticking = setInterval(() => this.#tick(), 250);
    this.show();
  }

  /** The server asks for a move. */
  ask(question) {
    Object.assign(this, { question, picked: [], asked: Date.now() - question.waited_ms });
    byId("play-text").value = "";
    byId("play-problem").textContent = "";
    if (this.page.atEnd) this.page.go(this.page.story.last, { keep: true });
    this.show();
  }

  /** Draw the position again, with what can be clicked. */
  show() {
    const { question, person, picked } = this;
    const focused = this.board.host.shadowRoot?.activeElement?.getAttribute("aria-label");
    this.board.asked = { person, picked, choices: question ? question.choices ?? [] : null };
    this.board.show(this.page.turn, { quick: true });
    if (focused) this.board.host.shadowRoot.querySelector(`.choice[aria-label="${CSS.escape(focused)}"]`)?.focus();
    byId("play").classList.toggle("asked", Boolean(question));
    byId("play-hint").textContent = !question ? "Waiting for the others …" : this.page.atEnd ? this.#composed().hint : "Your move: press End to see the position";
    this.#list();
    this.#buttons();
    this.#tick();
  }

  /** The state of a move of several clicks. */
  #composed(picked = this.picked) {
    const { view } = this.page.story.position(this.page.story.last);
    return this.drawing?.pick?.(view, this.person, picked, this.question.choices ?? []) ?? { picked: [], answer: null, complete: false, hint: "Your move." };
  }

  /** What the button plays if nothing is typed: what the clicks spell, which may be to do nothing. */
  #offered() {
    return this.question ? this.#composed().answer ?? "" : "";
  }

  #buttons() {
    const offered = this.#offered();
    byId("play-text").placeholder = offered || "click, or type a move";
    byId("play-send").disabled = !this.question || !(byId("play-text").value.trim() || offered);
    byId("play-text").disabled = !this.question;
    byId("play-undo").hidden = !this.picked.length;
  }

  /** Without a drawing, the legal moves are buttons. */
  #list() {
    const choices = this.drawing || !this.question ? [] : (this.question.choices ?? []).slice(0, MOST_BUTTONS);
    byId("play-list").replaceChildren(...choices.map((move) => h("button", { type: "button", class: "small", onclick: () => this.answer(move) }, shown(move, 60))));
  }

  #clicked(event) {
    const chosen = event.target.closest?.("[data-move], [data-pick]");
    if (!chosen || !this.question) return;
    event.preventDefault();
    event.stopPropagation();
    if (chosen.dataset.move !== undefined) this.answer(chosen.dataset.move);
    else this.pick([...this.picked, chosen.dataset.pick]);
  }

  /** Make the move that the drawing has given a key; false if it has none, or the move is not legal now. */
  key(name) {
    const move = this.drawing?.keys?.[name];
    if (!move || !this.page.atEnd || !this.question?.choices?.includes(move)) return false;
    this.answer(move);
    return true;
  }

  pick(picked) {
    const { picked: kept, answer, complete } = this.#composed(picked);
    this.picked = kept;
    byId("play-problem").textContent = "";
    byId("play-text").value = kept.length ? answer ?? "" : "";
    if (complete && answer !== null) this.answer(answer);
    else this.show();
  }

  async answer(text) {
    const { question } = this;
    if (!question || !text.trim()) return;
    this.question = null;  // one click, one answer
    this.show();
    byId("play-problem").textContent = "";
    const problem = await this.#sent({ number: question.number, text });
    if (problem === null || this.question) return;
    this.question = question;
    byId("play-text").value = text;
    byId("play-problem").textContent = shown(problem, 600);
    this.show();
  }

  /** Send; null, or why it was refused. */
  async #sent(said) {
    try {
      const response = await this.send(said);
      if (response.ok) return null;
      return (await response.json()).error ?? `the server answered ${response.status}`;
    } catch {
      return "The connection is lost: try again.";
    }
  }

  /** The server says that the game is over, and the page shows all of it. */
  leave() {
    this.question = null;
    this.show();
    this.#sent({ number: 0, leave: true });
  }

  #tick() {
    const own = this.page.story.turns.flatMap((turn) => turn.moves).filter((move) => move.seat === this.person);
    const before = own.reduce((sum, move) => sum + move.wall_us / 1000, 0), now = this.question ? Date.now() - this.asked : 0;
    byId("play-clock").textContent = `${this.question ? `${clock(now)} for this move · ` : ""}${clock(before + now)} in all`;
  }

  /** The game is over: the page becomes that of a spectator. */
  end() {
    clearInterval(this.ticking);
    this.board.asked = null;
    document.body.classList.remove("playing");
    byId("play").hidden = true;
    byId("download").hidden = false;
  }
}
