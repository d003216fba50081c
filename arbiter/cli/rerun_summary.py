"""What ``arbiter rerun`` prints about many games: how much has changed, which faults are gone or new, and where to look."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import click

from arbiter.author.rerun_report import Decision, LeftOut, RerunReport, Ruling, SeatRerun
from arbiter.cli import common, terminal
from arbiter.cli.rerun_screen import slowest
from arbiter.config.workspace import Workspace
from arbiter.contest.statistics.wording import percent
from arbiter.records.addresses import address_of
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_label
from arbiter.text import count, fitted, safe, terminal_width

_MOST_GAMES = 10
_UNFINISHED = "unfinished"


def print_many(found: RerunReport, agent: str | None, workspace: Workspace) -> None:
    """Print the totals and the games in which most has changed; ``agent`` is what the user typed for the agent to ask."""
    for line in _left_out(found.skipped):
        terminal.note(line)
    if found.interrupted:
        click.echo(click.style("stopped before the last game", fg="yellow"), err=True)
    if not found.seats:
        return
    click.echo(_by_result(found.seats))
    if kinds := _faults_by_kind(found.seats):
        click.echo(f"\n{kinds}")
    changed = sorted((seat for seat in found.seats if seat.changed), key=_interest)
    if changed:
        click.echo(f"\n{_games(changed[:_MOST_GAMES], workspace)}")
        if (more := len(changed) - _MOST_GAMES) > 0:
            click.echo(f"… and {count(more, 'more game')}; --json lists all of them")
        click.echo(f"\nlook at one:  {_command(changed[0], agent, workspace)}")
    games = len({seat.record for seat in found.seats})
    click.echo(f"\n{slowest(each for seat in found.seats for each in seat.answers)}")
    click.echo(
        f"{count(games, 'game')}: {found.changed} of {count(found.answers, 'answer')} differ; "
        f"faults: {found.faults_before} then, {found.faults_now} now"
    )


def _left_out(skipped: Iterable[LeftOut]) -> list[str]:
    """Say which games were left out; those with the same reason in one line."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for each in skipped:
        reasons[each.because].append(each.record)
    lines = []
    for why, records in reasons.items():
        more = f" and {count(len(records) - 1, 'more game')}" if len(records) > 1 else ""
        lines.append(f"left out: {common.display_path(records[0])}{more}: {safe(why, 500)}")
    return lines


def _by_result(seats: Sequence[SeatRerun]) -> str:
    """Return a table of what changed in games that were won, drawn and lost."""
    groups: dict[str, list[SeatRerun]] = defaultdict(list)
    for seat in seats:
        groups[seat.result or _UNFINISHED].append(seat)
    rows = []
    for result, shown in {"lost": "lost", "drew": "drawn", "won": "won", _UNFINISHED: _UNFINISHED}.items():
        group = groups[result]
        changed, answers = sum(len(seat.changed) for seat in group), sum(len(seat.answers) for seat in group)
        if group:
            share = percent(changed / answers, 1) if answers else "–"
            rows.append((shown, len(group), answers, changed, share))
    return fitted(
        rows, ["the game was", "games", "answers", "differ", "share"], right=(1, 2, 3, 4), width=terminal_width()
    )


def _faults_by_kind(seats: Sequence[SeatRerun]) -> str:
    """Return a table of the faults then and now, and how many of them are gone or new; empty if there are none."""
    decisions = [each for seat in seats for each in seat.answers]
    then, now = _kinds(each.before for each in decisions), _kinds(each.now for each in decisions)
    gone = _kinds(each.before for each in decisions if each.now.kind != each.before.kind)
    new = _kinds(each.now for each in decisions if each.now.kind != each.before.kind)
    rows = [(kind, then[kind], now[kind], gone[kind], new[kind]) for kind in sorted(then | now)]
    if not rows:
        return ""
    return fitted(rows, ["fault", "then", "now", "gone", "new"], right=(1, 2, 3, 4), width=terminal_width())


def _kinds(rulings: Iterable[Ruling]) -> Counter[str]:
    return Counter(ruled.kind for ruled in rulings if ruled.kind)


def _interest(seat: SeatRerun) -> tuple[int, int, str]:
    """Where there are new faults, and then where most has changed."""
    return -sum(each.newly_faulty for each in seat.answers), -len(seat.changed), seat.record


def _first(seat: SeatRerun) -> Decision:
    """The decision to look at: the first new fault, or else the first that changed."""
    return next((each for each in seat.changed if each.newly_faulty), seat.changed[0])


def _games(seats: Sequence[SeatRerun], workspace: Workspace) -> str:
    rows = [
        (
            address_of(seat.record),
            seat_label(find_protocol(seat.protocol, workspace), seat.seat),
            f"{len(seat.changed)} of {len(seat.answers)}",
            seat.faults_before,
            seat.faults_now,
            _first(seat).turn,
        )
        for seat in seats
    ]
    headers = ["game", "seat", "differ", "faults then", "faults now", "turn"]
    return fitted(rows, headers, right=(2, 3, 4, 5), width=terminal_width(), shorten=(0,))


def _command(seat: SeatRerun, agent: str | None, workspace: Workspace) -> str:
    """Return what to type to see one decision in full."""
    number = find_protocol(seat.protocol, workspace).first_seat + seat.seat
    words = [shlex.quote(agent)] if agent else []
    where = address_of(seat.record)
    return " ".join(["arbiter rerun", where, *words, f"--seat {number} --turn {_first(seat).turn}"])
