"""Plays one game, from its header to its result: seats the agents, referees the game and records it."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from arbiter.agents.ask.human import Abandoned, TableWithHumans
from arbiter.agents.ask.outside import MixedTable, Respondent
from arbiter.agents.ask.table import Seat, Table, TableRules
from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.agent import needs_network
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game
from arbiter.kept_files import FileKeeper
from arbiter.limits import as_written
from arbiter.plan import Entrant, Plan
from arbiter.records.allowance import Allowance
from arbiter.records.format import AnswerLine, Header, SeatInfo
from arbiter.records.stderr_log import StderrLog
from arbiter.records.writer import RecordWriter, now
from arbiter.referee import Asker, OnAnswer, play_out
from arbiter.report import GameFigures, GameReport
from arbiter.seat_names import SeatNames
from arbiter.text import display_path
from arbiter.version import __version__

_LEFT_TO_REFEREE = {
    **dict.fromkeys(("rules", "time", "output"), "by the referee program"),
    **dict.fromkeys(("no-ponder", "crowding"), "no"),
}
"""What is enforced in a game that another program referees, as written to records."""


def sandbox_for(plan: Plan, entrant: Entrant) -> Sandbox | None:
    """Return a sandbox for an entrant; None for a human or a remote agent, and at level ``none``."""
    if entrant.agent.is_outside or plan.sandbox.level == "none":
        return None
    others = [other.agent for other in plan.entrants if other is not entrant and not other.agent.is_outside]
    files = visible_files(entrant.agent, others, [plan.save, *plan.private], plan.visible)
    return Sandbox(plan.sandbox.level, files, entrant.limits)


Seating = Sequence[tuple[Entrant, Sandbox | None]]
"""By seat: the entrant, and the sandbox its processes run in."""


OpenSeat = Callable[[Game, int, str], Respondent]
"""Returns the respondent for a person, given the game, the seat and the person's name."""


def play_game(
    plan: Plan,
    seating: Seating,
    *,
    seed: int,
    number: int,
    open_record: Callable[[Header], RecordWriter],
    deal: int | None = None,
    commitment: str = "",
    contest: str = "",
    stage: str = "",
    watch: OnAnswer | None = None,
    keep_files: bool = True,
    on: Cores | None = None,
    outside: Mapping[int, Respondent] | None = None,
    on_start: Callable[[Game], None] | None = None,
    person: OpenSeat | None = None,
) -> GameReport:
    """Play one game to its end.

    ``number`` is its number in the series, ``open_record`` decides where it is saved, and ``on`` names the cores to use.
    With a ``commitment`` the seed is secret: the header has the number of the ``deal`` in its place, and the seed is
    written with the result.
    With ``keep_files``, files that agents write persist until the next game, where the protocol allows it.
    ``outside`` answers for the seats of remote agents. ``on_start`` is called with the game before its first turn.
    Humans are asked through ``person``; by default, at the terminal.
    """
    entrants = [entrant for entrant, _ in seating]
    _check_outside(plan, entrants, outside or {})
    chance = Chance(seed)
    try:
        header = make_header(
            plan, entrants, seed=seed, number=number, deal=deal, commitment=commitment, contest=contest, stage=stage
        )
        game = plan.protocol.start(len(entrants), plan.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"invalid setup: {error}") from None
    game.see_names([seat.name for seat in header.seats])
    if person:
        names = {seat: entrant.agent.name for seat, entrant in enumerate(entrants) if entrant.agent.is_human}
        outside = {**(outside or {}), **{seat: person(game, seat, name) for seat, name in names.items()}}
    if on_start:
        on_start(game)
    tally, allowance = GameFigures(header), Allowance([entrant.limits.record_bytes for entrant in entrants])

    people: TableWithHumans | None = None
    log: StderrLog | None = None

    def see(game: Game, line: AnswerLine) -> None:
        tally.add(line)
        if log:
            log.end_turn(line.seat, line.turn, fault=line.fault is not None)
        if people:
            people.see(line.turn, line.seat, line.move, line.fault.kind if line.fault else "")
        if watch:
            watch(game, line)

    keeper = FileKeeper(plan.keep_files, [str(plan.save), *plan.private]) if plan.keep_files else None
    on = on or Cores(None)
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(open_record(header))
        if plan.log != "none":
            log = stack.enter_context(StderrLog(writer.path, len(entrants), plan.log))
        rules = TableRules(plan.clock, plan.ponder, game.strict_exit, on.spare)
        seats = _seats(plan, seating, on, log)
        table = stack.enter_context(Table(seats, rules, idle=writer.flush))
        asker = table if person else _with_humans(plan, entrants, game, table)
        people = asker if isinstance(asker, TableWithHumans) else None
        mixed: Asker = MixedTable(asker, outside, idle=writer.flush) if outside else asker
        if plan.protocol.outside_referee:
            mixed = _outside_referee(plan, seats, seed, writer.path)
        try:
            _, end = play_out(
                game, chance, mixed, writer, see, allowance=allowance, reveal=seed if commitment else None
            )
        except Abandoned as left:
            raise Abandoned(f"{left} in {display_path(writer.path)}") from None
    if keeper:
        keeper.keep(writer.path, [(entrant.agent, sandbox) for entrant, sandbox in seating])
    if not (keep_files and plan.protocol.keeps_files):
        for _, sandbox in seating:
            if sandbox:
                sandbox.fresh()
    return tally.close(str(writer.path), end)


def _seats(plan: Plan, seating: Seating, on: Cores, log: StderrLog | None) -> list[Seat]:
    cores = on.deal([entrant.agent.threads for entrant, _ in seating], at_once=plan.protocol.simultaneous)
    labels = SeatNames(plan.protocol, [entrant.agent.name for entrant, _ in seating]).full
    return [
        Seat(
            launch_spec(entrant.agent, entrant.lifetime, *(sandbox.where_it_runs if sandbox else (None, False))),
            entrant.limits,
            entrant.lifetime,
            sandbox,
            own_cores,
            partial(log.feed, index) if log else None,
            labels[index],
        )
        for index, ((entrant, sandbox), own_cores) in enumerate(zip(seating, cores, strict=True))
    ]


def _outside_referee(plan: Plan, seats: Sequence[Seat], seed: int, record: Path) -> Asker:
    """Return an asker that has another program referee the game between these agents."""
    from arbiter.outside_referee.asker import OutsideReferee

    return OutsideReferee(seats, plan.options, seed, record)


def _check_outside(plan: Plan, entrants: Sequence[Entrant], outside: Mapping[int, Respondent]) -> None:
    for seat, entrant in enumerate(entrants):
        if plan.protocol.outside_referee and entrant.agent.is_outside:
            raise UserError(f"{entrant.agent.source!r} cannot play: the referee starts its players as programs")
        if entrant.agent.is_remote and seat not in outside:
            raise UserError(needs_network(entrant.agent))


def _with_humans(plan: Plan, entrants: Sequence[Entrant], game: Game, table: Table) -> Table | TableWithHumans:
    humans = {index: entrant.agent.name for index, entrant in enumerate(entrants) if entrant.agent.is_human}
    if not humans:
        return table

    def write(text: str) -> None:
        # Not on standard output, which may be a JSON document for another program.
        click.echo(text, nl=False, err=True)  # strips colours where needed

    if sys.stdin is None:
        raise UserError("'human' needs a standard input to type on, but it is closed")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(
            errors="replace"
        )  # a keyboard may send bytes that are not text in the terminal's encoding
    names = SeatNames(plan.protocol, [entrant.agent.name for entrant in entrants])
    return TableWithHumans(table, game, humans, names=names, rules=plan.protocol.help, read=sys.stdin, write=write)


def make_header(
    plan: Plan,
    entrants: Sequence[Entrant],
    *,
    seed: int,
    number: int,
    deal: int | None = None,
    commitment: str = "",
    contest: str = "",
    stage: str = "",
) -> Header:
    """Return the first line of a record: everything that is known before the first move. Raises BadSetup."""
    setup = plan.setup
    if plan.given is None:
        setup = plan.protocol.setup(len(entrants), plan.options, Chance(seed, "setup"))
    return Header(
        arbiter=__version__,
        protocol=plan.protocol.name,
        version=plan.protocol.version,
        options=dict(plan.options),
        seed=seed if deal is None else deal,
        commitment=commitment,
        setup=setup,
        setup_given=plan.given is not None,
        seats=[
            SeatInfo(
                name=entrant.agent.name,
                agent=_printable(entrant.agent.source),
                command=[_printable(word) for word in entrant.agent.command],
                lifetime=entrant.lifetime,
                language=entrant.agent.language,
                limits=as_written(entrant.limits),
                fingerprint=entrant.fingerprint,
            )
            for entrant in entrants
        ],
        clock=plan.clock,
        ponder=plan.ponder,
        sandbox=plan.sandbox.level,
        enforced={**plan.sandbox.enforced, **(_LEFT_TO_REFEREE if plan.protocol.outside_referee else {})},
        started=now(),
        game=number,
        contest=contest,
        stage=stage,
    )


def _printable(text: str) -> str:
    """Replace bytes that are not UTF-8, which file names may contain but records may not."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
