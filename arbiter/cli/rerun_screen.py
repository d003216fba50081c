"""What ``arbiter rerun`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from arbiter.author.rerun import Decision, SeatRerun
from arbiter.cli import common
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load
from arbiter.records.replay import Replay, input_text
from arbiter.registry import find as find_protocol
from arbiter.seat_names import seat_label
from arbiter.text import fitted, prose, terminal_width
from arbiter.units import show_duration
from arbiter.workspace import Workspace

_MOST_ROWS = 40
"""The most changed decisions listed per seat; --json has all."""


def print_seat(done: SeatRerun, workspace: Workspace, *, brief: bool) -> None:
    """Print the decisions of one seat that changed. ``brief``: one line per game, for many games."""
    where = f"{common.safe(done.name, 40)} ({seat_label(find_protocol(done.protocol, workspace), done.seat)})"
    if brief:
        if done.changed or done.faults_now:
            faults = f"{done.faults_before} then, {done.faults_now} now"
            changes = f"{len(done.changed)} of {len(done.decisions)} differ; faults: {faults}"
            click.echo(prose(f"{common.display_path(done.record)}, {where}: {changes}", margin="    "))
        return
    asked = "" if done.agent == done.name else f", asked now: {common.safe(done.agent, 40)}"
    click.echo(f"{click.style(where, bold=True)}{asked}")
    if done.changed:
        rows = [_row(decision) for decision in done.changed[:_MOST_ROWS]]
        headers = ["turn", "answer then", "time", "answer now", "time"]
        click.echo(fitted(rows, headers, right=(0, 2, 4), width=terminal_width(), shorten=(1, 3)))
        if (more := len(done.changed) - _MOST_ROWS) > 0:
            click.echo(f"… and {common.count(more, 'more turn')}; --json lists all of them")
    click.echo(f"{_changes(done)}\n{_times(done)}")
    if done.same_program and done.changed:
        click.echo("the program is the same: it is random, or its answers depend on time")
    click.echo()


def _row(decision: Decision) -> tuple[str, ...]:
    before, now = decision.before, decision.now
    return (str(before.turn), _answer(before), _time(before), _answer(now), _time(now))


def _answer(line: AnswerLine) -> str:
    if line.fault:
        return f"{line.fault.kind}: {common.safe(line.fault.detail, 120)}"
    return common.safe(line.move, 120)


def _time(line: AnswerLine) -> str:
    return show_duration(line.charged_us * 1000)


def _changes(done: SeatRerun) -> str:
    asked = common.count(len(done.decisions), "answer")
    return f"{len(done.changed)} of {asked} differ; faults: {done.faults_before} then, {done.faults_now} now"


def _times(done: SeatRerun) -> str:
    def slowest(lines: Sequence[AnswerLine]) -> str:
        return show_duration(max((line.charged_us for line in lines), default=0) * 1000)

    then = slowest([decision.before for decision in done.decisions])
    now = slowest([decision.now for decision in done.decisions])
    return f"slowest answer: {then} then, {now} now; the limit is {show_duration(done.move_limit_ns)}"


def print_one_turn(done: SeatRerun, workspace: Workspace) -> None:
    """Print the input, the answers and what the agent wrote in the one turn that was asked for."""
    for decision in done.decisions:
        turn = decision.before.turn
        click.echo(click.style(f"turn {turn}, {common.safe(done.name, 40)}, was sent", bold=True))
        click.echo("\n".join(common.safe(line, 2000) for line in _sent(done, turn, workspace).splitlines()))
        for title, line in (("then", decision.before), ("now", decision.now)):
            click.echo(f"{click.style(f'answer {title}', bold=True)} ({_time(line)}): {_answer(line)}")
            for text in (*line.kibitz, *line.notes):
                click.echo(click.style(f"    {common.safe(text)}", dim=True))
            for text in (line.fault.stderr if line.fault else "").splitlines()[-20:]:
                click.echo(click.style(f"    stderr | {common.safe(text)}", dim=True))
        click.echo()


def _sent(done: SeatRerun, turn: int, workspace: Workspace) -> str:
    record = load(done.record)
    replay = Replay(record, find_protocol(done.protocol, workspace))
    for number, lines in replay:
        if number == turn:
            line = next(line for line in lines if line.seat == done.seat)
            return input_text(replay.game, record, line)
    return ""


def print_summary(reruns: Sequence[SeatRerun], skipped: Sequence[tuple[Path, str]], *, several: bool) -> None:
    """Print the totals over many games."""
    for path, why in skipped:
        click.echo(f"left out: {common.display_path(path)}: {why}", err=True)
    if several:
        decisions = [decision for done in reruns for decision in done.decisions]
        changed = sum(decision.changed for decision in decisions)
        games = len({done.record for done in reruns})
        before, now = sum(done.faults_before for done in reruns), sum(done.faults_now for done in reruns)
        click.echo(
            f"{common.count(games, 'game')}: {changed} of {common.count(len(decisions), 'answer')} differ; "
            f"faults: {before} then, {now} now"
        )


def document(reruns: Sequence[SeatRerun], skipped: Sequence[tuple[Path, str]]) -> dict[str, object]:
    """Return everything as the document of --json."""
    return {
        "seats": [_seat(done) for done in reruns],
        "answers": sum(len(done.decisions) for done in reruns),
        "changed": sum(len(done.changed) for done in reruns),
        "faults_before": sum(done.faults_before for done in reruns),
        "faults_now": sum(done.faults_now for done in reruns),
        "skipped": [{"record": str(path), "because": why} for path, why in skipped],
    }


def _seat(done: SeatRerun) -> dict[str, object]:
    return {
        "record": str(done.record),
        "protocol": done.protocol,
        "seat": done.seat,
        "name": done.name,
        "agent": done.agent,
        "same_program": done.same_program,
        "faults_before": done.faults_before,
        "faults_now": done.faults_now,
        "answers": [
            {"turn": each.before.turn, "changed": each.changed, "before": _plain(each.before), "now": _plain(each.now)}
            for each in done.decisions
        ],
    }


def _plain(line: AnswerLine) -> dict[str, object]:
    return {
        "move": line.move,
        "fault": line.fault,
        "wall_us": line.wall_us,
        "cpu_us": line.cpu_us,
        "charged_us": line.charged_us,
        "kibitz": line.kibitz,
        "notes": line.notes,
    }
