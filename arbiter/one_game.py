"""One game, from its header to its result: agents take their seats, it is refereed, and written down as it goes."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence

from arbiter.agents.ask.human import Abandoned, TableWithHumans
from arbiter.agents.ask.table import Seat, Table, TableRules
from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game
from arbiter.limits import as_written
from arbiter.plan import Entrant, Plan
from arbiter.records.format import AnswerLine, Header, SeatInfo
from arbiter.records.writer import RecordWriter, now
from arbiter.referee import OnAnswer, play_out
from arbiter.report import GameReport, Tally
from arbiter.version import __version__

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


def sandbox_for(plan: Plan, entrant: Entrant) -> Sandbox | None:
    """The sandbox of an entrant; None for people, and at level ``none``."""
    if entrant.agent.is_human or plan.sandbox.level == "none":
        return None
    others = [other.agent for other in plan.entrants if other is not entrant and not other.agent.is_human]
    visible = [str(plan.workspace.folder / path) for path in plan.workspace.settings.visible]
    view = visible_files(entrant.agent, others, [plan.save], visible)
    return Sandbox(plan.sandbox.level, view, entrant.limits)


Seated = Sequence[tuple[Entrant, Sandbox | None]]
"""By seat: who sits there, and where its processes run."""


def play_game(
    plan: Plan,
    seated: Seated,
    *,
    seed: int,
    number: int,
    open_record: Callable[[Header], RecordWriter],
    contest: str = "",
    stage: str = "",
    watch: OnAnswer | None = None,
    keep_files: bool = True,
    on: Cores | None = None,
) -> GameReport:
    """Play one game to its end. ``number`` is that in its series; ``open_record`` decides where it is saved.

    ``on`` are the cores to use. ``keep_files``: agents keep what they have written for the next game, where the protocol allows it.
    """
    entrants = [entrant for entrant, _ in seated]
    chance = Chance(seed)
    try:
        header = _header(plan, entrants, seed=seed, number=number, contest=contest, stage=stage)
        game = plan.protocol.start(len(entrants), plan.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"invalid setup: {error}") from None
    tally = Tally(header)

    def see(game: Game, line: AnswerLine) -> None:
        tally.add(line)
        if watch:
            watch(game, line)

    placed = (on or Cores(None)).deal(
        [entrant.agent.threads for entrant in entrants], at_once=plan.protocol.simultaneous
    )
    seats = [
        Seat(
            launch_spec(entrant.agent, entrant.lifetime, home.folder if home else None),
            entrant.limits,
            entrant.lifetime,
            home,
            cores,
        )
        for (entrant, home), cores in zip(seated, placed, strict=True)
    ]
    with (
        open_record(header) as writer,
        Table(seats, TableRules(plan.clock, plan.ponder, game.strict_exit), idle=writer.flush) as table,
    ):
        asker = _with_humans(plan, entrants, game, table)
        try:
            _, end = play_out(game, chance, asker, writer, see)
        except Abandoned as left:
            raise Abandoned(f"{left} in {writer.path}") from None
    if not (keep_files and plan.protocol.keeps_files):
        for _, home in seated:
            if home:
                home.fresh()
    return tally.close(str(writer.path), end)


def _with_humans(plan: Plan, entrants: Sequence[Entrant], game: Game, table: Table) -> Table | TableWithHumans:
    humans = {index: entrant.agent.name for index, entrant in enumerate(entrants) if entrant.agent.is_human}
    if not humans:
        return table

    def write(text: str) -> None:
        # Not on standard output: that may be a document for a program.
        sys.stderr.write(text if sys.stderr.isatty() else _STYLES.sub("", text))
        sys.stderr.flush()

    if sys.stdin is None:
        raise UserError("'human' needs a standard input to type on, and there is none: do not close it")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what a keyboard sends need not be what the terminal says it is
    return TableWithHumans(table, game, humans, rules=plan.protocol.help, read=sys.stdin, write=write)


def _header(plan: Plan, entrants: Sequence[Entrant], *, seed: int, number: int, contest: str, stage: str) -> Header:
    setup = plan.setup
    if plan.given is None:
        setup = plan.protocol.setup(len(entrants), plan.options, Chance(seed, "setup"))
    return Header(
        arbiter=__version__,
        protocol=plan.protocol.name,
        version=plan.protocol.version,
        options=dict(plan.options),
        seed=seed,
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
        enforced=plan.sandbox.enforced,
        started=now(),
        game=number,
        contest=contest,
        stage=stage,
    )


def _printable(text: str) -> str:
    """File names need not be UTF-8; records are."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
