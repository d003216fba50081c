"""``arbiter archive import``: turn saved games of a contest's own arbiter into records."""

from __future__ import annotations

from pathlib import Path

import click

from arbiter import registry
from arbiter.cli import common, options
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.external_games import import_text
from arbiter.records.reader import read_file


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@options.shared("save", ".  [default: that of arbiter.toml]")
def import_games(files: tuple[Path, ...], save: Path | None) -> None:
    """Import FILES, games saved by a contest's own arbiter, as records.

    Every move is checked against the rules, so the records can be shown, verified and searched like any other.
    Supported are the saved games of the Splendor contest, traces of Rails games, and replays of the contest site for Rails and
    Green Circle, to which the setup must be added; docs/importing.md says how. 'arbiter export --format original' writes such files.

    \b
    Examples:
      arbiter archive import game-1.json
      arbiter archive import saved/*.json --save matches/imported
    """
    workspace = Workspace()
    protocols = [registry.find_protocol(name, workspace) for name in registry.protocol_names(workspace)]
    folder = save or workspace.games
    failed: list[str] = []
    for file in files:
        try:
            path = import_text(_text(file), protocols, folder)
        except UserError as error:
            failed.append(f"{file}: {error}".replace(f"{file}: {file}", str(file)))
        else:
            click.echo(f"{common.display_path(str(file))} → {common.display_path(str(path))}")
    if failed:
        raise UserError("\n".join(failed))


def _text(file: Path) -> str:
    try:
        text = read_file(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    if text.startswith('{"type":"header"'):
        raise UserError(f"already a record; look at it with  arbiter show {common.quoted_path(file)}")
    return text
