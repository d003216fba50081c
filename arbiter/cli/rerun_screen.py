"""What ``arbiter rerun`` prints about one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from arbiter.author.rerun_report import Decision, Ruling, SeatRerun
from arbiter.config.workspace import Workspace
from arbiter.game import Display
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay, input_text
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_label
from arbiter.text import count, fitted, safe, terminal_width
from arbiter.units import show_duration

_MOST_INPUT = 20
"""The most lines shown of an input."""
_MOST_ROWS = 40
"""The most changed decisions listed per seat; --json has all."""


def print_seat(done: SeatRerun, workspace: Workspace) -> None:
    """Print the decisions of one seat that changed."""
    where = f"{safe(done.name, 40)} ({seat_label(find_protocol(done.protocol, workspace), done.seat)})"
    asked = "" if done.agent == done.name else f", asked now: {safe(done.agent, 40)}"
    click.echo(f"{click.style(where, bold=True)}{asked}")
    if done.changed:
        rows = list(_rows(done, done.changed[:_MOST_ROWS], workspace))
        headers = ["turn", "answer then", "time", "answer now", "time"]
        click.echo(fitted(rows, headers, right=(0, 2, 4), width=terminal_width(), shorten=(1, 3)))
        if (more := len(done.changed) - _MOST_ROWS) > 0:
            click.echo(f"… and {count(more, 'more turn')}; --json lists all of them")
    asked_now = count(len(done.answers), "answer")
    click.echo(
        f"{len(done.changed)} of {asked_now} differ; faults: {done.faults_before} then, {done.faults_now} now\n"
        f"{slowest(done.answers)}; the limit is {show_duration(done.move_limit_us * 1000)}"
    )
    if done.same_program and done.changed:
        click.echo("the program is the same: it is random, or its answers depend on time")


def _rows(done: SeatRerun, decisions: Sequence[Decision], workspace: Workspace) -> Iterator[tuple[str, ...]]:
    """Yield a row of cells for each decision, its moves in the words of the protocol."""
    wanted = {decision.turn: decision for decision in decisions}
    replay = Replay(load_record(Path(done.record)), find_protocol(done.protocol, workspace))
    for number, _ in replay:
        if (decision := wanted.get(number)) is not None:
            before, now = decision.before, decision.now
            then, again = (_answer(ruled, replay.display, done.seat) for ruled in (before, now))
            yield (str(number), then, _time(before), again, _time(now))


def _answer(ruled: Ruling, display: Display[Any], seat: int) -> str:
    if ruled.fault:
        return f"{ruled.fault.kind}: {safe(ruled.fault.detail, 120)}"
    return safe(display.describe(seat, ruled.move), 120)


def _time(ruled: Ruling) -> str:
    return show_duration(ruled.charged_us * 1000)


def slowest(answers: Iterable[Decision]) -> str:
    """Compare the longest time that an answer was charged."""
    times = [(each.before.charged_us, each.now.charged_us) for each in answers] or [(0, 0)]
    then, now = (show_duration(max(column) * 1000) for column in zip(*times, strict=True))
    return f"slowest answer: {then} then, {now} now"


def print_one_turn(done: SeatRerun, workspace: Workspace) -> None:
    """Print the input, the answers and what the agent wrote in the one turn that was asked for."""
    for decision in done.answers:
        turn = decision.turn
        click.echo(click.style(f"turn {turn}, {safe(done.name, 40)}, was sent", bold=True))
        replay, sent = _at(done, turn, workspace)
        click.echo("\n".join(_elided([safe(line, 2000) for line in sent.splitlines()])))
        for title, ruled in (("then", decision.before), ("now", decision.now)):
            click.echo(
                f"{click.style(f'answer {title}', bold=True)} ({_time(ruled)}): {_answer(ruled, replay.display, done.seat)}"
            )
            for text in (*ruled.kibitz, *ruled.notes):
                click.echo(click.style(f"    {safe(text)}", dim=True))
            for text in (ruled.fault.stderr if ruled.fault else "").splitlines()[-20:]:
                click.echo(click.style(f"    stderr | {safe(text)}", dim=True))


def _at(done: SeatRerun, turn: int, workspace: Workspace) -> tuple[Replay, str]:
    """Return the game as it stood before a turn, and what the agent was sent in it."""
    record = load_record(Path(done.record))
    replay = Replay(record, find_protocol(done.protocol, workspace))
    for number, lines in replay:
        if number == turn:
            line = next(line for line in lines if line.seat == done.seat)
            return replay, input_text(replay.game, record, line)
    return replay, ""


def _elided(lines: list[str]) -> list[str]:
    """Leave out the middle of a long input."""
    left_out = len(lines) - _MOST_INPUT
    if left_out <= 1:
        return lines
    half = _MOST_INPUT // 2
    note = click.style(f"… {left_out} lines; 'arbiter show GAME --inputs' prints all of them", dim=True)
    return [*lines[:half], note, *lines[-half:]]
