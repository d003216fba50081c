"""``arbiter verify``: check saved games by replaying them through the rules."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from arbiter.cli import common, options, terminal
from arbiter.cli.left_out import report_left_out
from arbiter.config.workspace import Workspace
from arbiter.contest.deal_check import CheckedSecret, DealCheck, reveal_secrets
from arbiter.errors import EXIT_FOUND, UserError
from arbiter.records.addresses import games_at, place
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.reader import load_record, record_bytes
from arbiter.records.replay import without_half_turn
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from arbiter.text import count, safe

_INDENT = 9
"""Columns for the word in front of each game."""


class VerifiedGame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A saved game that was replayed."""

    record: str
    finished: bool
    turns: int
    differences: list[str]
    unchecked: str = ""
    """What could not be checked."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """The saved games that were replayed."""

    games: list[VerifiedGame]
    verified: int
    differ: int
    chance: list[CheckedSecret]
    """Whether the seeds of contests follow from their secrets."""


@click.command("verify")
@click.argument("games", nargs=-1, required=True)
@common.json_option
@options.shared("quiet", ": only games that differ.")
@click.option(
    "--reveal", is_flag=True, help="Reveal the secret of a contest that was stopped. Further games get a new secret."
)
def command(games: tuple[str, ...], as_json: bool, quiet: bool, reveal: bool) -> None:
    """Replay GAMES (files, folders, 'last', CONTEST#37) through the rules and report what differs.

    Also checks that the setup and all random outcomes follow from the seed, that every fault led to the prescribed
    fallback move, and that the digest matches. For the folder of a contest, checks that all seeds follow from its secret,
    and that the secret is the one it began with. The exit status is 1 if anything differs or an
    archive is damaged, and 2 if a game cannot be read.

    \b
    Examples:
      arbiter verify matches/games
      arbiter verify --quiet matches/samples/splendor.jsonl
    """
    workspace = Workspace()
    if reveal:
        reveal_secrets(map(place, games))
    damaged: list[UnreadableArchive] = []
    found, missing = _find(games, damaged)
    if not found and not missing and not damaged:
        raise UserError(f"no saved game in {', '.join(map(repr, games))}")
    deals = DealCheck()
    documents = [_check(path, workspace, deals) for path in found]
    bad = [document for document in documents if document.differences]
    if as_json:
        good = len(documents) - len(bad)
        common.print_json(Verified(games=documents, verified=good, differ=len(bad), chance=deals.secrets()))
    else:
        for document in documents:
            if document.differences or not quiet:
                _print(document)
        if len(documents) > 1 and (bad or not quiet):
            click.echo(f"{len(documents) - len(bad)} of {len(documents)} saved games verified")
        for checked in deals.secrets():
            click.echo(terminal.hanging("chance", checked.sentence(), _INDENT))
    if missing:
        raise UserError("\n".join([*missing, *map(str, damaged)]))
    report_left_out(damaged, "not verified")
    if bad:
        raise click.exceptions.Exit(EXIT_FOUND)


def _find(games: tuple[str, ...], damaged: list[UnreadableArchive]) -> tuple[list[Path], list[str]]:
    """Find the records at each address, and what is wrong with those that cannot be read."""
    found: list[Path] = []
    missing: list[str] = []
    for each in games:
        try:
            records = games_at([each], damaged)
            if len(records) == 1 and not _begins_as_record(path := records[0]):
                raise UserError(f"{path} is not a saved game: its first line is not the header of one")
            found += records
        except UserError as error:
            missing.append(str(error))
    return found, missing


def _begins_as_record(path: Path) -> bool:
    """Whether a file looks like a saved game, which may be damaged or changed."""
    return b'"header"' in record_bytes(path)[:4096].partition(b"\n")[0]


def _check(path: Path, workspace: Workspace, deals: DealCheck) -> VerifiedGame:
    try:
        record = load_record(path)
        protocol = find_protocol(record.header.protocol, workspace)
        record = without_half_turn(record, protocol)
        problems = [*differences(record, protocol), *deals.differences(record)]
    except UserError as error:
        return VerifiedGame(record=str(path), finished=False, turns=0, differences=[str(error)])
    turns = record.answers[-1].turn if record.answers else 0
    unchecked = protocol.unavailable.get("verify", "")
    finished = record.result is not None
    return VerifiedGame(record=str(path), finished=finished, turns=turns, differences=problems, unchecked=unchecked)


def _print(document: VerifiedGame) -> None:
    path, problems = common.display_path(document.record), document.differences
    if problems:
        # The problem of a file that cannot be read begins with its name.
        first = safe(problems[0].removeprefix(document.record), 500)
        text = f"{path}{first}" if first.startswith((":", ", line", " ")) else f"{path}: {first}"
        click.echo(terminal.hanging(click.style("differs", fg="red"), text, _INDENT))
        for more in problems[1:]:
            click.echo(terminal.hanging("", safe(more, 500), _INDENT))
        return
    turns = count(document.turns, "turn")
    state = turns if document.finished else f"unfinished, correct up to turn {document.turns}"
    if document.unchecked:
        state = f"{state}; {document.unchecked}"
    colour = "green" if document.finished else "yellow"
    word, columns = click.style("ok", fg=colour), terminal.width()
    if columns is None or _INDENT + len(f"{path}: {state}") <= columns:
        click.echo(terminal.hanging(word, f"{path}: {state}", _INDENT))
    else:
        click.echo(terminal.hanging(word, f"{path}:", _INDENT))
        click.echo(terminal.hanging("", state, _INDENT))
