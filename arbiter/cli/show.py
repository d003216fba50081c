"""``arbiter show``: show a saved game in the terminal, as a whole or one turn at a time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from arbiter.cli import common, options
from arbiter.cli.show_stderr import show_stderr
from arbiter.cli.transcript import Transcript, TurnText
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.reader import find, load
from arbiter.registry import find as find_protocol
from arbiter.text import prose
from arbiter.workspace import Workspace

LONG = 400
"""Games with more turns than this default to ``--events`` instead of ``--all``."""

_KEYS = (
    "Enter next · p previous · 37 go to turn 37 · e end · q quit\n"
    "v next event · f next fault · /word next turn with that word"
)


@click.command("show")
@click.argument("game", type=click.Path(path_type=Path))
@options.shared("turn", ", and the position after it; 0 is the start.")
@click.option("--step", "how", flag_value="step", help="Step through the turns. This is the default in a terminal.")
@click.option("--all", "how", flag_value="all", help="Show every turn.")
@click.option("--events", "how", flag_value="events", help="Show only turns with an event or a fault.")
@click.option("--faults", "how", flag_value="faults", help="Show only turns with a fault.")
@click.option(
    "--find", "word", metavar="WORD", help="Show only turns with this word in a move, event, fault or kibitz."
)
@click.option("--stderr-log", "stderr", is_flag=True, help="Show what agents printed on standard error.")
@click.option("--boards", is_flag=True, help="Show the position after every turn that is shown.")
@common.json_option
def command(
    game: Path, turn: int | None, how: str | None, word: str | None, stderr: bool, boards: bool, as_json: bool
) -> None:
    """Show GAME, a saved game (or a folder: the newest game in it).

    When the output is not a terminal, the default is --all, or --events for games of more than 400 turns.

    \b
    Examples:
      arbiter show matches/games                      step through the newest
      arbiter show matches/samples/rails.jsonl --turn 9
      arbiter show matches/games --faults             what went wrong in it
      arbiter show matches/games --all --color always | less -R
    """
    record = load(newest(game))
    if stderr:
        show_stderr(record, turn, as_json=as_json)
        return
    transcript = Transcript(record, find_protocol(record.header.protocol, Workspace()))
    if as_json:
        common.print_json(transcript.document())
    elif turn is not None:
        print_position(transcript, turn)
    elif how == "step" or (how is None and word is None and sys.stdin.isatty() and sys.stdout.isatty()):
        step_through(transcript)
    else:
        selects = _selector(how or ("events" if transcript.last > LONG and word is None else "all"), word)
        ends = boards or (how != "faults" and word is None)
        print_turns(transcript, selects, boards=boards, ends=ends, faults=how == "faults")


def newest(path: Path) -> Path:
    """Return the record itself, or the newest one in a folder."""
    found = find([path])
    if not found:
        raise UserError(f"no saved game in {str(path)!r}")
    return max(found, key=at_rest.modified_ns)


def _selector(how: str, word: str | None) -> Callable[[TurnText], bool]:
    def selects(turn: TurnText) -> bool:
        return (
            (how != "faults" or turn.fault)
            and (how != "events" or turn.fault or bool(turn.events))
            and (word is None or turn.contains(word))
        )

    return selects


def print_position(transcript: Transcript, turn: int) -> None:
    """Print the position after a turn, and the moves that led to it."""
    click.echo(transcript.board(turn))
    if turn:
        _print_turn(transcript.turns[turn - 1])


def _print_turn(turn: TurnText) -> None:
    click.echo(turn.text)
    for row in turn.evidence:
        click.echo(row)
    for event in turn.events:
        click.echo(prose(event, " " * 6, " " * 8))


def print_turns(
    transcript: Transcript,
    selects: Callable[[TurnText], bool],
    *,
    boards: bool,
    ends: bool = True,
    faults: bool = False,
) -> None:
    """Print the selected turns, one line per move, and how many were left out.

    ``ends`` adds the first and the last position, which a search for particular turns does not need. ``faults``: only
    faults were asked for.
    """
    click.echo(f"{transcript.title()}\n")
    if ends:
        click.echo(f"{transcript.board(0)}\n")
    left_out = 0
    for turn in transcript.turns:
        if not selects(turn):
            left_out += 1
            continue
        _print_turn(turn)
        if boards:
            click.echo(f"{transcript.board(turn.turn)}\n")
    if ends:
        for line in transcript.afterwards():
            click.echo(line)
        click.echo(f"\n{transcript.board(transcript.last)}\n\n{transcript.ending()}")
    if left_out == transcript.last > 0:
        faultless = not any(turn.fault for turn in transcript.turns)
        so_far = " so far" if transcript.is_running else ""
        why = f"no agent faulted in this game{so_far}" if faults and faultless else "no turn matches"
        click.echo(f"{why}; --all shows every turn")
    elif left_out:
        note = f"{left_out} of {transcript.last} turns were left out; --all shows every turn"
        click.echo(click.style(note, dim=True))


def step_through(transcript: Transcript) -> None:
    """Show one turn at a time, controlled from the keyboard."""
    turn, note = 0, ""
    while True:
        click.clear()
        click.echo(transcript.title() + "\n")
        print_position(transcript, turn)
        click.echo(click.style(f"\nturn {turn} of {transcript.last}   {_KEYS}", dim=True) + note)
        try:
            word = input("> ").strip()
        except EOFError:
            return
        if word == "q":
            return
        before, turn = turn, next_turn(transcript, word, turn)
        note = click.style(f"\nno turn to go to for {word!r}", fg="yellow") if turn == before and word else ""


def next_turn(transcript: Transcript, word: str, turn: int) -> int:
    """Return the turn that a typed command leads to; the current one if it leads nowhere."""

    def following(wanted: Callable[[TurnText], bool]) -> int:
        return next((each.turn for each in transcript.turns[turn:] if wanted(each)), turn)

    if word.isdecimal():
        return min(int(word), transcript.last)
    if word.startswith("/"):
        return following(lambda each: each.contains(word[1:]))
    if word == "v":
        return following(lambda each: bool(each.events))
    if word == "f":
        return following(lambda each: each.fault)
    last = transcript.last
    steps = {"": min(turn + 1, last), "n": min(turn + 1, last), "p": max(turn - 1, 0), "e": last}
    return steps.get(word, turn)
