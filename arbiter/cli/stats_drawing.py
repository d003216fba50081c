"""Statistics in a terminal: tables with bars, and sparklines, within its width."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from arbiter.contest.statistics.versions import VersionRating
from arbiter.contest.statistics.wording import compact, margin, percent, signed
from arbiter.records.stats.document import FaultPeriod, ResultCounts, TableStats
from arbiter.records.stats.positions import PlayedMove, PositionStats
from arbiter.records.stats.spread import date_of
from arbiter.text import count, fitted, safe, terminal_width
from arbiter.units import show_duration

_BAR = 20
_BLOCKS = " ▁▂▃▄▅▆▇█"
_PARTS = " ▏▎▍▌▋▊▉█"
_LONGEST = 60
"""Characters of a name or a move that are shown."""
_LONGEST_OPENING = 200


def bar(share: float, width: int = _BAR) -> str:
    """Return a bar from 0 to 1, in eighths of a column."""
    eighths = round(min(1.0, max(0.0, share)) * width * 8)
    return "█" * (eighths // 8) + _PARTS[eighths % 8].strip()


def sparkline(values: Sequence[float]) -> str:
    """Return a column for each value, in proportion to the largest; only a value of 0 is blank."""
    most = max(values, default=0)
    return "".join(_BLOCKS[max(1, round(8 * value / most))] if value > 0 else " " for value in values)


def table_text(table: TableStats, ratings: Sequence[VersionRating], label: Callable[[int], str], rows: int) -> str:
    """Return the statistics of the games of one protocol with the same number of seats."""
    span = f", {table.first}" + (f" to {table.last}" if table.last != table.first else "") if table.first else ""
    seats = count(table.seats, "seat")
    heading = click.style(f"{safe(table.protocol)}, {seats}: {count(table.games, 'game')}{span}", bold=True)
    parts = [
        heading,
        _results("Seat", [(label(each.seat), each) for each in table.by_seat]),
        _results("Agent", [(safe(each.agent, _LONGEST), each) for each in table.by_agent[:rows]]),
        _openings(table),
        _length(table),
        _think_time(table),
        _faults(table),
        _versions(ratings[: 5 * rows]),
    ]
    return "\n\n".join(part for part in parts if part)


def _fit(rows: Sequence[Sequence[object]], headers: Sequence[str], right: Sequence[int], shorten: Sequence[int]) -> str:
    return fitted(rows, headers, right, width=terminal_width(), shorten=shorten)


def _results(what: str, rows: Sequence[tuple[str, ResultCounts]]) -> str:
    cells = [
        (name, each.games, each.won, each.drew, each.lost, f"{each.points:.3f}", compact(each.score), bar(each.points))
        for name, each in rows
    ]
    return _fit(cells, (what, "games", "won", "drew", "lost", "points", "score", ""), (1, 2, 3, 4, 5, 6), (0,))


def _openings(table: TableStats) -> str:
    cells = [
        (
            safe(" / ".join(each.words or each.moves), _LONGEST_OPENING) or "(no move)",
            each.games,
            percent(each.games / table.games),
            " ".join(f"{value:.2f}" for value in each.points),
            f"{each.turns:.1f}",
        )
        for each in table.openings
    ]
    headers = ("Opening", "games", "share", "points by seat", "turns")
    text = fitted(cells, headers, (1, 2, 4), width=terminal_width(), wrap=(0,), shorten=(3,))
    if table.openings_left_out:
        text += f"\n… and {count(table.openings_left_out, 'more opening')}"
    return text


def _length(table: TableStats) -> str:
    length = table.length
    ranges = sparkline([games for _, _, games in length.counts])
    return (
        f"Length   median {length.median} turns, half of the games {length.quarter} to {length.three_quarters}, "
        f"mean {length.mean:.1f}\n         {length.shortest} {ranges} {length.longest} turns"
    )


def _think_time(table: TableStats) -> str:
    most = max((each.median_us for each in table.think_time), default=0) or 1
    cells = [
        (
            f"{each.first}–{each.last}" if each.last > each.first else str(each.first),
            each.answers,
            *(show_duration(us * 1000) for us in (each.median_us, each.percentile_95_us, each.longest_us)),
            bar(each.median_us / most),
        )
        for each in table.think_time
    ]
    return _fit(cells, ("Turn", "answers", "median time", "95 %", "longest", ""), (1, 2, 3, 4), ()) if cells else ""


def _faults(table: TableStats) -> str:
    if not any(period.faults for period in table.faults):
        return "Faults   none"
    cells = [
        (period.start, period.games, period.faults, f"{period.faults / period.games:.2f}", _kinds(period))
        for period in table.faults
    ]
    span = count(table.period_days, "day")
    line = sparkline([period.faults / period.games for period in table.faults])
    text = _fit(cells, (f"{span} from", "games", "faults", "per game", "kinds"), (1, 2, 3), (4,))
    return f"{text}\nFaults per game over time: {line}"


def _kinds(period: FaultPeriod) -> str:
    ordered = sorted(period.kinds.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{safe(kind, _LONGEST)} {count}" for kind, count in ordered)


def _versions(ratings: Sequence[VersionRating]) -> str:
    """Return the ratings of versions, and for each agent a line of its ratings over time."""
    if not ratings:
        return ""
    cells = [
        (
            safe(each.agent, _LONGEST),
            safe(each.fingerprint.removeprefix("sha256:"), 12) or "(unknown)",
            date_of(each.first_us) if each.first_us is not None else "",
            each.games,
            signed(each.elo),
            margin((each.high - each.low) / 2),
        )
        for each in ratings
    ]
    text = _fit(cells, ("Version of", "fingerprint", "first game", "games", "Elo", "95 %"), (3, 4, 5), (0,))
    lines = []
    for agent in dict.fromkeys(each.agent for each in ratings):
        elos = [each.elo for each in ratings if each.agent == agent]
        spread = (max(elos) - min(elos)) or 1.0
        line = sparkline([1 + 7 * (elo - min(elos)) / spread for elo in elos])
        lines.append(f"{safe(agent, 40)} {line} {signed(elos[0])} → {signed(elos[-1])}")
    return "\n".join([text, *lines])


def position_text(found: PositionStats, seat_label: Callable[[int], str], rows: int) -> str:
    """Return the moves that were played in a position."""
    who = " and ".join(safe(name) for name in found.to_move)
    heading = (
        f"{safe(found.protocol)}, turn {found.turn}, {who} to move: in {found.games} of {count(found.searched, 'game')}"
    )
    if not found.moves:
        return f"{heading}\nno game selected was in this position"
    cells = [
        (
            _move(each, seat_label(each.seat) if len(found.to_move) > 1 else ""),
            each.games,
            f"{each.points:.3f}",
            compact(each.score),
            _by(each),
        )
        for each in found.moves[:rows]
    ]
    text = _fit(cells, ("Move", "games", "points", "score", "played by"), (1, 2, 3), (4, 0))
    more = len(found.moves) - rows
    return f"{heading}\n\n{text}" + (f"\n… and {count(more, 'more move')}" if more > 0 else "")


def _move(played: PlayedMove, who: str) -> str:
    return (f"{who}: " if who else "") + safe(played.description or played.move, _LONGEST)


def _by(played: PlayedMove) -> str:
    names = [f"{safe(name, 24)} {count}" for name, count in played.agents.items()]
    return ", ".join(names) + (f"; {count(played.faults, 'fault')}" if played.faults else "")
