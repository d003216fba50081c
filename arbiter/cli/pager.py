"""Stepping through a saved game at the terminal: one page per turn, controlled by single keys.

:class:`Pager` is the state, which knows neither keyboard nor screen: it is fed keys and returns pages. The keys are those of
the viewer in the browser.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable

import click

from arbiter.cli import keyboard
from arbiter.cli.show import played_lines, position_lines
from arbiter.cli.transcript import Transcript, TurnText
from arbiter.game import columns
from arbiter.records.turn_numbers import TURN, with_numbers

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Turns per second when the game plays by itself."""
_LONGEST = 40
_STYLED = re.compile(r"(\x1b\[[0-9;]*m)")
_HELP = (
    ("→ n Enter", "next turn"), ("← p", "previous turn"), ("Home End", "start of the game, last turn"),
    ("37 Enter", "turn 37"), ("space", "play, or pause"), ("+ -", "play faster, slower"),
    ("f F", "next and previous fault"), ("e E", "next and previous event"), ("/word", "next turn with that word"),
    ("↑ ↓", "scroll a long page"), ("PgUp PgDn", "scroll by a page"), ("q", "quit"),
)  # fmt: skip


class Pager:
    """Where in a game the reader is."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.turn = 0
        self.playing = False
        self.speed = 1
        self.done = False
        self._typed = ""
        """Digits, perhaps with the letter of another number behind them, or a slash and a word; Enter carries it out."""
        self._note = ""
        self._help = False
        self._scrolled = 0
        self._body = 0
        """Lines of the last page, and how many of them fit."""
        self._room = 1
        first = transcript.turns[0].numbers if transcript.turns else {}
        self._words = {word[0]: word for word in first}
        """By first letter: other numbers that turns have, such as ``ply``."""

    def press(self, key: str) -> None:
        """Carry out a key."""
        self._note = ""
        if self._help:
            self._help = False
            return
        if self._type(key):
            return
        self._typed = ""
        if key == " ":
            self.playing = not self.playing
            if self.playing and self.turn == self.transcript.last:
                self._go(0)
            return
        actions = self._actions()
        if key in actions:
            self.playing = self.playing and key in "+-="
            actions[key]()
        elif key not in (keyboard.RESIZED, "escape"):
            self._note = f"no command for {key!r}; ? shows the keys"

    def _actions(self) -> dict[str, Callable[[], None]]:
        def step(by: int) -> Callable[[], None]:
            return lambda: self._go(self.turn + by)

        def find(by: int, wanted: Callable[[TurnText], bool], what: str) -> Callable[[], None]:
            return lambda: self._search(by, wanted, what)

        def scroll(by: int) -> Callable[[], None]:
            return lambda: setattr(self, "_scrolled", max(0, min(self._scrolled + by, self._body - self._room)))

        def faster(by: int) -> Callable[[], None]:
            return lambda: setattr(self, "speed", max(0, min(self.speed + by, len(SPEEDS) - 1)))

        def fault(turn: TurnText) -> bool:
            return turn.fault

        def event(turn: TurnText) -> bool:
            return bool(turn.events)

        return {
            "right": step(1), "n": step(1), "enter": step(1), "left": step(-1), "p": step(-1),
            "home": lambda: self._go(0), "end": lambda: self._go(self.transcript.last),
            "f": find(1, fault, "fault"), "F": find(-1, fault, "fault"),
            "e": find(1, event, "event"), "E": find(-1, event, "event"),
            "up": scroll(-1), "down": scroll(1), "page up": scroll(-self._room), "page down": scroll(self._room),
            "+": faster(1), "=": faster(1), "-": faster(-1),
            "?": lambda: setattr(self, "_help", True),
            "q": lambda: setattr(self, "done", True), keyboard.CLOSED: lambda: setattr(self, "done", True),
        }  # fmt: skip

    def tick(self) -> None:
        """Go on by one turn, because the game plays by itself."""
        self._go(self.turn + 1)
        self.playing = self.turn < self.transcript.last

    def _type(self, key: str) -> bool:
        """Take a key of a number or a word to search for; returns whether it was one."""
        typing = bool(self._typed)
        if typing and key == "enter":
            typed, self._typed = self._typed, ""
            self._carry_out(typed)
        elif typing and key == "backspace":
            self._typed = self._typed[:-1]
        elif self._typed.startswith("/"):
            if len(key) != 1 or not key.isprintable():
                return False
            self._typed = (self._typed + key)[:_LONGEST]
        elif key == "/":
            self._typed = key
        elif key.isdecimal() and key.isascii():
            self._typed = ((self._typed if self._typed.isdecimal() else "") + key)[-7:]
        elif self._typed.isdecimal() and key in self._words:
            self._typed += key
        else:
            return False
        self.playing = False
        return True

    def _carry_out(self, typed: str) -> None:
        if typed.startswith("/"):
            self._search(1, lambda turn: turn.contains(typed[1:]), f"turn with {typed[1:]!r}")
        elif typed.isdecimal():
            self._go(int(typed))
        else:
            self._go_to(self._words[typed[-1]], int(typed[:-1]))

    def _go_to(self, word: str, number: int) -> None:
        found = next((each.turn for each in self.transcript.turns if each.numbers[word] >= number), None)
        if found is None:
            self._note = f"no {word} {number} in this game"
            return
        self._go(found)
        if (reached := self.transcript.turns[found - 1].numbers[word]) != number:
            self._note = f"nobody was asked at {word} {number}; this is {word} {reached}"

    def _go(self, turn: int) -> None:
        self.turn = max(0, min(turn, self.transcript.last))

    def _search(self, by: int, wanted: Callable[[TurnText], bool], what: str) -> None:
        turns = self.transcript.turns
        ahead = turns[self.turn :] if by > 0 else turns[: max(0, self.turn - 1)][::-1]
        found = next((each.turn for each in ahead if wanted(each)), None)
        if found is None:
            self._note = f"no {'later' if by > 0 else 'earlier'} {what}"
        else:
            self._go(found)

    def page(self, width: int, height: int) -> list[str]:
        """Return at most ``height`` lines of at most ``width`` columns, the last one saying where this is."""
        self._room = max(1, height - 1)
        body = [f"{key:<11}{what}" for key, what in _HELP] if self._help else self._lines()
        self._body = len(body)
        self._scrolled = max(0, min(self._scrolled, self._body - self._room))
        shown = body[self._scrolled : self._scrolled + self._room]
        shown += [""] * (self._room - len(shown))
        return [clipped(line, width) for line in [*shown, self._status()]]

    def _lines(self) -> list[str]:
        """Return the page in full: title, board and moves; without the title where that does not fit.

        On a terminal too small for board and moves the moves come first: the rest of a board is easier to do without.
        """
        title, shown = self.transcript.title().split("\n"), list(position_lines(self.transcript, self.turn))
        if len(title) + 1 + len(shown) <= self._room:
            return [*title, "", *shown]
        played = list(played_lines(self.transcript, self.turn))
        if not played or len(shown) <= self._room:
            return shown
        return [*played, "", *shown[: -len(played)]]

    def _status(self) -> str:
        numbers = self.transcript.turns[self.turn - 1].numbers if self.turn else {}
        where = with_numbers(self.turn, numbers).replace(
            f"{TURN} {self.turn}", f"{TURN} {self.turn} of {self.transcript.last}", 1
        )
        if self._typed:
            where = f"search {self._typed}" if self._typed.startswith("/") else f"go to {self._meant()} (Enter)"
        more = "" if self._body <= self._room else " · ↑ ↓ more lines"
        keys = f"▶ {SPEEDS[self.speed]:g} per second · space pauses" if self.playing else "← → space f ? q"
        return click.style(f"{where} · {keys}{more}", reverse=True) + (
            click.style(f" {self._note}", fg="yellow") if self._note else ""
        )

    def _meant(self) -> str:
        if self._typed.isdecimal():
            others = "".join(f", {letter} for {word}" for letter, word in self._words.items())
            return f"{TURN} {self._typed}{others}"
        return f"{self._words[self._typed[-1]]} {self._typed[:-1]}"


def clipped(line: str, width: int) -> str:
    """Cut a styled line to ``width`` columns."""
    if columns(line) <= width:
        return line
    shown, room = "", width
    for piece in _STYLED.split(line):
        if _STYLED.fullmatch(piece):
            shown += piece
            continue
        for letter in piece:
            room -= columns(letter)
            if room < 0:
                break
            shown += letter
        room = max(room, 0)
    return f"{shown}\x1b[0m" if "\x1b" in shown else shown


def step_through(transcript: Transcript) -> None:
    """Show one turn at a time until the reader quits."""
    pager = Pager(transcript)
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    with keyboard.opened() as keys:
        if not dumb:
            click.echo("\x1b[?1049h\x1b[?25l", nl=False, color=True)
        try:
            _follow(pager, keys, dumb=dumb)
        except KeyboardInterrupt:
            pass
        finally:
            if not dumb:
                click.echo("\x1b[?25h\x1b[?1049l", nl=False, color=True)


def _follow(pager: Pager, keys: keyboard.Keyboard, *, dumb: bool) -> None:
    due = 0.0
    while not pager.done:
        width, height = shutil.get_terminal_size()
        page = "\n".join(pager.page(width, height))
        if dumb:
            click.echo(f"\n{page}")
        else:  # written over the last page, not cleared first, so that nothing flickers
            lines = page if click.get_current_context().color is not False else click.unstyle(page)
            click.echo("\x1b[H" + lines.replace("\n", "\x1b[K\n") + "\x1b[K", nl=False, color=True)
        due = due or time.monotonic() + 1 / SPEEDS[pager.speed]
        key = keys.read(max(0.0, due - time.monotonic()) if pager.playing else None)
        if key is None:
            pager.tick()
        elif key == keyboard.RESIZED:
            pager.transcript.reflow()
        else:
            pager.press(key)
        due = 0.0 if key is None or not pager.playing else due
