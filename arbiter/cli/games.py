"""``arbiter games``: find saved games."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from arbiter.cli import common, games_table
from arbiter.errors import UserError, nearest
from arbiter.game import FaultKind
from arbiter.records.archive.kibitz import Remark, matching
from arbiter.records.archive.moments import asked_us
from arbiter.records.archive.query import ANY_FAULT, Query
from arbiter.records.archive.saved_game import SavedGame
from arbiter.records.archive.search import Found, NoRecord, search
from arbiter.records.reader import load
from arbiter.workspace import Workspace, bundled

SCREENFUL = 20
"""Games shown in a terminal unless --limit says otherwise."""
MANY = 500
"""So many records take long enough to read that one likes to see them counted."""

_KINDS = {kind.replace(" ", "-"): str(kind) for kind in FaultKind}
_NO_CONDITIONS = {"sort", "reverse", "limit", "how", "as_json"}


def _names(option: str, text: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    return click.option(
        *option.split(),
        multiple=True,
        metavar="AGENT",
        shell_complete=common.complete_agents,
        help=f"{text} Repeatable.",
    )


@click.command("games")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@_names("--agent -a agents", "Games this agent sat in; faults and kibitz asked for are then its own.")
@_names("--won", "Games it won.")
@_names("--drew", "Games it shared the win of, or that nobody won.")
@_names("--lost", "Games it lost.")
@click.option("--protocol", "-p", metavar="GAME", shell_complete=common.complete_games, help="Only this game.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="KIND",
    type=click.Choice([ANY_FAULT, *_KINDS]),
    help=f"With a fault of this kind, or any: {', '.join(_KINDS)}. Repeatable: of one of them.",
)
@click.option(
    "--since", metavar="WHEN", help="Started then or later: 2026-11-01, 2026-11-01T18:30 (UTC), 2h or 7d ago."
)
@click.option("--until", metavar="WHEN", help="Started then or before; a day counts to its end.")
@click.option("--seed", "-s", metavar="N", type=int, help="Played with this seed.")
@click.option("--kibitz", "-k", metavar="TEXT", help="With this text in a line of kibitz, in capitals or not.")
@click.option("--contest", metavar="NAME", help="Of this contest.")
@click.option("--stage", metavar="NAME", help="Of this stage of a contest.")
@click.option("--finished/--unfinished", default=None, help="Played to the end; or cut off, or still being played.")
@click.option("--duplicates", is_flag=True, help="Saved more than once: the same moves from the same start.")
@click.option(
    "--sort",
    type=click.Choice(["date", "length", "duration"]),
    default="date",
    help="Newest, most turns or longest first.  [date]",
)
@click.option("--reverse", "-r", is_flag=True, help="The other way round.")
@click.option(
    "--limit",
    "-n",
    metavar="N",
    type=click.IntRange(0),
    help=f"Most games to list; 0 for all. A table in a terminal has {SCREENFUL} unless told otherwise.",
)
@click.option("--count", "how", flag_value="count", help="Print only how many there are.")
@click.option("--paths", "how", flag_value="paths", help="Print only where they are saved, one a line.")
@common.json_option
def command(folder: Path | None, how: str | None, as_json: bool, limit: int | None, **asked: Any) -> None:
    """List saved games, newest first: those in FOLDER and below, or where 'arbiter play' saves them.

    Conditions add up. Whoever won is marked with *.

    \b
    arbiter games --agent my_bot --fault late           the games in which it was late
    arbiter games --won greedy --lost my_bot -n 5       the last five it lost to greedy
    arbiter games --kibitz "no idea" --since 2h         what was said, and in which turn
    arbiter games --since 7d --paths | xargs -r arbiter verify
    """
    if as_json and how:
        raise UserError(f"--json and --{how} are two ways to print: choose one")
    place = _place(folder)
    if limit is None and not as_json and how is None and sys.stdout.isatty():
        limit = SCREENFUL
    query = _query(asked, limit)
    found = _search(place, query)
    if as_json:
        common.print_json(_document(place, found, query))
        return
    if how == "count":
        click.echo(found.total)
    elif not found.total:
        click.echo(_nothing(place, found, query, named=folder is not None), err=True)
    elif how == "paths":
        _print_paths(found.games)
    else:
        said = [_remarks(game, query) for game in found.games]
        click.echo(games_table.table(found.games, said, query))
        click.echo(games_table.footer(found, said))
    if found.damaged:
        click.echo(_damage(found.damaged), err=True)


def _place(named: Path | None) -> Path:
    """The folder to search. What is not here may have come with the arbiter, as for other commands."""
    if named is None:
        return Workspace().games
    place = named if os.path.lexists(named) else bundled() / named
    if not os.path.isdir(place):  # noqa: PTH112
        what = "is no folder: 'arbiter show' looks at one game" if os.path.lexists(place) else "is not there"
        raise UserError(f"{str(named)!r} {what}; name a folder of saved games")
    return place


def _search(place: Path, query: Query) -> Found:
    """Nothing is left in what comes with the arbiter; and before the first game there is no folder."""
    if not os.path.isdir(place):  # noqa: PTH112 - Path.is_dir raises for what may not be looked at
        return Found([], 0, 0, [])
    ours = place.resolve().is_relative_to(bundled() / "matches" / "samples")
    return search(place, query, keep=not ours, progress=_progress if sys.stderr.isatty() else None)


def _query(asked: dict[str, Any], limit: int | None) -> Query:
    now_us = time.time_ns() // 1000
    since, until = asked.pop("since"), asked.pop("until")
    faults = tuple(_KINDS.get(kind, kind) for kind in asked.pop("faults"))
    return Query(
        **{name: _readable(value) for name, value in asked.items()},
        faults=faults,
        since_us=asked_us(since, now_us, what="--since") if since is not None else None,
        until_us=asked_us(until, now_us, what="--until", last=True) if until is not None else None,
        limit=limit or None,
    )


def _readable(value: Any) -> Any:
    """What is typed need not be UTF-8. Records are, and have a sign in the place of what was not."""
    if isinstance(value, tuple):
        return tuple(map(_readable, value))
    return value.encode(errors="surrogateescape").decode(errors="replace") if isinstance(value, str) else value


def _progress(done: int, of: int) -> None:
    if of >= MANY:
        click.echo(f"\r\x1b[Kreading saved games: {done} of {of} …" if done < of else "\r\x1b[K", nl=False, err=True)


def _remarks(game: SavedGame, query: Query) -> list[Remark]:
    """The kibitz that was asked for, from the record itself."""
    if query.kibitz is None:
        return []
    try:
        return matching(load(Path(game.record)), query.kibitz, query.agents)
    except UserError:  # it was there a moment ago
        return []


def _document(place: Path, found: Found, query: Query) -> dict[str, object]:
    games = [msgspec.to_builtins(game) for game in found.games]
    if query.kibitz is not None:
        for document, game in zip(games, found.games, strict=True):
            document["kibitz"] = msgspec.to_builtins(_remarks(game, query))
    damaged = [{"path": str(each.path), "problem": f"{each.path}{each.problem}"} for each in found.damaged]
    return {
        "folder": str(place),
        "searched": found.searched,
        "found": found.total,
        "games": games,
        "damaged": damaged,
    }


def _print_paths(games: Sequence[SavedGame]) -> None:
    """As bytes, for whoever opens them: names of files need not be text."""
    for game in games:
        sys.stdout.buffer.write(os.fsencode(common.display_path(game.record)) + b"\n")
    sys.stdout.buffer.flush()


def _nothing(place: Path, found: Found, query: Query, *, named: bool) -> str:
    """What was searched, and what may have been meant."""
    where = common.display_path(place)
    if not found.searched:
        return f"there is no saved game in {where}" + ("" if named else " yet; 'arbiter play' saves them there")
    many = "the only saved game" if found.searched == 1 else f"none of the {found.searched} saved games"
    verb = "does not fit" if found.searched == 1 else "fits"
    return f"{many} in {where} {verb} {_conditions()}{_meant(place, query)}"


def _conditions() -> str:
    """The conditions as they were typed."""
    context, words = click.get_current_context(), list[str]()
    for option in context.command.params:
        value = context.params.get(option.name or "")
        given = value is not None and value is not False and value != ()
        if not given or not isinstance(option, click.Option) or option.name in _NO_CONDITIONS:
            continue
        for each in value if isinstance(value, tuple) else (value,):
            words += [option.opts[0]] if option.is_flag else [option.opts[0], str(each)]
    if context.params["finished"] is False:
        words.append("--unfinished")
    return common.safe(shlex.join(words), 500)


def _meant(place: Path, query: Query) -> str:
    """Names that are in no saved game, with the nearest one that is."""
    games = _search(place, Query()).games
    names, protocols = {name for game in games for name in game.seats}, {game.protocol for game in games}
    asked = [(name, names) for name in (*query.agents, *query.won, *query.drew, *query.lost)]
    if query.protocol is not None:
        asked.append((query.protocol, protocols))
    close = [near for name, known in asked if name not in known and (near := nearest(name, known))]
    return f"; did you mean {' and '.join(map(repr, close))}?" if close else ""


def _damage(damaged: Sequence[NoRecord]) -> str:
    first = f"{common.display_path(damaged[0].path)}{damaged[0].problem}"
    if len(damaged) > 1:
        first = f"{len(damaged)} files cannot be read as saved games; the first is {first}"
    return click.style(common.safe(first, 500), fg="yellow")
