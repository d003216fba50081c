"""``arbiter show``: a saved game in the terminal, all of it or a turn at a time."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.play import move_line
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import Record, find, load
from arbiter.records.replay import Replay, without_half_turn
from arbiter.registry import find as find_protocol
from arbiter.workspace import Workspace

_KEYS = "Enter next · p previous · a number: that turn · f next fault · e end · q quit"


@click.command("show")
@click.argument("game", type=click.Path(path_type=Path))
@click.option("--turn", "-t", type=click.IntRange(0), help="Only the position after this turn (0: the start).")
@click.option("--step/--all", "step", default=None, help="A turn at a time, or all of it; a terminal gets steps.")
@click.option("--boards", is_flag=True, help="With --all: the board after every turn.")
@click.option("--faults", is_flag=True, help="With --all: only turns with a fault.")
@common.json_option
def command(game: Path, turn: int | None, step: bool | None, boards: bool, faults: bool, as_json: bool) -> None:
    """Look at GAME, a saved game (or a folder: the newest in it)."""
    record = load(newest(game))
    protocol = find_protocol(record.header.protocol, Workspace())
    film = Film(without_half_turn(record, protocol), protocol)
    if as_json:
        common.print_json(film.document())
    elif turn is not None:
        film.frame(turn)
    elif step or (step is None and sys.stdin.isatty() and sys.stdout.isatty()):
        film.step()
    else:
        film.all(boards=boards, only_faults=faults)


def newest(path: Path) -> Path:
    """The record itself, or the newest one in a folder."""
    found = find([path])
    if not found:
        raise UserError(f"there is no saved game in {str(path)!r}")
    return max(found, key=lambda each: each.stat().st_mtime)


class Film:
    """A record as a sequence of frames: frame n is the position after turn n."""

    def __init__(self, record: Record, protocol: Protocol) -> None:
        self._record, self._protocol = record, protocol
        self._turns = list(record.turns())
        self._faulty = [turn for turn, lines in self._turns if any(line.fault for line in lines)]

    @property
    def last(self) -> int:
        """The number of turns."""
        return len(self._turns)

    def title(self) -> str:
        """Who played what, when, and how it ended."""
        header, result = self._record.header, self._record.result
        head = (
            f"{click.style(self._protocol.title, bold=True)} · {' vs '.join(self._record.names)} · seed {header.seed}"
        )
        return f"{head} · {header.started[:16].replace('T', ' ')}\n{self.ending() if result else self.cut()}"

    def ending(self) -> str:
        """The result in a line or two."""
        result = self._record.result
        if result is None:
            return self.cut()
        names = self._record.names
        scores = ", ".join(f"{name} {common.number(score)}" for name, score in zip(names, result.scores, strict=True))
        return f"{common.winners(names, result.ranks)} ({scores}): {result.reason}, after {result.turns} turns"

    def cut(self) -> str:
        """What a record without a result says."""
        torn = " in the middle of a line" if self._record.torn else ""
        return click.style(f"this game was cut off after turn {self.last}{torn}: it has no result", fg="yellow")

    def _lines(self, wanted: int) -> tuple[str, str]:
        """The moves of a turn in words, and the board after it."""
        replay = Replay(self._record, self._protocol)
        words = ""
        for turn, lines in replay:
            if turn == wanted:
                words = "\n".join(move_line(replay.game, line, self._record.names[line.seat]) for line in lines)
            elif turn > wanted:
                break
        else:
            if wanted > self.last:
                raise UserError(f"turn {wanted}: this game has {self.last} turns")
        events = "".join(f"\n      {event}" for event in replay.game.events()) if wanted else ""
        return words + events, replay.game.board()

    def frame(self, turn: int) -> None:
        """One position."""
        words, board = self._lines(turn)
        click.echo(board)
        if words:
            click.echo(words)

    def all(self, *, boards: bool, only_faults: bool) -> None:
        """The whole game, a line a move."""
        click.echo(self.title() + "\n")
        replay = Replay(self._record, self._protocol)
        game = replay.game
        seen = 0
        if not only_faults:
            click.echo(game.board() + "\n")
        for turn, lines in replay:
            if seen and not only_faults:
                self._after(replay, boards)
            if not only_faults or turn in self._faulty:
                for line in lines:
                    click.echo(move_line(game, line, self._record.names[line.seat]))
            seen = turn
        if seen and not only_faults:
            self._after(replay, boards=False)
            click.echo("\n" + game.board())
        for seat, lines_after in (self._record.result.afterwards if self._record.result else {}).items():
            for text in lines_after:
                click.echo(click.style(f"        {self._record.names[seat]} afterwards: {common.safe(text)}", dim=True))
        click.echo(f"\n{self.ending()}")

    def _after(self, replay: Replay, boards: bool) -> None:
        for event in replay.game.events():
            click.echo(f"      {event}")
        if boards:
            click.echo(f"{replay.game.board()}\n")

    def step(self) -> None:
        """A turn at a time, with the keyboard."""
        turn = 0
        while True:
            click.clear()
            click.echo(self.title() + "\n")
            self.frame(turn)
            if turn == self.last:
                click.echo(f"\n{self.ending()}")
            click.echo(click.style(f"\nturn {turn} of {self.last}   {_KEYS}", dim=True))
            try:
                word = input("> ").strip().lower()
            except EOFError:
                return
            if word == "q":
                return
            turn = self._go(word, turn)

    def _go(self, word: str, turn: int) -> int:
        if word.isdecimal():
            return min(int(word), self.last)
        moves = {
            "": min(turn + 1, self.last),
            "n": min(turn + 1, self.last),
            "p": max(turn - 1, 0),
            "e": self.last,
            "f": next((faulty for faulty in self._faulty if faulty > turn), turn),
        }
        return moves.get(word, turn)

    def document(self) -> dict[str, object]:
        """The game as data: every position as the protocol's view, and every answer."""
        import msgspec

        replay = Replay(self._record, self._protocol)
        views = [replay.game.view() for _ in replay]
        views.append(replay.game.view())
        return {
            "header": msgspec.to_builtins(self._record.header),
            "answers": [msgspec.to_builtins(line) for line in self._record.answers],
            "views": views,
            "result": msgspec.to_builtins(self._record.result) if self._record.result else None,
        }
