"""One agent alone in its sandbox, asked the questions of a game without playing one."""

from __future__ import annotations

import contextlib
import fcntl
import termios
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.table import Seat, Table, TableRules
from arbiter.agents.building.builder import Builder
from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.prepare.resolve import resolve_all
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Game, Protocol
from arbiter.playing.one_game import sandbox_for
from arbiter.playing.plan import Entrant, Plan
from arbiter.playing.planning import plan_games
from arbiter.playing.referee import rule
from arbiter.records.format import AnswerLine

_SETTLING_NS = 250_000_000
"""How long to listen to an agent that goes on computing after its answer."""


def plan_agent(
    protocol: Protocol,
    text: str,
    settings: GameSettings,
    workspace: Workspace,
    save: Path,
    *,
    change: Callable[[Agent], Agent] = lambda agent: agent,
) -> Plan:
    """Plan for one agent alone; ``save`` is a folder that it may not read. Raises UserError.

    ``change`` may choose another build for it.
    """

    def build(builder: Builder) -> list[Agent]:
        found = builder.build_all([change(agent) for agent in resolve_all([text], protocol, workspace)])
        if found[0].is_outside:
            raise UserError(f"{text!r} is not a program that can be asked here; give another AGENT")
        return list(found)

    return plan_games(protocol, build, settings, workspace, save=save)


class Workbench:
    """A planned agent with its sandbox. Use as a context manager."""

    def __init__(self, plan: Plan, on: Cores) -> None:
        self.plan = plan
        self._on = on
        self._sandbox: Sandbox | None = None
        self._stack = contextlib.ExitStack()

    @property
    def entrant(self) -> Entrant:
        """The agent."""
        return self.plan.entrants[0]

    def __enter__(self) -> Workbench:
        self._sandbox = sandbox_for(self.plan, self.entrant)
        if self._sandbox:
            self._stack.enter_context(self._sandbox)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the sandbox, if it is open."""
        self._stack.close()

    @contextlib.contextmanager
    def table(self, *, strict_exit: bool = True) -> Iterator[AskedAlone]:
        """Seat the agent alone at a table for the block, in an empty folder."""
        entrant = self.entrant
        (cores,) = self._on.deal([entrant.agent.threads], at_once=False)
        where = self._sandbox.where_it_runs if self._sandbox else (None, False)
        launch = launch_spec(entrant.agent, entrant.lifetime, *where)
        seat = Seat(launch, entrant.limits, entrant.lifetime, self._sandbox, cores)
        with Table([seat], TableRules(self.plan.clock, self.plan.ponder, strict_exit, self._on.spare)) as table:
            yield AskedAlone(table)
        if self._sandbox:
            self._sandbox.fresh()


class AskedAlone:
    """The table of an agent alone, which may stand for any seat of a game."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def ask(self, game: Game, seat: int) -> Answer:
        """Ask the agent for the move of a seat. Nothing it does raises."""
        return self.ask_text(seat, game.prompt(seat), game.briefing)

    def ask_text(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """The same, given the texts."""
        answer = self._table.ask_one(0, prompt, lambda _: briefing(seat))
        answer.seat = seat
        return answer

    def rule(self, game: Game, answer: Answer, turn: int) -> AnswerLine:
        """Return the ruling on an answer."""
        return rule(game, answer, turn, lambda _: self._table.overhear(0))

    def more_output(self) -> str:
        """Return what a long-lived agent prints after its answer."""
        return self._table.unprompted(0, _SETTLING_NS)

    def finish(self, text: str = "") -> None:
        """Send a long-lived agent its last input and end of input, and give it a moment to exit."""
        for _ in self._table.finish(lambda _: text):
            pass

    @property
    def is_running(self) -> bool:
        """Whether the agent has a process that has not exited."""
        return self._table.process(0) is not None

    def memory_bytes(self) -> int:
        """Return the memory that the agent's processes use now; 0 if unknown."""
        process, total = self._table.process(0), 0
        for pid in (process.pid, *process.helpers()) if process else ():
            with contextlib.suppress(psutil.Error):
                total += psutil.Process(pid).memory_info().rss
        return total

    def unread_bytes(self) -> int:
        """Return how much of its input the agent has not read yet; 0 if unknown."""
        process = self._table.process(0)
        if process is None or process.stdin < 0:
            return 0
        left = array("i", [0])
        with contextlib.suppress(OSError):
            fcntl.ioctl(process.stdin, termios.FIONREAD, left)
        return left[0]
