"""Playing a plan: a series of games with seats rotated and seeds paired, each written down as it goes."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Callable, Iterator, Sequence

from arbiter.agents import cores
from arbiter.agents.environment import launch
from arbiter.agents.human import Abandoned, TableWithHumans
from arbiter.agents.sandbox.home import Home
from arbiter.agents.sandbox.view import view_of
from arbiter.agents.table import Seat, Table
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game
from arbiter.limits import as_written
from arbiter.plan import Entrant, Plan
from arbiter.records.format import AnswerLine, Header, SeatInfo
from arbiter.records.writer import new_record, now
from arbiter.referee import Watcher, play_out
from arbiter.report import GameReport, PlayReport, Tally, add_up
from arbiter.version import __version__

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


def play_series(
    plan: Plan,
    *,
    games: int,
    seed: int,
    watch: Watcher | None = None,
    on_game: Callable[[GameReport], None] | None = None,
) -> PlayReport:
    """Play ``games`` games. Every seed is played once with every rotation of the seats before the next one."""
    reports: list[GameReport] = []
    seats = len(plan.entrants)
    with cores.pinned(), homes(plan) as boxes:
        for number in range(games):
            turned = number % seats
            order = [*range(turned, seats), *range(turned)]
            at_table = [(plan.entrants[index], boxes[index]) for index in order]
            reports.append(_play_one(plan, at_table, seed + number // seats, number + 1, watch))
            if on_game:
                on_game(reports[-1])
    return PlayReport(games=reports, totals=add_up([entrant.agent.name for entrant in plan.entrants], reports))


@contextlib.contextmanager
def homes(plan: Plan) -> Iterator[list[Home | None]]:
    """A sandbox for every entrant that needs one, for the time being; None at level ``none``."""
    agents = [entrant.agent for entrant in plan.entrants]
    with contextlib.ExitStack() as staying:
        found: list[Home | None] = []
        for entrant in plan.entrants:
            if entrant.agent.is_human or plan.sandbox.level == "none":
                found.append(None)
                continue
            others = [agent for agent in agents if agent is not entrant.agent and not agent.is_human]
            visible = [str(plan.workspace.folder / path) for path in plan.workspace.settings.visible]
            view = view_of(entrant.agent, others, [plan.save], visible)
            home = staying.enter_context(Home(plan.sandbox.level, view, entrant.limits))
            home.prepare()  # all of them are made at the same time
            found.append(home)
        yield found


Seated = Sequence[tuple[Entrant, Home | None]]
"""By seat: who sits there, and where its processes run."""


def _play_one(plan: Plan, seated: Seated, seed: int, number: int, watch: Watcher | None) -> GameReport:
    entrants = [entrant for entrant, _ in seated]
    chance = Chance(seed)
    try:
        header = _header(plan, entrants, seed, number)
        game = plan.protocol.start(len(entrants), plan.options, header.setup, chance)
    except BadSetup as error:
        raise UserError(f"no game can start from this setup: {error}") from None
    tally = Tally(header)

    def see(game: Game, line: AnswerLine) -> None:
        tally.add(line)
        if watch:
            watch(game, line)

    seats = [
        Seat(
            launch(entrant.agent, index, entrant.lifetime, home.folder if home else None),
            entrant.limits,
            entrant.lifetime,
            home,
        )
        for index, (entrant, home) in enumerate(seated)
    ]
    with (
        new_record(plan.save, header) as writer,
        Table(seats, strict_exit=game.strict_exit, clock=plan.clock, ponder=plan.ponder) as table,
    ):
        asker = _with_humans(plan, entrants, game, table)
        try:
            _, end = play_out(game, chance, asker, writer, see)
        except Abandoned as left:
            raise Abandoned(f"{left} in {writer.path}") from None
    if not plan.protocol.keeps_files:
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


def _header(plan: Plan, entrants: Sequence[Entrant], seed: int, number: int) -> Header:
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
            )
            for entrant in entrants
        ],
        clock=plan.clock,
        ponder=plan.ponder,
        sandbox=plan.sandbox.level,
        enforced=plan.sandbox.enforced,
        started=now(),
        game=number,
    )


def _printable(text: str) -> str:
    """File names need not be UTF-8; records are."""
    return text.encode(errors="surrogateescape").decode(errors="replace")
