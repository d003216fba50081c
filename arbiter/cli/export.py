"""``arbiter export``: write a saved game as a web page, JSON, CSV, SVG or GIF."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arbiter.cli import common, options
from arbiter.cli.values import Choice
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.output_files import write_whole
from arbiter.records.addresses import game_at
from arbiter.records.reader import Record, load_record
from arbiter.records.turn_numbers import TurnName, find_turn
from arbiter.registry import find_protocol

FORMATS = ("html", "json", "csv", "svg", "gif", "original")


@click.command("export")
@click.argument("game")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, allow_dash=True))
@options.shared("format", ", if FILE does not end in it.", type=Choice(FORMATS), default=None)
@options.shared("turn", ", for SVG: the position after it; 0 is the start.  [default: last]")
@click.option("--dark", is_flag=True, help="Draw the pictures on a dark background.")
def command(game: str, files: tuple[Path, ...], format_name: str | None, turn: TurnName | None, dark: bool) -> None:
    """Write GAME (a file, 'last', CONTEST#37; of a folder the newest game) to every FILE, in the format it ends in.

    \b
    html      one web page with everything in it, which needs no network
    json      all answers and all positions
    csv       a table of all moves with their times
    svg       a picture of one position
    gif       the whole game as an animated picture; needs pillow and resvg-py
    original  the format of the contest's own arbiter, for protocols that have one

    FILE - is standard output.

    \b
    Examples:
      arbiter export last game.html
      arbiter export matches/samples/heroes.jsonl heroes.svg --turn 40
      arbiter export matches/samples/rails.jsonl trace.txt --format original
    """
    asked = {file: format_name or _format_of(file) for file in files}
    if turn is not None and "svg" not in asked.values():
        raise UserError("--turn is for SVG; the other formats contain all turns")
    record = load_record(game_at(game))
    protocol = find_protocol(record.header.protocol, Workspace())
    for file, name in asked.items():
        _write(file, _made(name, record, protocol, find_turn(turn, record, protocol) if turn else None, dark=dark))


def _format_of(file: Path) -> str:
    name = file.suffix.removeprefix(".").lower()
    if name not in FORMATS:
        raise UserError(f"{str(file)!r}: unknown format; end its name in .{', .'.join(FORMATS[:-1])}, or give --format")
    return name


def _made(name: str, record: Record, protocol: Protocol, turn: int | None, *, dark: bool) -> str | bytes:
    theme = "dark" if dark else "light"
    if name == "html":
        from arbiter.web.bundle import page

        return page(record, protocol)
    if name == "json":
        from arbiter.cli.transcript import Transcript
        from arbiter.records.exports.document import encode_json

        return encode_json(msgspec.to_builtins(Transcript(record, protocol).document())).decode() + "\n"
    if name == "csv":
        from arbiter.records.exports.table import moves_table

        return moves_table(record, protocol)
    if name == "original":
        from arbiter.records.external_games import export_text

        return export_text(record, protocol)
    if name == "gif":
        from arbiter.web.gif_export import gif

        return gif(record, protocol, theme=theme)
    from arbiter.web.svg_export import svg

    last = record.answers[-1].turn if record.answers else 0
    return svg(record, protocol, last if turn is None else turn, theme=theme)


def _write(file: Path, made: str | bytes) -> None:
    if str(file) == "-":
        click.echo(made, nl=False)
        return
    data = made.encode() if isinstance(made, str) else made
    write_whole(file, data)
    click.echo(f"written  {common.display_path(file)}  ({len(data) // 1000} KB)", err=True)
