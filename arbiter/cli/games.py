"""``arbiter games``: list and search saved games."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from arbiter.cli import common, game_filters, games_table, options, terminal
from arbiter.cli.grouped_help import CONDITIONS, GroupedCommand, headed_option
from arbiter.cli.left_out import report_left_out
from arbiter.cli.values import Choice, WholeNumber
from arbiter.config.workspace import bundled
from arbiter.errors import UserError, nearest
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.reader import load_record
from arbiter.records.search.folder import Found, NoRecord, known_names, search
from arbiter.records.search.kibitz import Remark, matching
from arbiter.records.search.query import Query
from arbiter.records.summary import GameSummary
from arbiter.text import safe

if TYPE_CHECKING:
    from arbiter.cli.documents import Games

SCREENFUL = 20
"""The default of --games in a terminal."""
MANY = 500
"""The number of records from which reading them takes long enough to show progress."""

FORMATS = ("text", "paths", "json", "csv", "parquet")
ROWS = 10
"""The rows of a table of statistics, unless ``--games`` says so."""

_NOT_CONDITIONS = {"format_name", "output", "sql", "sort", "games", "as_json", "stats", "position"}
"""Options that change the output, not which games match."""


@click.command("games", cls=GroupedCommand)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@game_filters.options
@headed_option(
    CONDITIONS,
    "--finished/--unfinished",
    default=None,
    help="Games played to the end; or games cut off or still being played.",
)
@click.option(
    "--sort",
    type=Choice(["date", "length", "duration"]),
    default="date",
    help="Order: newest first, most turns first, or longest time first.  [default: date]",
)
@options.shared(
    "games",
    f" to list at most; 0 lists all.  [default: {SCREENFUL} in a terminal, else 0]",
    type=WholeNumber(0),
)
@click.option("--sql", metavar="TEXT", help="Print the answer to a SELECT statement instead; see docs/archive.md.")
@options.shared("format", "; paths are those of the records.  [default: text]", type=Choice(FORMATS))
@options.shared("output", "; for --format and --sql.")
@click.option("--stats", is_flag=True, help="Show statistics of the finished games instead.")
@click.option(
    "--position",
    metavar="GAME:TURN",
    help="Show instead which moves were played in the position of this game before this turn.",
)
@common.json_option
def command(
    folder: Path | None,
    as_json: bool,
    games: int | None,
    sql: str | None,
    format_name: str,
    output: Path | None,
    stats: bool,
    position: str | None,
    **asked: Any,
) -> None:
    """List the saved games that match all the given conditions, newest first.

    Searches FOLDER and its subfolders; by default, the folder where 'arbiter play' saves games. Winners are marked
    with *. --stats shows results by seat and by agent, openings, length, think time, faults over time, and the ratings
    of the versions of an agent; with --agent, only the times and faults of this agent count.

    \b
    Examples:
      arbiter games --agent my_bot --fault late      my_bot was late
      arbiter games --won greedy --lost my_bot -n 5  its latest losses to greedy
      arbiter games --kibitz "no idea" --since 2h    kibitz, with turn numbers
      arbiter games --since 7d --format paths | xargs -r arbiter verify
      arbiter games matches/games/splendor-cup --stats
    """
    if as_json and format_name not in ("text", "json"):
        raise UserError(f"--json and --format {format_name} cannot be combined; choose one")
    searched = game_filters.folder_to_search(folder)
    if stats or position is not None:
        from arbiter.cli.games_stats import show_stats

        del asked["finished"], asked["sort"]
        query = game_filters.query_from_options(asked)
        show_stats(searched, query, games or ROWS, position, as_json=as_json or format_name == "json")
        return
    if sql is not None:
        from arbiter.cli.games_export import print_answer

        damaged: list[UnreadableArchive] = []
        print_answer(searched, sql, "json" if as_json else format_name, output, damaged)
        report_left_out(damaged)
        return
    format_name = "json" if as_json else format_name
    if output is not None and format_name in ("text", "paths"):
        raise UserError("--output needs --format json, csv or parquet, or --sql")
    if games is None and format_name == "text" and sys.stdout.isatty():
        games = SCREENFUL
    query = game_filters.query_from_options(asked, games)
    found = _search(searched, query)
    if format_name not in ("text", "paths"):
        from arbiter.cli.games_export import print_games

        print_games(found.games, lambda: _document(searched, found, query), format_name, output)
    elif not found.total:
        click.echo(_nothing_found(searched, found, query, named=folder is not None), err=True)
    elif format_name == "paths":
        _print_paths(found.games)
    elif found.games:  # all that match may be damaged
        remarks = [_remarks(game, query) for game in found.games]
        click.echo(games_table.games_table(found.games, remarks, query))
        click.echo(games_table.footer(found, remarks))
    _report_damage(found.damaged, in_document=format_name == "json")


def _search(folder: Path, query: Query) -> Found:
    """Search a folder, which need not exist before the first game; write no index among the bundled files."""
    if not os.path.isdir(folder):  # noqa: PTH112 - Path.is_dir raises if a parent folder may not be searched
        return Found([], 0, 0, [])
    return search(folder, query, keep=not _is_bundled(folder), progress=_progress if sys.stderr.isatty() else None)


def _is_bundled(folder: Path) -> bool:
    return folder.resolve().is_relative_to(bundled() / "matches" / "samples")


def _progress(done: int, of: int) -> None:
    if of >= MANY:
        terminal.progress(f"reading saved games: {done} of {of} …" if done < of else "")


def _remarks(game: GameSummary, query: Query) -> list[Remark]:
    """Read the kibitz lines that match the query from the record; the index does not hold them."""
    if query.kibitz is None:
        return []
    try:
        return matching(load_record(Path(game.record)), query.kibitz, query.agents)
    except UserError:  # deleted since the search
        return []


def _document(folder: Path, found: Found, query: Query) -> Games:
    from arbiter.cli.documents import DamagedFile, Games, ListedGame

    said = [msgspec.UNSET if query.kibitz is None else _remarks(game, query) for game in found.games]
    return Games(
        folder=str(folder),
        searched=found.searched,
        found=found.total,
        games=[
            ListedGame(**msgspec.structs.asdict(game), kibitz=lines)
            for game, lines in zip(found.games, said, strict=True)
        ],
        damaged=[DamagedFile(path=str(each.path), problem=f"{each.path}{each.problem}") for each in found.damaged],
    )


def _print_paths(games: Sequence[GameSummary]) -> None:
    """Print the paths as bytes, since file names need not be valid UTF-8."""
    for game in games:
        sys.stdout.buffer.write(os.fsencode(common.display_path(game.record)) + b"\n")
    sys.stdout.buffer.flush()


def _nothing_found(folder: Path, found: Found, query: Query, *, named: bool) -> str:
    """Say which games were searched for what, and suggest names that are similar."""
    where = common.display_path(folder)
    if not found.searched:
        return f"no saved games in {where}" + ("" if named else " yet; 'arbiter play' saves them there")
    many = "the only saved game" if found.searched == 1 else f"none of the {found.searched} saved games"
    verb = "does not match" if found.searched == 1 else "matches"
    return f"{many} in {where} {verb} {_conditions()}{_suggestion(folder, query)}"


def _conditions() -> str:
    """Return the conditions as they were typed."""
    context, words = click.get_current_context(), list[str]()
    for option in context.command.params:
        value = context.params.get(option.name or "")
        given = value is not None and value is not False and value != ()
        if not given or not isinstance(option, click.Option) or option.name in _NOT_CONDITIONS:
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [option.opts[0]] if option.is_flag else [option.opts[0], str(each)]
    if context.params["finished"] is False:
        words.append("--unfinished")
    return safe(shlex.join(words), 500)


def _suggestion(folder: Path, query: Query) -> str:
    """For names that occur in no saved game, suggest the most similar ones that do."""
    names, protocols = known_names(folder, keep=not _is_bundled(folder))
    asked = [(name, names) for name in (*query.agents, *query.won, *query.drew, *query.lost)]
    if query.protocol is not None:
        asked.append((query.protocol, protocols))
    close = [near for name, known in asked if name not in known and (near := nearest(name, known))]
    return f"; did you mean {' and '.join(map(repr, close))}?" if close else ""


def _report_damage(damaged: Sequence[NoRecord], *, in_document: bool) -> None:
    """Name the files that cannot be read. An archive has many games, so leaving one out also sets the exit status."""
    archives = [each for each in damaged if at_rest.is_archive(each.path)]
    files = [each for each in damaged if each not in archives]
    if files and not in_document:
        first = f"{common.display_path(files[0].path)}{files[0].problem}"
        if len(files) > 1:
            first = f"{len(files)} files cannot be read as saved games; the first is {first}"
        click.echo(click.style(safe(first, 500), fg="yellow"), err=True)
    report_left_out(f"{common.display_path(each.path)}{each.problem}" for each in archives)
