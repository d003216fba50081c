"""``arbiter play``: games between agents, here and now."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from arbiter.api import random_seed
from arbiter.cli import common, explain
from arbiter.cli.transcript import Transcript, evidence, move_line
from arbiter.errors import UserError, wrong_value
from arbiter.game import Game
from arbiter.plan import Plan, make_plan
from arbiter.records.format import AnswerLine
from arbiter.records.reader import load
from arbiter.registry import find as find_protocol
from arbiter.report import GameReport, PlayReport
from arbiter.series import play_series
from arbiter.units import show_duration
from arbiter.workspace import Workspace

LAST_MOVES = 6
"""Moves shown after a single game."""


def _limit(name: str, text: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    return click.option(f"--{name.replace('_', '-')}", f"limit_{name}", metavar="LIMIT", help=text)


@click.command("play")
@click.argument("protocol", shell_complete=common.complete_protocols)
@click.argument("agents", nargs=-1, required=True, shell_complete=common.complete_agents)
@click.option("--games", "-n", default=1, type=click.IntRange(1), help="How many; seats rotate, seeds are paired.")
@click.option("--seed", "-s", type=click.IntRange(0), help="Of the first game; random if not given.")
@click.option(
    "--option", "-o", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
@click.option("--lifetime", metavar="move|game", help="How long an agent's process lives.")
@click.option("--clock", metavar="fair|wall|cpu", help="What is charged; fair leaves out waiting for a busy machine.")
@click.option(
    "--sandbox", metavar="LEVEL", help="At least this containment: none, rlimits, landlock, namespace, cgroup, auto."
)
@click.option("--ponder/--no-ponder", default=None, help="Whether agents may think while it is not their turn.")
@_limit("move", "Time for a move but the first, such as 10s or 50ms.")
@_limit("first_move", "Time for the first move, start-up included.")
@_limit("total", "Time for all moves of a game together.")
@_limit("increment", "What every move adds to that.")
@_limit("grace", "Overruns in a game that are forgiven, of at most --margin.")
@_limit("margin", "How long such an overrun may be.")
@_limit("output", "Most that may be printed in a turn, such as 64KB.")
@_limit("stderr", "Most that may be printed on standard error in a turn.")
@_limit("memory", "Memory of each process, such as 256MB.")
@_limit("processes", "Processes of an agent at a time.")
@_limit("disk", "What an agent may write to its own folder, such as 64MB.")
@_limit("files", "How many files it may have there.")
@click.option("--time-factor", default=1.0, metavar="X", help="Multiply all times, for slow machines and debuggers.")
@click.option("--no-limits", is_flag=True, help="No limits worth the name, for debugging.")
@click.option(
    "--setup", type=click.Path(path_type=Path), help="Start from the setup in this file: a saved game, or just a setup."
)
@click.option("--save", type=click.Path(path_type=Path, file_okay=False), help="Folder for the saved games.")
@click.option(
    "--explain", "explain_only", is_flag=True, help="Say who would play under which limits, and why; play nothing."
)
@common.json_option
@click.option("--quiet", "-q", is_flag=True, help="One line a game.")
@click.option("--verbose", "-v", is_flag=True, help="Show every move as it is made.")
def command(
    protocol: str,
    agents: tuple[str, ...],
    games: int,
    seed: int | None,
    options: tuple[str, ...],
    lifetime: str | None,
    clock: str | None,
    sandbox: str | None,
    ponder: bool | None,
    time_factor: float,
    no_limits: bool,
    setup: Path | None,
    save: Path | None,
    explain_only: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
    **limits: str | None,
) -> None:
    """Play games of PROTOCOL between AGENTS, one for each seat.

    An AGENT is an executable, a source file, a folder with agent.yaml, a quoted command line, a name from
    arbiter.toml, or 'human'. Put NAME= in front to name it.

    \b
    arbiter play splendor greedy random
    arbiter play splendor ./new.cpp old=./old.cpp --games 20 --seed 1
    arbiter play splendor human lookahead
    """
    plan = make_plan(
        protocol,
        agents,
        options=_pairs(options),
        limits={name.removeprefix("limit_"): value for name, value in limits.items() if value is not None},
        lifetime=lifetime,
        clock=clock,
        sandbox=sandbox,
        ponder=ponder,
        time_factor=time_factor,
        no_limits=no_limits,
        setup=setup,
        save=save,
    )
    if explain_only:
        explain.explain(plan, as_json)
        return
    if seed is None:
        seed = plan.given.seed if plan.given and plan.given.seed is not None else random_seed()
    if as_json:
        common.print_json(play_series(plan, games=games, seed=seed))
        return
    for note in plan.notes:
        click.echo(note, err=True)
    screen = _Screen(plan, games, seed, quiet=quiet)
    people = any(entrant.agent.is_human for entrant in plan.entrants)
    watch = screen.move if verbose else screen.open_move if people else None
    screen.finish(play_series(plan, games=games, seed=seed, watch=watch, on_game=screen.game_over))


def _pairs(texts: tuple[str, ...]) -> dict[str, object]:
    pairs: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise wrong_value("option", text, "NAME=VALUE, or NAME=@FILE for the contents of a file")
        pairs[name] = _contents(value[1:]) if value.startswith("@") else value
    return pairs


def _contents(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"option file {file!r}: {getattr(error, 'strerror', None) or 'is not text'}") from None


class _Screen:
    """What a person sees."""

    def __init__(self, plan: Plan, games: int, seed: int, *, quiet: bool) -> None:
        self._plan, self._games, self._quiet = plan, games, quiet
        self._names = [entrant.agent.name for entrant in plan.entrants]
        self._done = 0
        if not quiet:
            changed = [
                common.safe(f"{name}={_shown(value)}", 40)
                for name, value in plan.options.items()
                if value != _default(plan, name)
            ]
            parts = [click.style(plan.protocol.title, bold=True), " vs ".join(self._names), f"seed {seed}", *changed]
            click.echo(" · ".join(parts))
            self._progress(0)

    def _progress(self, done: int) -> None:
        if sys.stderr.isatty() and self._games > 1:
            click.echo(
                f"\r\x1b[Kplaying game {done + 1} of {self._games} …" if done < self._games else "\r\x1b[K",
                nl=False,
                err=True,
            )

    def move(self, game: Game, line: AnswerLine) -> None:
        """One answer, as it comes."""
        click.echo(move_line(game, line, self._seat_names[line.seat]))

    def open_move(self, game: Game, line: AnswerLine) -> None:
        """What people at the table may know of it: not what others think, nor moves that are made at the same time."""
        if len(game.to_move()) == 1:
            click.echo(f"{line.turn:>4}  {self._seat_names[line.seat]}: {game.describe(line.seat, line.move)}")

    @property
    def _seat_names(self) -> list[str]:
        turned = self._done % len(self._names)
        return [*self._names[turned:], *self._names[:turned]]

    def game_over(self, game: GameReport) -> None:
        """One line for it."""
        self._done += 1
        if self._games > 1 or self._quiet:
            if sys.stderr.isatty() and self._games > 1:
                click.echo("\r\x1b[K", nl=False, err=True)
            scores = "  ".join(
                f"{name} {common.number(score)}" for name, score in zip(game.seats, game.scores, strict=True)
            )
            faults = f"  {common.count(len(game.faults), 'fault')}" if game.faults else ""
            click.echo(f"game {self._done:>3}  {scores}  {common.winners(game.seats, game.ranks)}{faults}")
            if not self._quiet:
                self._progress(self._done)

    def finish(self, report: PlayReport) -> None:
        """The table, the last moves, where the games are and what to type next."""
        if self._quiet:
            return
        click.echo()
        click.echo(results_table(report))
        last = report.games[-1]
        if self._games == 1:
            click.echo(
                f"\n{common.winners(last.seats, last.ranks)}: {last.reason} ({common.count(last.turns, 'turn')})"
            )
            _faults(last)
            _last_moves(last)
        click.echo(f"\nsaved    {common.display_path(last.record if self._games == 1 else Path(last.record).parent)}")
        click.echo(f"look     {common.this_command()} show {common.quoted_path(last.record)}")
        faulty = next((game for game in report.games if game.faults), None)
        if faulty:
            click.echo(f"faults   {common.this_command()} show {common.quoted_path(faulty.record)} --faults")


def _shown(value: object) -> object:
    lines = str(value).splitlines()
    return f"({len(lines)} lines)" if len(lines) > 1 else value


def _default(plan: Plan, name: str) -> object:
    return next(option.default for option in plan.protocol.options if option.name == name)


def results_table(report: PlayReport) -> str:
    """Agents with wins, points, faults and think times, best first."""
    single = len(report.games) == 1
    rows = []
    for name, total in sorted(report.totals.items(), key=lambda item: (-item[1].wins, -item[1].draws, -item[1].score)):
        kinds: dict[str, int] = {}
        for game in report.games:
            for fault in game.faults:
                if game.seats[fault.seat] == name:
                    kinds[fault.kind] = kinds.get(fault.kind, 0) + 1
        faults = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "-"
        mean = show_duration(total.think_us * 1000 // max(1, total.answers))
        times = [mean, show_duration(total.slowest_us * 1000)]
        if single:
            seat = report.games[0].seats.index(name)
            rows.append(
                [report.games[0].ranks[seat], seat, name, common.number(total.score), total.answers, *times, faults]
            )
        else:
            points = common.number(total.score / max(1, total.games))
            rows.append([name, total.wins, total.draws, total.losses, points, *times, faults])
    if single:
        rows.sort(key=lambda row: int(str(row[0])))
        return common.table(
            rows, ["rank", "seat", "agent", "points", "moves", "mean think", "slowest", "faults"], (0, 1, 3, 4, 5, 6)
        )
    return common.table(
        rows, ["agent", "wins", "draws", "losses", "points", "mean think", "slowest", "faults"], range(1, 7)
    )


def _faults(game: GameReport) -> None:
    """The first ones, with what is known of the first of each kind."""
    faulty = (line for line in load(Path(game.record)).answers if line.fault) if game.faults else ()
    told: set[tuple[int, str]] = set()
    for fault, line in zip(game.faults[:5], faulty, strict=False):
        click.echo(
            click.style(
                f"  turn {fault.turn}, {game.seats[fault.seat]}: {fault.kind}, {common.safe(fault.detail)}", fg="red"
            )
        )
        if (fault.seat, fault.kind) not in told:
            for row in evidence(line):
                click.echo(row)
        told.add((fault.seat, fault.kind))
    if len(game.faults) > 5:
        click.echo(f"  … and {common.count(len(game.faults) - 5, 'more fault')}")


def _last_moves(game: GameReport) -> None:
    record = load(Path(game.record))
    click.echo("\nthe last moves")
    for moment in Transcript(record, find_protocol(record.header.protocol, Workspace())).turns[-LAST_MOVES:]:
        click.echo(moment.text)
        for event in moment.events:
            click.echo(f"      {event}")
