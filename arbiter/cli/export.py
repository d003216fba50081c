"""``arbiter export``: write a saved game as a web page, JSON, CSV, SVG or GIF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from arbiter.cli import common, options
from arbiter.cli.show import newest
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.output_files import write_whole
from arbiter.records.reader import Record, load_record
from arbiter.records.turn_numbers import TurnName, find_turn
from arbiter.registry import find_protocol

FORMATS = ("html", "data", "csv", "svg", "gif", "original")


def _file(option: str, text: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    return click.option(option, metavar="FILE", type=click.Path(path_type=Path, allow_dash=True), help=text)


@click.command("export")
@click.argument("game", type=click.Path(path_type=Path))
@_file("--html", "One web page with everything in it: opens from disk, without a network.")
@_file("--data", "All answers and all positions, as JSON; --json prints them.")
@_file("--csv", "A table of all moves with their times.")
@_file("--svg", "A picture of one position; see --turn.")
@_file("--gif", "The whole game as an animated picture; needs pillow and resvg-py.")
@_file("--original", "The format of the contest's own arbiter, for protocols that have one.")
@options.shared("turn", ", for --svg: the position after it; 0 is the start.  [default: last]")
@click.option("--dark", is_flag=True, help="Draw the pictures on a dark background.")
@common.json_option
def command(game: Path, turn: TurnName | None, dark: bool, as_json: bool, **files: Path | None) -> None:
    """Write GAME, a saved game (or a folder: the newest game in it), in other formats. FILE - is standard output.

    \b
    Examples:
      arbiter export matches/samples/splendor.jsonl --html splendor.html
      arbiter export matches/samples/heroes.jsonl --svg heroes.svg --turn 40
    """
    asked = {name: file for name in FORMATS if (file := files[name]) is not None}
    if as_json and asked:
        raise UserError(f"--json prints what --data writes; it cannot be combined with --{next(iter(asked))}")
    if as_json:
        asked["data"] = Path("-")
    if not asked:
        raise UserError(
            "no format asked for; give --html FILE, or one of --json, --data, --csv, --svg, --gif and --original"
        )
    if turn is not None and "svg" not in asked:
        raise UserError("--turn is for --svg FILE; the other formats contain all turns")
    if [str(file) for file in asked.values()].count("-") > 1:
        raise UserError("only one format can be written to standard output; give a file name for the others")
    record = load_record(newest(game))
    protocol = find_protocol(record.header.protocol, Workspace())
    for name, file in asked.items():
        _write(file, _made(name, record, protocol, find_turn(turn, record, protocol) if turn else None, dark=dark))


def _made(name: str, record: Record, protocol: Protocol, turn: int | None, *, dark: bool) -> str | bytes:
    theme = "dark" if dark else "light"
    if name == "html":
        from arbiter.web.bundle import page

        return page(record, protocol)
    if name == "data":
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
