"""Plays one game, from its header to its result: seats the agents, referees the game and records it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from arbiter.agents.ask.human import Abandoned, Terminal, open_terminal
from arbiter.agents.ask.outside import Absentee, Respondent
from arbiter.agents.ask.table import Seat, Table, TableRules
from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.agent import needs_network
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import as_written
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game
from arbiter.playing.file_keeper import FileKeeper
from arbiter.playing.job import Job
from arbiter.playing.outside_referee import settings as outside_referee
from arbiter.playing.plan import Entrant, Plan
from arbiter.playing.referee import OnAnswer, play_out
from arbiter.records.allowance import Allowance
from arbiter.records.format import AnswerLine, Header, HostInfo, SeatInfo
from arbiter.records.stderr_log import StderrLog
from arbiter.records.summary import GameSummary, SummaryCounter
from arbiter.records.writer import RecordWriter, new_record, now
from arbiter.seat_names import SeatNames
from arbiter.text import display_path
from arbiter.version import __version__


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


class Hooks(msgspec.Struct, frozen=True, kw_only=True):
    """What takes part in one game from outside the turn loop; nothing of it can be sent to another process."""

    respondents: Mapping[int, Respondent] = {}
    """Who answers for the seats of remote agents."""
    person: OpenSeat | None = None
    """Returns who answers for a person; by default, people are asked at the terminal."""
    watch: OnAnswer | None = None
    on_start: Callable[[Game], None] | None = None
    """Called with the game before its first turn."""
    on_record: Callable[[RecordWriter], None] | None = None
    """Called when the record has been opened."""


def play_game(
    plan: Plan,
    job: Job,
    seating: Seating,
    *,
    contest: str = "",
    host: HostInfo | None = None,
    on: Cores | None = None,
    hooks: Hooks | None = None,
) -> GameSummary:
    """Play one game to its end. ``on`` names the cores to use.

    If the job has a commitment, the seed is secret: the header has the number of the deal in its place, and the seed is
    written with the result.
    """
    hooks, on = hooks or Hooks(), on or Cores(None)
    entrants = [entrant for entrant, _ in seating]
    _check_remote(entrants, hooks.respondents)
    chance = Chance(job.seed)
    try:
        header = make_header(plan, job, entrants, contest, host)
        game = plan.protocol.start(len(entrants), plan.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"invalid setup: {error}") from None
    game.see_names([seat.name for seat in header.seats])
    absent = {seat: Absentee(seat) for seat, entrant in enumerate(entrants) if entrant.agent.is_absent}
    people, terminal = _people(plan, entrants, game, hooks.person)
    if hooks.on_start:
        hooks.on_start(game)
    counter, allowance = SummaryCounter(header), Allowance([entrant.limits.record_bytes for entrant in entrants])
    keeper = FileKeeper(plan.keep_files, [str(plan.save), *plan.private]) if plan.keep_files else None
    with contextlib.ExitStack() as stack:
        writer = stack.enter_context(_open_record(plan, job, header))
        if hooks.on_record:
            hooks.on_record(writer)
        log = stack.enter_context(StderrLog(writer.path, len(entrants), plan.log)) if plan.log != "none" else None
        seats = _seats(plan, seating, on, log)
        rules = TableRules(plan.clock, plan.ponder, game.strict_exit, on.spare)
        respondents = {**hooks.respondents, **people, **absent, **_refereed(plan, seats, job.seed, writer.path)}
        table = stack.enter_context(Table(seats, rules, respondents=respondents, idle=writer.flush))
        watch = _watchers(counter, log, terminal, hooks.watch)
        reveal = job.seed if job.deal_seed else None
        try:
            _, end = play_out(game, chance, table, writer, watch, allowance=allowance, reveal=reveal)
        except Abandoned as left:
            raise Abandoned(f"{left} in {display_path(writer.path)}") from None
    if keeper:
        keeper.keep(writer.path, [(entrant.agent, sandbox) for entrant, sandbox in seating])
    if not (job.keeps_files and plan.protocol.keeps_files):
        _clear_folders(seating)
    return counter.close(str(writer.path), end, writer.moves_hash())


def _people(
    plan: Plan, entrants: Sequence[Entrant], game: Game, person: OpenSeat | None
) -> tuple[Mapping[int, Respondent], Terminal | None]:
    """Return who answers for the people in this game, and the terminal they share if they play at it."""
    humans = {seat: entrant.agent.name for seat, entrant in enumerate(entrants) if entrant.agent.is_human}
    if person:
        return {seat: person(game, seat, name) for seat, name in humans.items()}, None
    if not humans:
        return {}, None
    names = SeatNames(plan.protocol, [entrant.agent.name for entrant in entrants])
    terminal = open_terminal(game, humans, names, plan.protocol.help)
    return terminal.respondents(), terminal


def _watchers(
    counter: SummaryCounter, log: StderrLog | None, terminal: Terminal | None, watch: OnAnswer | None
) -> OnAnswer:
    """Return a function that shows every answer to all of these."""

    def see(game: Game, line: AnswerLine) -> None:
        counter.add(line)
        if log:
            log.end_turn(line.seat, line.turn, fault=line.fault is not None)
        if terminal:
            terminal.see(line.turn, line.seat, line.move, line.fault.kind if line.fault else "")
        if watch:
            watch(game, line)

    return see


def _clear_folders(seating: Seating) -> None:
    for _, sandbox in seating:
        if sandbox:
            sandbox.fresh()


def _open_record(plan: Plan, job: Job, header: Header) -> RecordWriter:
    return RecordWriter(Path(job.path), header) if job.path else new_record(plan.save, header)


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


def _refereed(plan: Plan, seats: Sequence[Seat], seed: int, record: Path) -> Mapping[int, Respondent]:
    """Return who answers for the seats if another program referees the game; nobody otherwise."""
    if plan.protocol_name != outside_referee.PROTOCOL:
        return {}
    from arbiter.playing.outside_referee.respondents import OutsideReferee

    return OutsideReferee(seats, plan.options, seed, record).respondents()


def _check_remote(entrants: Sequence[Entrant], outside: Mapping[int, Respondent]) -> None:
    for seat, entrant in enumerate(entrants):
        if entrant.agent.is_remote and seat not in outside:
            raise UserError(needs_network(entrant.agent))


def make_header(
    plan: Plan, job: Job, entrants: Sequence[Entrant], contest: str = "", host: HostInfo | None = None
) -> Header:
    """Return the first line of a record: everything that is known before the first move. Raises BadSetup."""
    setup = plan.setup
    if plan.given is None:
        setup = plan.protocol.setup(len(entrants), plan.options, Chance(job.seed, "setup"))
    return Header(
        arbiter=__version__,
        protocol=plan.protocol.name,
        version=plan.protocol.version,
        options=dict(plan.options),
        seed=job.game.seed,
        commitment=job.commitment,
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
        enforced={**plan.sandbox.enforced, **plan.protocol.enforced},
        started=now(),
        game=job.number,
        contest=contest,
        stage=job.game.stage,
        host=host or msgspec.UNSET,
    )


def _printable(text: str) -> str:
    """Replace bytes that are not UTF-8, which file names may contain but records may not."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
