"""``--pages``: pages of games and agents beside the HTML report of a contest, so that its links open them."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

import click
import msgspec

from arbiter.cli import common
from arbiter.config.workspace import Workspace
from arbiter.contest.report import Report
from arbiter.contest.report.document import GameLine
from arbiter.contest.statistics.standing import page_table
from arbiter.errors import UserError
from arbiter.output_files import write_whole
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.text import count

AGENTS_PAGE = "agents.html"


def check_pages(format_name: str, output: Path | None) -> Path:
    """Return the file of the report. Raises UserError unless it is one that pages can be linked from."""
    if format_name != "html" or output is None:
        raise UserError("--pages is for --format html --output FILE: the pages are written beside that file")
    return output


def with_pages(report: Report, format_name: str, output: Path | None) -> Report:
    """Write the pages into a folder named after the report; returns the report with their paths. Raises UserError.

    A game that cannot be shown has no page, and the report links to its record.
    """
    output = check_pages(format_name, output)
    folder = output.absolute().parent / f"{output.stem}-games"
    try:
        folder.mkdir(exist_ok=True)
        games = [_with_page(game, folder) for game in report.games]
        report = msgspec.structs.replace(report, games=games, agents_page=f"{folder.name}/{AGENTS_PAGE}")
        write_whole(folder / AGENTS_PAGE, _agents_page(report, output))
    except OSError as error:
        raise UserError(f"cannot write the pages of games to {folder}: {error.strerror}") from None
    click.echo(
        f"written  {count(sum(bool(game.page) for game in games), 'page')} in {common.display_path(folder)}",
        err=True,
    )
    return report


def _agents_page(report: Report, output: Path) -> str:
    """Return the page of the agents, which lies beside those of the games."""
    from arbiter.web.bundle import contest_page

    document = msgspec.to_builtins(report)
    for game in document["games"]:
        game["seed"] = str(game["seed"])  # as a number, a browser would round it
        game["page"] = Path(game["page"]).name if game.get("page") else f"../{_address(game['record'])}"
    document["standings"] = page_table(report.rows)
    document["back"] = f"../{_address(output.name)}"
    return contest_page(document, report.title)


def _address(path: str) -> str:
    return quote(os.fsencode(path), safe="/")


def _with_page(game: GameLine, folder: Path) -> GameLine:
    from arbiter.web.bundle import page

    try:
        record = load_record(folder.parent / game.record)
        text = page(record, find_protocol(record.header.protocol, Workspace()), with_stderr=False)
    except UserError:
        return game
    file = folder / f"{game.number:05}.html"
    write_whole(file, text)
    return msgspec.structs.replace(game, page=f"{folder.name}/{file.name}")
