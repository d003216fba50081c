"""The checks of one agent with one lifetime, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.launch_spec import buffering_of
from arbiter.author.check_limits import growth, growth_check, memory_check, profile, time_check
from arbiter.author.check_report import ChargeStats, CheckResult, Finding, Growth, Status
from arbiter.author.endurance import Endurance, asked_through
from arbiter.author.evidence import Evidence, Findings
from arbiter.author.positions import CorpusPosition, first_position, positions, variants
from arbiter.author.workbench import Workbench
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.game import FaultKind, Protocol, Variant, quoted
from arbiter.playing.plan import Plan
from arbiter.playing.planning import make_plan
from arbiter.playing.series import play_series
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record, load_record
from arbiter.text import count
from arbiter.units import show_duration

_REFUSED = (FaultKind.ILLEGAL, FaultKind.GARBLED)
"""Faults of an agent that did answer."""
_ASKED = (*_REFUSED, FaultKind.LATE)
"""Faults of an agent that was asked; after other faults, it may not have been."""
_SEED = 1


@dataclass(frozen=True, slots=True)
class CheckedAgent:
    """The agent to check, and under which conditions."""

    protocol: Protocol
    text: str
    """What the user typed."""
    plan: Plan
    """For the agent alone."""
    settings: GameSettings
    workspace: Workspace
    on: Cores
    folder: Path
    """For the games it plays against itself."""


class CheckRun:
    """The checks of one agent with one lifetime."""

    def __init__(self, subject: CheckedAgent, evidence: Evidence, tell: Callable[[str], None]) -> None:
        self._subject, self._evidence, self._tell = subject, evidence, tell
        self._protocol, self._plan, self._on = subject.protocol, subject.plan, subject.on
        self._entrant = subject.plan.entrants[0]
        self._charged_us: list[int] = []
        self._first_us: list[int] = []
        self._findings = Findings()
        self._answers = True
        self.peak_bytes = 0
        self.growth: Growth | None = None

    def checks(self, most_positions: int, most_games: int) -> Iterator[CheckResult]:
        """Run all checks; none after the first if the agent does not answer the first question."""
        with Workbench(self._plan, self._on) as bench:
            yield self._position("start", bench, first_position(self._protocol))
            if not self._answers:
                why = "the agent does not answer its first question"
                yield from (self._check(name, "left out", why) for name in ("positions", "games", "time", "memory"))
                return
            yield self._positions(bench, most_positions)
            played = self._play(most_games)
            yield self._games(played)
            if longest := max((record for _, record in played), key=lambda record: len(record.answers), default=None):
                yield from self._endurance(bench, longest)
        yield time_check(self.times(), self._entrant.lifetime)
        results = [record.result for _, record in played if record.result]
        self.peak_bytes = max((size for result in results for size in result.memory.values()), default=0)
        yield memory_check(self.peak_bytes, self._entrant.limits, self._entrant.lifetime)

    def only(self, position: CorpusPosition) -> CheckResult:
        """Check the answer in one position."""
        with Workbench(self._plan, self._on) as bench:
            return self._position("start" if position.number == 0 else f"position {position.number}", bench, position)

    def times(self) -> ChargeStats:
        """Return what answers were charged; for a long-lived agent, first answers of a process are counted separately."""
        return profile(self._charged_us, self._first_us, self._entrant.limits)

    def _check(self, name: str, status: Status, summary: str, findings: Sequence[Finding] = ()) -> CheckResult:
        kept = tuple(findings)
        return CheckResult(name=name, lifetime=self._entrant.lifetime, status=status, summary=summary, findings=kept)

    # -- single questions

    def _position(self, name: str, bench: Workbench, position: CorpusPosition) -> CheckResult:
        self._findings.begin(name)
        line = self._ask(bench, position)
        if line.fault is None:
            return self._check(name, "ok", f"starts, and answers after {show_duration(line.wall_us * 1000)}")
        self._answers = line.fault.kind in _REFUSED
        which = "its first question" if position.number == 0 else "the question"
        what = f"answers {which} wrongly" if self._answers else f"does not answer {which}"
        return self._check(name, "failed", what, self._findings.listed)

    def _positions(self, bench: Workbench, most: int) -> CheckResult:
        chosen = positions(self._protocol, most)
        if not chosen:
            return self._check("positions", "left out", "the protocol has no corpus of positions")
        self._findings.begin("positions")
        wrong = 0
        for number, position in enumerate(chosen, 1):
            self._tell(f"asking in position {number} of {len(chosen)} …")
            wrong += self._ask(bench, position).fault is not None
        what = count(len(chosen), "unusual position")
        if wrong:
            summary = f"faults in {wrong} of {what}{self._findings.see}"
            return self._check("positions", "failed", summary, self._findings.listed)
        return self._check("positions", "ok", f"answers legally in {what}, in a new process each time")

    def _ask(self, bench: Workbench, position: CorpusPosition) -> AnswerLine:
        """Start the agent in this position."""
        game, seat = position.game, position.seat
        with bench.table(strict_exit=game.strict_exit) as table:
            line = table.rule(game, table.ask(game, seat), position.turn)
        self._take_time(line)
        self._findings.add(line, lambda: self._evidence.of_position(position, line, self._entrant))
        return line

    def _take_time(self, line: AnswerLine) -> None:
        if line.fault is None or line.fault.kind in _ASKED:
            (self._first_us if line.started else self._charged_us).append(line.charged_us)

    # -- whole games

    def _play(self, most: int) -> list[tuple[Variant, Record]]:
        played: list[tuple[Variant, Record]] = []
        chosen = variants(self._protocol)[:most]
        for number, variant in enumerate(chosen, 1):
            self._tell(f"playing game {number} of {len(chosen)} against itself …")
            settings = msgspec.structs.replace(
                self._subject.settings, options={**variant.options, **self._subject.settings.options}
            )
            plan = make_plan(
                self._protocol.name,
                [self._subject.text] * variant.seats,
                settings,
                save=self._subject.folder,
                workspace=self._subject.workspace,
            )
            report = play_series(plan, games=1, seed=_SEED)
            played += [(variant, load_record(Path(game.record))) for game in report.games]
        return played

    def _games(self, played: Sequence[tuple[Variant, Record]]) -> CheckResult:
        self._findings.begin("games")
        faults = 0
        for variant, record in played:
            for line in record.answers:
                self._take_time(line)
                faults += line.fault is not None
                self._findings.add(line, lambda: self._evidence.of_game(record, line, str(variant)))  # noqa: B023 - called now
        answers = sum(len(record.answers) for _, record in played)
        what = f"{count(len(played), 'game')} against itself, {count(answers, 'answer')}"
        if faults:
            summary = f"{count(faults, 'fault')} in {what}{self._findings.see}"
            return self._check("games", "failed", summary, self._findings.listed)
        return self._check("games", "ok", f"plays {what}, without a fault")

    def _endurance(self, bench: Workbench, longest: Record) -> Iterator[CheckResult]:
        """Ask the questions of the longest game again while observing the agent."""
        self._tell("asking the questions of the longest game again …")
        seen = asked_through(bench, longest, self._protocol)
        yield self._repeatable(seen)
        if self._entrant.lifetime != "move":
            yield self._output(seen)
            yield self._input(seen)
            yield growth_check(seen, self._entrant.lifetime)
            self.growth = growth(seen)

    def _repeatable(self, seen: Endurance) -> CheckResult:
        if seen.faults == seen.asked:
            return self._check("repeatable", "left out", "it has no answer without a fault to compare")
        same = f"gives the same {count(seen.asked, 'answer')} when asked again"
        differs = f"not deterministic: {seen.changed} of {count(seen.asked, 'answer')} differ when asked again"
        return self._check("repeatable", "ok", differs if seen.changed else same)

    def _output(self, seen: Endurance) -> CheckResult:
        if seen.surplus:
            summary = (
                f"prints more than its answer after {seen.surplus} of {count(seen.asked, 'prompt')}: "
                f"{quoted(seen.surplus_text)}; what comes too late to be dropped is taken for the next "
                "answer; does it read the whole prompt before it answers?"
            )
            return self._check("output", "failed", summary)
        done = buffering_of(self._entrant.agent)
        elsewhere = (
            f"; it runs with {done} here: elsewhere it must flush after every answer" if done else ", and flushes it"
        )
        return self._check("output", "ok", f"prints one line for each prompt{elsewhere}")

    def _input(self, seen: Endurance) -> CheckResult:
        if not seen.lasted:
            return self._check("input", "left out", "its process does not live through a game; see games above")
        if seen.always_unread:
            summary = f"answers before it has read all its input: up to {seen.unread_bytes} bytes are left; read the whole turn"
            return self._check("input", "warning", summary)
        if not seen.exits:
            summary = "keeps running when its input ends: end at end of file, or it is killed after each game"
            return self._check("input", "warning", summary)
        return self._check("input", "ok", "reads all its input, and exits when that ends")
