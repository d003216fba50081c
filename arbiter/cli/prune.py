"""``arbiter archive prune``: drop parts of old records that are no longer needed."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

import click

from arbiter.cli import common, game_filters, options, terminal
from arbiter.cli.left_out import report_left_out
from arbiter.cli.pack import check_is_folder, contest_stopped, folders, terminal_progress
from arbiter.cli.values import Choice
from arbiter.errors import cannot
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.folder_lock import folder_lock
from arbiter.records.pruning import PARTS, Part, Pruned, prune_file
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.records.writer import SUFFIX
from arbiter.text import count, fitted, prose, safe, terminal_width
from arbiter.units import show_size

_MOST_REASONS = 5


@click.command("prune")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--drop",
    "parts",
    multiple=True,
    required=True,
    metavar="PART",
    type=Choice(PARTS),
    help="What to drop: kibitz, times (of answers) or logs (of standard error). Repeatable.",
)
@options.shared("before")
@click.option("--yes", is_flag=True, help="Drop it. Without this, only show what would be dropped.")
@common.json_option
def prune(folder: Path, parts: tuple[Part, ...], before: str | None, yes: bool, as_json: bool) -> None:
    """Drop parts of the finished games in FOLDER and its subfolders.

    Results, moves and faults stay, and so do the digests: pruned games verify as before, and the standings of contests
    change in think times only. Shows what would be freed; --yes drops it. What was dropped cannot be restored.

    \b
    Examples:
      arbiter archive prune matches/games --drop kibitz --before 90d
      arbiter archive prune matches/games --drop logs --before 2025-01-01 --yes
    """
    check_is_folder(folder)
    query = Query(until_us=game_filters.until_us(before), finished=True)
    files, packed, damaged = Pruned(), Pruned(), list[UnreadableArchive]()
    try:
        _files(folder, query, parts, files, really=yes)
        _packed(folder, query, parts, packed, damaged, really=yes)
    except OSError as error:
        raise cannot(f"prune {folder}", error) from None
    if as_json:
        from arbiter.cli.documents import PrunedGames, PruneResult

        of_files, of_packed = (
            PrunedGames(matching=each.matching, games=each.games, bytes=each.before, freed_bytes=each.freed)
            for each in (files, packed)
        )
        kept = [*files.kept, *packed.kept, *map(str, damaged)]
        common.print_json(PruneResult(done=yes, parts=list(parts), kept=kept, files=of_files, packed=of_packed))
    elif files.matching or packed.matching or not damaged:
        _print(files, packed, parts, done=yes)
    report_left_out(damaged, "not changed")


def _files(folder: Path, query: Query, parts: Collection[Part], total: Pruned, *, really: bool) -> None:
    by_folder: dict[Path, list[Path]] = {}
    for game in search(folder, query, packed=False).games:
        by_folder.setdefault(Path(game.record).parent, []).append(Path(game.record))
    show, games = terminal_progress("pruning"), sum(map(len, by_folder.values()))
    for inner, paths in sorted(by_folder.items()):
        with contest_stopped(inner), folder_lock(inner):
            for number, path in enumerate(paths):
                if number % 100 == 0:
                    show(number, games)
                total += prune_file(path, parts, really=really)
    show(0, 0)


def _packed(
    folder: Path,
    query: Query,
    parts: Collection[Part],
    total: Pruned,
    damaged: list[UnreadableArchive],
    *,
    really: bool,
) -> None:
    for inner in folders(folder):
        if not at_rest.archives(inner):
            continue
        at_rest.check_archive_libraries(at_rest.archives(inner)[0])
        from arbiter.records.packed.pruning import prune_archive

        names = [name for name in os.listdir(inner) if name.endswith(SUFFIX)]  # noqa: PTH208 - names alone
        with contest_stopped(inner), folder_lock(inner):
            for archive in at_rest.readable(at_rest.archives(inner), damaged):
                with at_rest.passing_over(damaged):
                    total += prune_archive(archive, query, names, parts, really=really)


def _print(files: Pruned, packed: Pruned, parts: Sequence[Part], *, done: bool) -> None:
    what, kept = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))), files.kept + packed.kept
    if not files.games + packed.games:
        matching = count(files.matching + packed.matching, "matching finished game")
        click.echo(f"nothing to drop: no {what} in {matching}" + (f", {len(kept)} left as they are" if kept else ""))
    else:
        rows = [
            (name, each.matching, each.games, show_size(each.before), show_size(each.freed))
            for name, each in (("files", files), ("packed games", packed))
            if each.matching
        ]  # fmt: skip
        headers = ("", "matching", f"with {what}", "size before", "freed" if done else "would be freed")
        click.echo(fitted(rows, headers, (1, 2, 3, 4), width=terminal_width()))
        if not done:
            click.echo("\n" + prose(f"nothing was changed; add --yes to drop {what}, which cannot be undone"))
    for reason in kept[:_MOST_REASONS]:
        terminal.note(f"not changed: {safe(reason, 500)}", fg="yellow")
    if len(kept) > _MOST_REASONS:
        click.echo(click.style(f"… and {len(kept) - _MOST_REASONS} more", fg="yellow"), err=True)
