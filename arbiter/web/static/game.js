// The page of one game: loads it, keeps the turn that is shown, and tells every part of the page about it.

import { Board } from "./board.js";
import { Charts } from "./charts.js";
import { Controls, FASTEST, pace } from "./controls.js";
import { byId, download, h, shown, write } from "./dom.js";
import { listen, makeTabs } from "./keys.js";
import { Moves } from "./moves.js";
import { Seats } from "./seats.js";
import { Play } from "./play.js";
import { load } from "./source.js";
import { Story } from "./story.js";
import { onTheme, remember, remembered, toggleTheme } from "./theme.js";
import { showCaption, showDetails, verdict } from "./turn.js";

const NEXT_MS = 3000;

class Page {
  constructor({ document, drawing, shapes, id, record, stderr, follow, again, send }) {
    this.story = new Story(document);
    this.id = `arbiter-seen-${id}`;
    this.stderr = document.person === undefined ? stderr : null;
    this.readStderr = document.has_stderr ? this.stderr : null;
    this.turn = 0;
    this.furthest = 0;
    byId("rules").hidden = !document.has_rules;
    byId("rules").href = `/rules/${document.game.protocol}`;
    this.revealed = remembered(this.id) !== null;
    this.speed = 1;
    this.timer = null;
    this.atEnd = Boolean(document.live && !document.result);
    /** Whether the panel is still to be filled. */
    this.waiting = false;
    const actions = this.actions();
    this.parts = {
      board: new Board(byId("board"), this.story, drawing, shapes), seats: new Seats(this.story),
      controls: new Controls(this.story, actions), moves: new Moves(this.story, actions.go), charts: new Charts(this.story, actions.go),
    };
    if (document.person !== undefined && document.live) this.play = new Play(this, drawing, send);
    onTheme((theme) => this.parts.board.setTheme(theme));
    listen(actions);
    makeTabs(byId("tabs"), () => this.showPanel());
    byId("theme").addEventListener("click", toggleTheme);
    byId("widen").addEventListener("click", actions.widen);
    byId("help-button").addEventListener("click", actions.help);
    byId("help-close").addEventListener("click", () => byId("help").close());
    byId("reveal").addEventListener("click", actions.reveal);
    byId("download").addEventListener("click", async () => download(document.file.split("/").pop(), await record(), "application/x-ndjson"));
    addEventListener("hashchange", () => this.followAddress());
    this.title();
    this.followAddress();
    this.showPanel();
    if (follow && document.live) this.followGame(follow, again);
  }

  actions() {
    const to = (turn) => { if (turn !== null) this.go(turn); };
    const search = (step, wanted) => to(this.story.search(this.turn, step, wanted));
    const fault = (turn) => this.story.hasFault(turn), event = (turn) => this.story.events(turn).length > 0;
    return {
      go: (turn, how) => this.go(turn, how), goTo: (word, number) => to(this.story.find(word, number)), words: () => Object.keys(this.story.numbers(1)),
      play: (key) => this.play?.key(key), first: () => this.go(0), previous: () => this.go(this.turn - 1), next: () => this.go(this.turn + 1), last: () => this.go(this.story.last),
      toggle: () => this.toggle(), nextFault: () => search(1, fault), previousFault: () => search(-1, fault),
      nextEvent: () => search(1, event), previousEvent: () => search(-1, event),
      reveal: () => { this.revealed = true; this.show(); }, theme: toggleTheme,
      setSpeed: (index) => this.setSpeed(index), widen: () => byId("widen").ariaPressed = String(document.body.classList.toggle("wide")), faster: () => this.setSpeed(this.speed + 1), slower: () => this.setSpeed(this.speed - 1),
      help: () => { const help = byId("help"); if (help.open) help.close(); else help.showModal(); },
    };
  }

  title() {
    const { game, seats } = this.story.document;
    const facts = [
      game.seed !== undefined && `seed ${game.seed}`, game.started.slice(0, 16).replace("T", " "), game.contest && `${game.contest} game ${game.number}`, game.stage,
    ].filter(Boolean);
    byId("title").textContent = game.title;
    byId("facts").textContent = facts.map((fact) => shown(fact, 80)).join(" · ");
    document.title = `${seats.map((seat) => shown(seat.name, 30)).join(" – ")} · ${game.title}`;
    byId("home").hidden = !this.story.document.home;
  }

  /** Follow `#turn=37`, `#round=9` and `#result`. */
  followAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    if (words.has("result")) { this.revealed = true; this.go(this.story.last, { quick: true, keep: true }); return; }
    const [word, number] = [...words].find(([name, value]) => (name === "turn" || name in this.story.numbers(1)) && /^[0-9]{1,9}$/.test(value)) ?? [];
    const turn = word ? this.story.find(word, Number(number)) ?? this.story.last : Number.NaN;
    if (Number.isNaN(turn)) this.go(this.atEnd ? this.story.last : this.turn, { quick: true, keep: true });
    else if (turn !== this.turn || turn === 0) this.go(turn, { quick: true, keep: true });
  }

  /** Go to a turn. `keep` leaves the address as it is. */
  go(turn, { quick = false, keep = false } = {}) {
    this.turn = Math.min(Math.max(0, Math.trunc(turn) || 0), this.story.last);
    this.furthest = Math.max(this.furthest, this.turn);
    this.atEnd = this.turn === this.story.last;
    if (this.atEnd && this.story.result) { this.revealed = true; remember(this.id, "1"); }
    this.show({ quick });
    if (!keep) this.writeAddress();
  }

  /** Name the turn in the address: not at once, since browsers complain about many changes in a short time. */
  writeAddress() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", `#turn=${this.turn}`), 150);
  }

  /** Show the turn: first the position and what happened, and what is beside it in the next frame. */
  show({ quick = false } = {}) {
    const { story, turn, parts } = this;
    const ended = turn === story.last && Boolean(story.result);
    if (parts.board.turn !== turn) parts.board.show(turn, { quick });
    parts.controls.show(turn, this.timer !== null, this.speed);
    showCaption(story, turn);
    this.showResult(ended);
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => setTimeout(() => this.showPanel()));
  }

  /** Show the agents, and fill the panel of the chosen tab. */
  showPanel() {
    const { story, turn, parts } = this, upTo = this.revealed ? story.last : this.furthest;
    this.waiting = false;
    parts.seats.show(turn, turn === story.last && Boolean(story.result));
    if (!byId("moves-panel").hidden) parts.moves.show(turn, upTo);
    if (!byId("charts").hidden) parts.charts.show(turn, upTo);
    if (!byId("details").hidden) { showDetails(story, turn); this.loadStderr(); }
  }

  /** Ask for what the agents printed on standard error when it is first looked at: it may be long. */
  async loadStderr() {
    const read = this.readStderr;
    if (!read) return;
    this.readStderr = null;
    try {
      this.story.document.stderr = await read();
    } catch (error) {
      this.story.document.stderr = { turns: {}, problem: shown(error.message, 300) };
    }
    this.show();
  }

  showResult(ended) {
    const { story } = this, { result, annulled, problem, live } = story.document;
    const visible = result && (ended || this.revealed);
    if (this.resultOnPage !== (visible ? result : null)) byId("result").replaceChildren(...(visible ? [h("strong", {}, verdict(story)), ` ${shown(result.reason, 300)}`] : []));
    this.resultOnPage = visible ? result : null;
    byId("reveal").hidden = visible || !result;
    if (!result || byId("state").textContent.includes("live")) byId("state").textContent = result ? "" : live ? "● live" : "no result: the game was cut off";
    byId("state").classList.toggle("live", Boolean(live && !result));
    write(byId("problem"), shown([problem, annulled && `This game was annulled: ${annulled}`].filter(Boolean).join(" "), 500));
  }

  toggle() {
    if (this.timer !== null) { this.stop(); return; }
    if (this.turn === this.story.last && !this.story.document.live) this.go(0);
    this.run();
    this.show();
  }

  /** Play on at the chosen speed. */
  run() {
    clearInterval(this.timer);
    const rate = pace(this.speed, this.story.last);
    this.timer = setInterval(() => this.tick(rate > 4), 1000 / rate);
  }

  tick(quick) {
    if (this.turn < this.story.last) this.go(this.turn + 1, { quick });
    if (this.turn === this.story.last && !this.story.document.live) this.stop();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.show();
  }

  setSpeed(index) {
    this.speed = Math.min(Math.max(0, index), FASTEST);
    if (this.timer !== null) this.run();
    this.show();
  }

  /** The person's game is over: nothing is secret any more, so the rest of the page shows all of it. */
  async finishPlay(again) {
    const play = this.play;
    this.play = null;
    play.end();
    const rematch = byId("rematch");
    rematch.hidden = false;
    rematch.onclick = () => { rematch.disabled = true; play.send({ rematch: true, number: 0 }); };
    try {
      this.story.replace(await again());
    } catch {
      return;  // the server has gone: what is on the page stays
    }
    this.parts.board.turn = null;
    this.title();
    this.go(this.story.last, { quick: true, keep: true });
  }

  followGame(follow, again) {
    const advance = (change) => {
      const following = this.atEnd;
      change();
      if (following) this.go(this.story.last, { keep: true }); else this.show();
      this.play?.show();
    };
    follow({
      count: () => this.story.last,
      onTurns: (after, turns) => advance(() => this.story.append(after, turns)),
      onQuestion: (question) => this.play?.ask(question),
      onOver: (ending) => {
        advance(() => Object.assign(this.story.document, ending, { live: false, stderr: null }));
        this.readStderr = this.stderr;  // the log is complete when the game is over
        if (this.play) this.finishPlay(again);
      },
      onNext: (game) => {
        if (this.story.document.person !== undefined) {
          byId("rematch").hidden = true;
          byId("state").replaceChildren(h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Next game →"));
          return;
        }
        byId("state").replaceChildren(h("a", { href: `/game/${game}` }, "next game →"));
        if (this.atEnd) setTimeout(() => { location.href = `/game/${game}`; }, NEXT_MS);
      },
      onLost: (over) => {
        if (over && this.play) this.finishPlay(again);
        byId("rematch").hidden = true;
        if (!over) byId("state").textContent = "connection lost";
        byId("state").classList.remove("live");
      },
    });
  }
}

export async function start(modules = {}) {
  try {
    window.page = new Page(await load(modules));
    document.documentElement.dataset.ready = "yes";
    performance.mark("ready");
  } catch (error) {
    byId("problem").textContent = shown(error.message, 500);
    document.documentElement.dataset.ready = "failed";
    throw error;
  }
}
