"""``arbiter show``: a saved game in the terminal, all of it or a turn at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.film import Film, Moment
from arbiter.errors import UserError
from arbiter.records.reader import find, load
from arbiter.registry import find as find_protocol
from arbiter.workspace import Workspace

LONG = 400
"""A game of more turns than this is told by its events unless --all is asked for."""

_KEYS = "Enter next · p back · 37 that turn · v next event · f next fault · /word next with it · e end · q quit"


@click.command("show")
@click.argument("game", type=click.Path(path_type=Path))
@click.option("--turn", "-t", type=click.IntRange(0), help="Only the position after this turn (0: the start).")
@click.option("--step", "how", flag_value="step", help="A turn at a time; what a terminal gets by default.")
@click.option("--all", "how", flag_value="all", help="Every move.")
@click.option("--events", "how", flag_value="events", help="Only turns in which something happened.")
@click.option("--faults", "how", flag_value="faults", help="Only turns with a fault.")
@click.option("--find", "word", metavar="WORD", help="Only turns with this word in move, event, fault or kibitz.")
@click.option("--boards", is_flag=True, help="With the position after every turn that is shown.")
@common.json_option
def command(game: Path, turn: int | None, how: str | None, word: str | None, boards: bool, as_json: bool) -> None:
    """Look at GAME, a saved game (or a folder: the newest in it)."""
    record = load(newest(game))
    film = Film(record, find_protocol(record.header.protocol, Workspace()))
    if as_json:
        common.print_json(film.document())
    elif turn is not None:
        frame(film, turn)
    elif how == "step" or (how is None and word is None and sys.stdin.isatty() and sys.stdout.isatty()):
        step(film)
    else:
        wanted = _chooser(how or ("events" if film.last > LONG and word is None else "all"), word)
        tell(film, wanted, boards, ends=boards or (how != "faults" and word is None))


def newest(path: Path) -> Path:
    """The record itself, or the newest one in a folder."""
    found = find([path])
    if not found:
        raise UserError(f"there is no saved game in {str(path)!r}")
    return max(found, key=lambda each: each.stat().st_mtime)


def _chooser(how: str, word: str | None) -> Callable[[Moment], bool]:
    def wanted(moment: Moment) -> bool:
        return (
            (how != "faults" or moment.fault)
            and (how != "events" or moment.fault or bool(moment.events))
            and (word is None or moment.holds(word))
        )

    return wanted


def frame(film: Film, turn: int) -> None:
    """One position, and the move that led to it."""
    click.echo(film.board(turn))
    if turn:
        _moment(film.story[turn - 1])


def _moment(moment: Moment) -> None:
    click.echo(moment.text)
    for row in moment.evidence:
        click.echo(row)
    for event in moment.events:
        click.echo(f"      {event}")


def tell(film: Film, wanted: Callable[[Moment], bool], boards: bool, ends: bool = True) -> None:
    """The game as text, a line a move; turns that are not wanted are counted.

    ``ends`` are the first and the last position, which are in the way of who looks for something.
    """
    click.echo(f"{film.title()}\n")
    if ends:
        click.echo(f"{film.board(0)}\n")
    left_out = 0
    for moment in film.story:
        if not wanted(moment):
            left_out += 1
            continue
        _moment(moment)
        if boards:
            click.echo(f"{film.board(moment.turn)}\n")
    if ends:
        for line in film.afterwards():
            click.echo(line)
        click.echo(f"\n{film.board(film.last)}\n\n{film.ending()}")
    if left_out == film.last > 0:
        click.echo("there is no such turn; --all shows every move")
    elif left_out:
        click.echo(click.style(f"{left_out} of {film.last} turns were left out; --all shows every move", dim=True))


def step(film: Film) -> None:
    """A turn at a time, with the keyboard."""
    turn, note = 0, ""
    while True:
        click.clear()
        click.echo(film.title() + "\n")
        frame(film, turn)
        click.echo(click.style(f"\nturn {turn} of {film.last}   {_KEYS}", dim=True) + note)
        try:
            word = input("> ").strip()
        except EOFError:
            return
        if word == "q":
            return
        before, turn = turn, go(film, word, turn)
        note = click.style("\nnothing to go to for " + repr(word), fg="yellow") if turn == before and word else ""


def go(film: Film, word: str, turn: int) -> int:
    """The turn that a key leads to; the present one if there is none."""

    def following(wanted: Callable[[Moment], bool]) -> int:
        return next((moment.turn for moment in film.story[turn:] if wanted(moment)), turn)

    if word.isdecimal():
        return min(int(word), film.last)
    if word.startswith("/"):
        return following(lambda moment: moment.holds(word[1:]))
    if word == "v":
        return following(lambda moment: bool(moment.events))
    if word == "f":
        return following(lambda moment: moment.fault)
    steps = {"": min(turn + 1, film.last), "n": min(turn + 1, film.last), "p": max(turn - 1, 0), "e": film.last}
    return steps.get(word, turn)
