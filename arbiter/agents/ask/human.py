"""A person at the terminal, who sees the board and types moves until one is legal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TextIO

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.table import Request, Table
from arbiter.errors import UserError
from arbiter.game import Game, IllegalMove, wrapped
from arbiter.seat_names import SeatNames
from arbiter.text import count, terminal_width

_HINT = "'?' shows what to type"
MOST_LINES = 40
"""The most lines about what happened since a person was last asked."""


class Abandoned(UserError):
    """Raised when the person leaves the game; its record ends there."""


class TableWithHumans:
    """Asks people at the terminal and agents at the table; people first, since they have no time limit."""

    def __init__(
        self,
        table: Table,
        game: Game,
        humans: Mapping[int, str],
        *,
        names: SeatNames,
        rules: str,
        read: TextIO,
        write: Callable[[str], None],
    ) -> None:
        self._table, self._game, self._humans, self._rules = table, game, humans, rules
        self._read, self._write, self._names = read, write, names
        names.introduce(game)
        self._explained = False
        self._unseen: dict[int, list[str]] = {seat: [] for seat in humans}
        """What has happened since each person was last asked, by seat."""
        self._turn = 0
        """The last turn that was passed to :meth:`see`."""

    def see(self, turn: int, seat: int, move: str, fault: str = "") -> None:
        """Remember a move, just before its turn is applied, to show it to people when they are asked next."""
        if turn != self._turn:
            self._take_news()
            self._turn = turn
        line = f"{self._names.full[seat]}: {self._names.in_words(self._game.describe(seat, move))}"
        public = self._game.shows_move(seat)
        for person, lines in self._unseen.items():
            if person != seat and public:
                lines.append(f"{line}  [{fault}]" if fault else line)

    def _take_news(self) -> None:
        """Remember the other events of the last turn that each seat may know about; called once per turn."""
        if self._turn:
            for seat, lines in self._unseen.items():
                lines += [f"  {self._names.in_words(event)}" for event in self._game.news(seat)]
            self._turn = 0

    def _show_news(self, seat: int) -> None:
        self._take_news()
        lines, self._unseen[seat] = self._unseen[seat], []
        if len(lines) > MOST_LINES:
            lines = [f"… {count(len(lines) - MOST_LINES, 'earlier line')}", *lines[-MOST_LINES:]]
        self._write("".join(f"{line}\n" for line in lines))

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the answers in the order of the requests."""
        answers = {request.seat: self._person(request.seat) for request in requests if request.seat in self._humans}
        others = [request for request in requests if request.seat not in self._humans]
        answers |= {answer.seat: answer for answer in (self._table.ask(others) if others else [])}
        return [answers[request.seat] for request in requests]

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Ask one seat."""
        return self.ask([Request(seat, prompt, briefing)])[0]

    def _person(self, seat: int) -> Answer:
        name = self._humans[seat]
        self._show_news(seat)
        self._write(f"\n{self._game.board(seat)}\n")
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
            text = self._game.typed(seat, text)
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

    def overhear(self, seat: int) -> str:
        """Return what an agent prints after an answer that was refused. People's answers are never refused."""
        return self._table.overhear(seat)

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """Tell people how the game ended, show the final board, and end the game at the table."""
        for seat in self._humans:
            self._show_news(seat)
        self._write(f"\n{self._game.board()}\n")
        yield from self._table.finish(text)

    def clocks(self) -> dict[int, int]:
        """Return the time left by seat; people have no time limit."""
        return self._table.clocks()

    def peaks(self) -> dict[int, int]:
        """Return the peak memory use of the agents by seat."""
        return self._table.peaks()
