// The turns of one game: the position after each of them, and the exact input of every answer.

import { apply } from "./delta.js";

export class Story {
  constructor(document) {
    this.document = document;
    this.turns = document.turns;
    this.#begin();
  }

  #begin() {
    const { view, board, scores } = this.document.start;
    this.positions = [{ view, scores }];
    this.boards = [board];
  }

  /** The number of turns so far. */
  get last() {
    return this.turns.length;
  }

  get result() {
    return this.document.result;
  }

  get seats() {
    return this.document.seats;
  }

  /** The number of a seat as the protocol counts. */
  number(seat) {
    return seat + this.document.game.first_seat;
  }

  /** Show another document of the same game: the whole of it, once nothing is secret any more. */
  replace(document) {
    Object.assign(this, { document, turns: document.turns });
    this.#begin();
  }

  /** Add turns as they are played; `after` is the number of turns before them. */
  append(after, turns) {
    this.turns.push(...turns.slice(Math.max(0, this.last - after)));
  }

  /** View and scores after a turn; 0 is the start. */
  position(turn) {
    for (let next = this.positions.length; next <= turn; next++) {
      const before = this.positions[next - 1], { view, scores } = this.turns[next - 1];
      this.positions.push({ view: apply(before.view, view), scores: apply(before.scores, scores) });
    }
    return this.positions[turn];
  }

  /** The terminal board after a turn, as lines; undefined if the document has none, since drawings do without it. */
  board(turn) {
    for (let next = this.boards.length; next <= turn; next++) this.boards.push(apply(this.boards[next - 1], this.turns[next - 1].board));
    return this.boards[turn];
  }

  /** The moves that led to a position. */
  moves(turn) {
    return turn > 0 ? this.turns[turn - 1].moves : [];
  }

  /** What a seat printed on standard error up to its answer in a turn; after the last turn, also what came later. */
  stderr(turn) {
    const { turns } = this.document.stderr ?? { turns: {} };
    const after = turn === this.last && this.result ? (turns[0] ?? []).map((text) => ({ ...text, after: true })) : [];
    return turn > 0 ? [...(turns[turn] ?? []), ...after] : [];
  }

  events(turn) {
    return turn > 0 ? this.turns[turn - 1].events ?? [] : [];
  }

  /** Other numbers of a turn by name, such as its round. */
  numbers(turn) {
    return turn > 0 ? this.turns[turn - 1].numbers ?? {} : {};
  }

  /** "round 9, ply 34"; empty if a turn has no other number. */
  numbersInWords(turn) {
    return Object.entries(this.numbers(turn)).map(([word, number]) => `${word} ${number}`).join(", ");
  }

  /** The round of a turn if it is the first one of that round, and rounds have several turns; otherwise null. */
  startsRound(turn) {
    const { round } = this.numbers(turn);
    if (round === undefined || this.numbers(turn - 1).round === round || this.numbers(this.last).round >= this.last) return null;
    return round;
  }

  /** The first turn with this number or a later one, by any way of counting; null if there is none. */
  find(word, number) {
    if (word === "turn") return number;
    for (let turn = 1; turn <= this.last; turn++) if (this.numbers(turn)[word] >= number) return turn;
    return null;
  }

  hasFault(turn) {
    return this.moves(turn).some((move) => move.fault);
  }

  /** The nearest turn in a direction (1 or -1) for which `wanted` holds; null if there is none. */
  search(from, step, wanted) {
    for (let turn = from + step; turn >= 1 && turn <= this.last; turn += step) if (wanted(turn)) return turn;
    return null;
  }

  /** Exactly what a seat was sent in a turn. */
  input(turn, seat) {
    let lines = [];
    for (let each = 1; each <= turn; each++) {
      const move = this.moves(each).find((one) => one.seat === seat);
      if (move) lines = apply(lines, move.input);
    }
    return lines.join("\n");
  }

  /** The time limit of an answer in µs; null if there is none. */
  limit(move) {
    const { limits_us: limits, lifetime, language } = this.seats[move.seat];
    if (language === "human") return null;
    const first = move.started || lifetime === "move";
    return (first ? limits.first_move : limits.move) ?? limits.move ?? null;
  }
}
