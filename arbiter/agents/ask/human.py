"""People at the terminal, who see the board and type moves until one is legal."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Mapping
from typing import TextIO

import click

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request
from arbiter.errors import UserError
from arbiter.game import Game, IllegalMove, wrapped
from arbiter.seat_names import SeatNames
from arbiter.text import count, terminal_width

_HINT = "'?' shows what to type"
MOST_LINES = 40
"""The most lines about what happened since a person was last asked."""


class Abandoned(UserError):
    """Raised when the person leaves the game; its record ends there."""


class Terminal:
    """The terminal that the people of one game share."""

    def __init__(
        self,
        game: Game,
        humans: Mapping[int, str],
        *,
        names: SeatNames,
        rules: str,
        read: TextIO,
        write: Callable[[str], None],
    ) -> None:
        self._game, self._humans, self._rules = game, humans, rules
        self._read, self._write, self._names = read, write, names
        self._display = names.display(game)
        self._explained = False
        self._unseen: dict[int, list[str]] = {seat: [] for seat in humans}
        """What has happened since each person was last asked, by seat."""
        self._turn = 0
        """The last turn that was passed to :meth:`see`."""
        self._playing = set(humans)
        """The people whose game has not ended."""

    def respondents(self) -> dict[int, PersonAtTerminal]:
        """Return who answers for each of the people, by seat."""
        return {seat: PersonAtTerminal(self, seat) for seat in self._humans}

    def see(self, turn: int, seat: int, move: str, fault: str = "") -> None:
        """Remember a move, just before its turn is applied, to show it to people when they are asked next."""
        if turn != self._turn:
            self._take_news()
            self._turn = turn
        line = f"{self._names.full[seat]}: {self._names.in_words(self._display.describe(seat, move))}"
        public = self._display.shows_move(seat)
        for person, lines in self._unseen.items():
            if person != seat and public:
                lines.append(f"{line}  [{fault}]" if fault else line)

    def _take_news(self) -> None:
        """Remember the other events of the last turn that each seat may know about; called once per turn."""
        if self._turn:
            for seat, lines in self._unseen.items():
                lines += [f"  {self._names.in_words(event)}" for event in self._display.news(seat)]
            self._turn = 0

    def _show_news(self, seat: int) -> None:
        self._take_news()
        lines, self._unseen[seat] = self._unseen[seat], []
        if len(lines) > MOST_LINES:
            lines = [f"… {count(len(lines) - MOST_LINES, 'earlier line')}", *lines[-MOST_LINES:]]
        self._write("".join(f"{line}\n" for line in lines))

    def ask(self, seat: int) -> Answer:
        """Ask a person until the answer is legal. Raises Abandoned if the person leaves the game."""
        name = self._humans[seat]
        self._show_news(seat)
        self._write(f"\n{self._display.board(seat)}\n")
        if not self._explained:
            self._explain()
            self._write("('?' shows this again, 'quit' leaves the game)\n")
            self._explained = True
        start = time.monotonic_ns()
        while True:
            self._write(f"{name}, your move: ")
            line = self._read.readline()
            text = line.strip()
            if not line:
                self._write("\n")  # end of file leaves the cursor on the line of the question
            if not line or text == "quit":
                raise Abandoned(f"{name} left the game; what was played so far is saved")
            if text in ("", "?"):
                self._explain()
                continue
            text = self._display.typed(seat, text)
            try:
                self._game.read(seat, text)
            except IllegalMove as refused:
                message = f"illegal move: {refused.reason} ({_HINT})"
                self._write("\n".join(wrapped(message, terminal_width(), first="  ", margin="    ")) + "\n")
                continue
            wall_ns = time.monotonic_ns() - start
            return Answer(seat, text, len(line), wall_ns=wall_ns, charged_ns=wall_ns)

    def _explain(self) -> None:
        for line in self._rules.splitlines():
            self._write("\n".join(wrapped(line, terminal_width(), margin="    ")) + "\n")

    def finish(self, seat: int) -> None:
        """Tell a person how the game ended; the last one of them also sees the final board."""
        self._show_news(seat)
        self._playing.discard(seat)
        if not self._playing:
            self._write(f"\n{self._display.board()}\n")


class PersonAtTerminal:
    """Answers for one seat; see :class:`arbiter.agents.ask.outside.Respondent`. A person has no time limit."""

    left_ns: int | None = None

    def __init__(self, terminal: Terminal, seat: int) -> None:
        self._terminal, self._seat = terminal, seat
        self._answer = Answer(seat)

    def put(self, request: Request) -> None:
        """Ask the person at once, before the clocks of agents start."""
        self._answer = self._terminal.ask(request.seat)

    def answer(self) -> Answer:
        """Return what the person has typed."""
        return self._answer

    def finish(self, text: str) -> None:
        """Tell the person how the game ended, in the words for people."""
        self._terminal.finish(self._seat)


def open_terminal(game: Game, humans: Mapping[int, str], names: SeatNames, rules: str) -> Terminal:
    """Let these people play at the terminal of this process. Raises UserError."""
    if sys.stdin is None:
        raise UserError("'human' needs a standard input to type on, but it is closed")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A keyboard may send bytes that are not text in the terminal's encoding.
        sys.stdin.reconfigure(errors="replace")
    return Terminal(game, humans, names=names, rules=rules, read=sys.stdin, write=_show)


def _show(text: str) -> None:
    # Not on standard output, which may be a JSON document for another program.
    click.echo(text, nl=False, err=True)  # strips colours where needed
