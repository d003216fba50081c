"""``arbiter games --stats``: what a selection of saved games has in common."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click

from arbiter.cli import common, terminal
from arbiter.cli.left_out import report_left_out
from arbiter.contest.statistics.versions import VersionGames, VersionRating
from arbiter.errors import UserError
from arbiter.records.addresses import game_at
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.reader import Record, load_record
from arbiter.records.search.query import Query
from arbiter.records.stats.document import TableStats
from arbiter.records.stats.selection import matching_records
from arbiter.records.stats.tally import Tally
from arbiter.text import count, safe

_MANY = 500


def show_stats(searched: Path, query: Query, rows: int, position: str | None, *, as_json: bool) -> None:
    """Show statistics of the games that match, with at most so many rows per table; or the moves played in a position.

    Annulled games are left out.
    """
    if position is not None:
        _show_position(searched, query, position, rows, as_json=as_json)
        return
    versions, damaged = VersionGames(), list[UnreadableArchive]()
    found = matching_records(searched, query, _progress, damaged) if searched.is_dir() else iter(())
    counted = Tally(query.agents)
    for record in found:
        if game := counted.add(record):
            versions.add(game)
    tables, ratings = counted.close(rows), versions.ratings(query.agents)
    for table in tables:
        _describe_openings(table)
    if as_json:
        from arbiter.cli.documents import DamagedFile, Statistics

        games, left_out = sum(table.games for table in tables), versions.left_out
        common.print_json(
            Statistics(
                folder=str(searched),
                games=games,
                annulled=counted.annulled,
                tables=tables,
                versions=ratings,
                games_without_rating=left_out,
                damaged=[DamagedFile(path=str(each.path), problem=str(each)) for each in damaged],
            )
        )
    elif not tables:
        what = " that matches" if query != Query() else ""
        click.echo(f"no finished game{what} in {common.display_path(searched)}", err=True)
    else:
        _print_tables(tables, ratings, rows)
        notes = [(counted.annulled, "annulled game"), (versions.left_out, "game without influence on the ratings")]
        for left_out, what in notes:
            if left_out:
                click.echo(f"\n{count(left_out, what)} left out")
    report_left_out(damaged)


def _print_tables(tables: Sequence[TableStats], ratings: Sequence[VersionRating], rows: int) -> None:
    from arbiter.cli import stats_drawing

    for number, table in enumerate(tables):
        own = [rating for rating in ratings if rating.protocol == table.protocol]
        click.echo(("\n" if number else "") + stats_drawing.table_text(table, own, _seat_label(table.protocol), rows))


def _progress(done: int, of: int) -> None:
    if of >= _MANY and sys.stderr.isatty():
        terminal.progress(f"reading saved games: {done} of {of} …" if done < of else "")


def _show_position(folder: Path, query: Query, text: str, rows: int, *, as_json: bool) -> None:
    from arbiter.config.workspace import Workspace
    from arbiter.records.stats.positions import explore
    from arbiter.registry import find_protocol

    record, turn = _place(text)
    protocol = find_protocol(record.header.protocol, Workspace())
    damaged: list[UnreadableArchive] = []
    games = matching_records(folder, query, _progress, damaged) if folder.is_dir() else iter(())
    found = explore(record, turn, protocol, _counted(games))
    if as_json:
        common.print_json(found)
    else:
        from arbiter.cli import stats_drawing

        click.echo(stats_drawing.position_text(found, _seat_label(found.protocol), rows))
    report_left_out(damaged)


def _counted(games: Iterable[Record]) -> Iterator[Record]:
    """Pass games on, and show how many have been looked at; annulled games are left out."""
    for number, game in enumerate(games):
        if number % _MANY == _MANY - 1 and sys.stderr.isatty():
            terminal.progress(f"replaying saved games: {number + 1} …")
        if game.annulled is None:
            yield game
    if sys.stderr.isatty():
        terminal.progress("")


def _place(text: str) -> tuple[Record, int]:
    """Return the game and the turn that ``GAME:TURN`` names. Raises UserError."""
    name, colon, number = text.rpartition(":")
    if not colon or not number.isdecimal() or not number.isascii() or len(number) > 9:
        raise UserError(f"--position {safe(text)!r}: give a saved game and a turn, such as game.jsonl:3")
    return load_record(game_at(name)), int(number)


def _describe_openings(table: TableStats) -> None:
    """Add the words for the moves, if the protocol is installed here."""
    from arbiter.config.workspace import Workspace
    from arbiter.records.stats.opening_words import opening_in_words
    from arbiter.registry import find_protocol

    with contextlib.suppress(UserError):
        protocol = find_protocol(table.protocol, Workspace())
        for opening in table.openings:
            opening.words = opening_in_words(opening, 1, protocol)


def _seat_label(protocol: str) -> Callable[[int], str]:
    """Return what the protocol calls its seats; their numbers if it is not installed here."""
    from arbiter.config.workspace import Workspace
    from arbiter.registry import find_protocol
    from arbiter.seat_names import seat_label

    try:
        return partial(seat_label, find_protocol(protocol, Workspace()))
    except UserError:
        return lambda seat: f"seat {seat}"
