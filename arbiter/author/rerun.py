"""Ask an agent the questions of saved games again, and compare its answers with the recorded ones.

The recorded moves are applied whatever the agent answers now, so every question is exactly the recorded one. A long-lived
agent gets all its prompts in order, and one that lives for a move gets them one at a time, in the sandbox, under the limits
and with the clock of the game.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import AUTO, LEVELS, ONLY
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.author.rerun_report import Decision, SeatRerun, decision, ruling_of
from arbiter.author.workbench import AskedAlone, Workbench, plan_agent
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, unknown
from arbiter.game import Protocol
from arbiter.playing.plan import Plan
from arbiter.records.external_games import IMPORTED
from arbiter.records.format import Header
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import Replay, without_half_turn
from arbiter.records.scoring import seat_result
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_index, seat_label
from arbiter.text import safe

_MADE = ("git:", "tuned:")
_MOST_BENCHES = 8
"""How many agents stay in their sandboxes from game to game."""
_LEAST = "landlock"
"""The weakest sandbox level that contains anything. Records are untrusted, so they cannot ask for less than this, or than
what arbiter.toml asks for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerunRequest:
    """The questions to ask again, and the agents to ask."""

    agent: str | None = None
    """None: the agents of the record."""
    seat: int | None = None
    """Only this seat, as the protocol numbers it."""
    name: str | None = None
    """Only the seats of the agent with this name in the record."""
    turn: int | None = None
    """Only compare this turn; a long-lived agent is still asked everything before it."""
    change: Callable[[Agent], Agent] = lambda agent: agent
    """May choose another build for the agent."""
    settings: GameSettings = field(default_factory=GameSettings)
    """Settings that differ from those of the record: limits, clock, sandbox, time factor."""


class Rerunner:
    """Asks the questions of any number of saved games again. Use as a context manager.

    Agents are built and their sandboxes made once, however many games there are.
    """

    def __init__(self, wanted: RerunRequest, workspace: Workspace, worker: tuple[int | None, int] = (None, 1)) -> None:
        """``worker`` is the number of this process among the workers, and how many workers there are."""
        self.notes: list[str] = []
        """What the user should know about how the agents are run, each mentioned once."""
        self._wanted, self._workspace, self._worker = wanted, workspace, worker
        self._benches: dict[bytes, Workbench] = {}
        self._stack = contextlib.ExitStack()
        self._on = Cores(None)

    def __enter__(self) -> Rerunner:
        self._on = self._stack.enter_context(cores.pinned(*self._worker))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def rerun(self, path: Path) -> Iterator[SeatRerun]:
        """Ask the chosen seats of a game again, one after the other. Raises UserError."""
        record, protocol = self._load(path)
        record = without_half_turn(record, protocol)
        self._check_turn(record)
        for seat in self._seats(record.header, protocol):
            bench = self.bench(record.header, seat, protocol)
            yield _rerun_seat(record, protocol, seat, bench, self._wanted.turn)

    def build(self, path: Path) -> None:
        """Build the agents that a game asks for, and nothing else. Raises UserError."""
        record, protocol = self._load(path)
        for seat in self._seats(record.header, protocol):
            self._plan(record.header, seat, protocol)

    def _load(self, path: Path) -> tuple[Record, Protocol]:
        record = load_record(path)
        protocol = find_protocol(record.header.protocol, self._workspace)
        if why := protocol.unavailable.get("rerun"):
            raise UserError(f"{path}: this cannot be rerun: {why}")
        return record, protocol

    def only_seat(self, header: Header, protocol: Protocol) -> int:
        """Return the one seat that was chosen. Raises UserError if there are several."""
        seats = self._seats(header, protocol)
        if len(seats) > 1:
            raise UserError(f"choose one of {len(seats)} seats with --seat or --as")
        return seats[0]

    def bench(self, header: Header, seat: int, protocol: Protocol) -> Workbench:
        """Return the agent for a seat in its sandbox, under the settings of the record. Raises UserError."""
        key = msgspec.json.encode((*self._asked(header, seat, protocol), protocol.name), order="sorted")
        if key not in self._benches:
            plan = self._plan(header, seat, protocol)
            if len(self._benches) == _MOST_BENCHES:
                self._benches.pop(next(iter(self._benches))).close()
            self._benches[key] = self._stack.enter_context(Workbench(plan, self._on))
        return self._benches[key]

    def _asked(self, header: Header, seat: int, protocol: Protocol) -> tuple[str, GameSettings]:
        """Return the agent for a seat, and the settings of the record with those given instead where there are any."""
        given, info = self._wanted.settings, header.seats[seat]
        text = self._wanted.agent or info.agent
        if text == IMPORTED or not (info.command or self._wanted.agent):
            raise UserError(
                f"{seat_label(protocol, seat)} was played by {info.name!r}, which is not a program: give the AGENT to ask"
            )
        return text, msgspec.structs.replace(
            given,
            limits=merged_limits(info.limits, given.limits),
            lifetime=given.lifetime or info.lifetime,
            clock=given.clock or header.clock,
            sandbox=given.sandbox or self._sandbox(header),
            ponder=header.ponder if given.ponder is None else given.ponder,
        )

    def _plan(self, header: Header, seat: int, protocol: Protocol) -> Plan:
        text, settings = self._asked(header, seat, protocol)
        try:
            if not self._wanted.agent:
                self._check_recorded(text, protocol)
            games = self._workspace.games
            return plan_agent(protocol, text, settings, self._workspace, games, change=self._wanted.change)
        except UserError as error:
            if self._wanted.agent:
                raise
            raise UserError(
                f"{error}; the record names this agent: change to the folder where the game was played, or give the AGENT"
            ) from None

    def _check_recorded(self, text: str, protocol: Protocol) -> None:
        """Raise UserError if the agent in the record is a command, or made from a commit or a tuning file: records are untrusted."""
        if text in self._workspace.agents(protocol.name):
            return
        if text.partition("=")[2].startswith(_MADE) or text.startswith(_MADE):
            raise UserError(
                f"{safe(text, 200)!r} is made from a commit or a tuning file, and those that a record names are not run"
            )
        if resolve_agent(text, protocol, self._workspace).language == "command":
            raise UserError(f"{safe(text, 200)!r} is a command line, and commands that a record names are not run")

    def _sandbox(self, header: Header) -> str:
        """Return the level of the game where it works here and is strong enough, or else the strongest."""
        least, strongest = _LEAST, AUTO if self._wanted.agent else _LEAST
        configured = self._workspace.settings.sandbox
        if configured.removeprefix(ONLY) in LEVELS[LEVELS.index(_LEAST) :]:
            least, strongest = configured.removeprefix(ONLY), configured
        if header.sandbox in LEVELS[: LEVELS.index(least)]:
            return strongest
        wanted = f"{ONLY}{header.sandbox}"
        try:
            choose_sandbox(wanted)
        except UserError:
            self._note(f"the game was played at sandbox level {safe(header.sandbox, 40)!r}, which does not work here")
            return strongest
        return wanted

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _seats(self, header: Header, protocol: Protocol) -> list[int]:
        wanted, names = self._wanted, [info.name for info in header.seats]
        if wanted.seat is not None:
            return [seat_index(protocol, wanted.seat, len(names))]
        name = wanted.name
        if name is not None and name not in names:
            raise unknown("agent", name, dict.fromkeys(names), where="--as")
        if name is None and wanted.agent is not None and len(set(names)) > 1:
            name = resolve_agent(wanted.agent, protocol, self._workspace).name
            if name not in names:
                raise UserError(
                    f"{name!r} did not play in this game: choose whose questions it gets with --as NAME, "
                    f"from {', '.join(dict.fromkeys(names))}, or with --seat"
                )
        return [seat for seat, each in enumerate(names) if name in (None, each)]

    def _check_turn(self, record: Record) -> None:
        last = record.answers[-1].turn if record.answers else 0
        if self._wanted.turn is not None and self._wanted.turn > last:
            raise UserError(f"no turn {self._wanted.turn} in this game; it has turns 1 to {last}")


def merged_limits(recorded: Mapping[str, str], given: Mapping[str, object]) -> dict[str, object]:
    """Return the limits of a record with those given instead; a first move that had the time of any move still has."""
    same = recorded.get("first_move") == recorded.get("move")
    kept = {name: value for name, value in recorded.items() if not (same and name == "first_move" and "move" in given)}
    return {**kept, **given}


def _rerun_seat(record: Record, protocol: Protocol, seat: int, bench: Workbench, turn: int | None) -> SeatRerun:
    info, entrant, per_move = record.header.seats[seat], bench.entrant, bench.entrant.lifetime == "move"
    replay = Replay(record, protocol)
    with bench.table(strict_exit=replay.game.strict_exit) as table:
        answers = list(_ask_again(replay, seat, table, turn, per_move=per_move))
        if not per_move:
            table.finish(replay.game.final_message(seat))
    return SeatRerun(
        record=str(record.path),
        protocol=protocol.name,
        seat=seat,
        name=info.name,
        agent=entrant.agent.name,
        result=str(seat_result(record.result.ranks, seat)) if record.result else "",
        same_program=bool(info.fingerprint) and info.fingerprint == entrant.fingerprint,
        move_limit_us=entrant.limits.move_ns // 1000,
        faults_before=sum(each.before.fault is not None for each in answers),
        faults_now=sum(each.now.fault is not None for each in answers),
        answers=answers,
    )


def _ask_again(replay: Replay, seat: int, table: AskedAlone, turn: int | None, *, per_move: bool) -> Iterator[Decision]:
    for number, lines in replay:
        before = next((line for line in lines if line.seat == seat), None)
        if before is not None and (turn in (None, number) or not per_move):
            answer = table.ask(replay.game, seat)
            if turn in (None, number):
                yield decision(number, ruling_of(before), ruling_of(table.rule(replay.game, answer, number)))
        if number == turn:
            return
