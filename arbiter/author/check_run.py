"""The checks of one agent with one lifetime, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.agents.launch.cores import Cores
from arbiter.author.check_report import Check, Finding, Status, Times, percentile
from arbiter.author.endurance import Endurance, asked_through
from arbiter.author.evidence import Evidence
from arbiter.author.positions import Position, first_position, positions, variants
from arbiter.author.workbench import Workbench
from arbiter.game import FaultKind, Protocol, Variant
from arbiter.game_settings import GameSettings
from arbiter.plan import Plan
from arbiter.planning import make_plan
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record, load
from arbiter.referee import rule
from arbiter.series import play_series
from arbiter.text import count
from arbiter.units import show_duration, show_size
from arbiter.workspace import Workspace

MOST_FINDINGS = 5
"""Findings kept per check: an agent that gets one thing wrong often gets it wrong everywhere."""
_NEAR = 0.8
"""The share of a limit from which on it is mentioned."""
_SEED = 1


@dataclass(frozen=True, slots=True)
class Subject:
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

    def __init__(self, subject: Subject, evidence: Evidence) -> None:
        self._subject, self._evidence = subject, evidence
        self._protocol, self._plan, self._on = subject.protocol, subject.plan, subject.on
        self._entrant = subject.plan.entrants[0]
        self._charged_us: list[int] = []
        self._first_us: list[int] = []
        self._answers = True
        self.peak_bytes = 0

    def checks(self, most_positions: int, most_games: int) -> Iterator[Check]:
        """Run all checks. An agent that does not answer the very first question is not asked any more."""
        with Workbench(self._plan, self._on) as bench:
            first = self._start(bench)
            yield first
            if not self._answers:
                why = "left out: the agent does not answer its first question"
                yield from (self._check(name, "left out", why) for name in ("positions", "games", "time", "memory"))
                return
            yield self._positions(bench, most_positions)
            played = self._play(most_games)
            yield self._games(played)
            if longest := max((record for _, record in played), key=lambda record: len(record.answers), default=None):
                yield from self._endurance(bench, longest)
        yield self._time()
        yield self._memory(played)

    def times(self) -> Times:
        """Return what answers were charged, the first ones of processes aside for a long-lived agent."""
        values = self._charged_us
        return Times(
            answers=len(values),
            p50_us=percentile(values, 0.5),
            p99_us=percentile(values, 0.99),
            max_us=max(values, default=0),
            limit_us=self._entrant.limits.move_ns // 1000,
        )

    def _check(self, name: str, status: Status, summary: str, findings: Sequence[Finding] = ()) -> Check:
        kept = tuple(findings[:MOST_FINDINGS])
        return Check(name=name, lifetime=self._entrant.lifetime, status=status, summary=summary, findings=kept)

    # -- single questions

    def _start(self, bench: Workbench) -> Check:
        position = first_position(self._protocol)
        line = self._ask(bench, position)
        if line.fault:
            finding = self._evidence.of_position(position, line, self._entrant)
            self._answers = line.fault.kind in (FaultKind.ILLEGAL, FaultKind.GARBLED)
            what = "answers its first question wrongly" if self._answers else "does not answer its first question"
            return self._check("start", "failed", what, [finding])
        return self._check("start", "ok", f"starts, and has answered after {show_duration(line.wall_us * 1000)}")

    def _positions(self, bench: Workbench, most: int) -> Check:
        chosen = positions(self._protocol, most)
        if not chosen:
            return self._check("positions", "left out", "left out: the protocol has no corpus of positions")
        findings: list[Finding] = []
        wrong = 0
        for position in chosen:
            line = self._ask(bench, position)
            wrong += line.fault is not None
            if line.fault and len(findings) < MOST_FINDINGS:
                findings.append(self._evidence.of_position(position, line, self._entrant))
        features = len({feature for position in chosen for feature in position.features})
        what = f"{count(len(chosen), 'unusual position')} with {count(features, 'feature')}"
        if wrong:
            return self._check("positions", "failed", f"faults in {wrong} of {what}", findings)
        return self._check("positions", "ok", f"answers legally in {what}, started afresh in each")

    def _ask(self, bench: Workbench, position: Position) -> AnswerLine:
        """Start the agent in this position."""
        with bench.table(strict_exit=position.game.strict_exit) as table:
            line = rule(position.game, table.ask(position.game, position.seat), position.turn)
        self._take_time(line)
        return line

    def _take_time(self, line: AnswerLine) -> None:
        (self._first_us if line.started else self._charged_us).append(line.charged_us)

    # -- whole games

    def _play(self, most: int) -> list[tuple[Variant, Record]]:
        played: list[tuple[Variant, Record]] = []
        for variant in variants(self._protocol)[:most]:
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
            played += [(variant, load(Path(game.record))) for game in report.games]
        return played

    def _games(self, played: Sequence[tuple[Variant, Record]]) -> Check:
        findings: list[Finding] = []
        faults = 0
        for variant, record in played:
            kept = False
            for line in record.answers:
                self._take_time(line)
                faults += line.fault is not None
                if line.fault and not kept and len(findings) < MOST_FINDINGS:
                    kept = True
                    findings.append(self._evidence.of_game(record, line, str(variant)))
        answers = sum(len(record.answers) for _, record in played)
        what = f"{count(len(played), 'game')} against itself, {count(answers, 'answer')}"
        if faults:
            return self._check("games", "failed", f"{count(faults, 'fault')} in {what}", findings)
        return self._check("games", "ok", f"plays {what}, without a fault")

    def _endurance(self, bench: Workbench, longest: Record) -> Iterator[Check]:
        """Ask the questions of the longest game again, and look at what else the agent does."""
        seen = asked_through(bench, longest, self._protocol)
        same = "gives the same answers when asked again"
        yield self._check(
            "repeatable",
            "ok",
            same if seen.repeats else f"not deterministic: {seen.changed} of {seen.asked} answers differ",
        )
        if self._entrant.lifetime != "move":
            yield self._end_of_input(seen)
            yield self._growth(seen)

    def _end_of_input(self, seen: Endurance) -> Check:
        if seen.always_unread:
            summary = (
                f"answers before it has read all its input: {seen.unread_bytes} bytes are left; read the whole turn"
            )
            return self._check("input", "warning", summary)
        if not seen.exits:
            summary = "keeps running when its input ends: end at end of file, or it is killed after each game"
            return self._check("input", "warning", summary)
        return self._check("input", "ok", "reads all its input, and exits when that ends")

    def _growth(self, seen: Endurance) -> Check:
        used = f"{show_size(seen.early_bytes)} early and {show_size(seen.late_bytes)} late in a game of {seen.asked} answers"
        if seen.grows:
            return self._check("growth", "warning", f"its memory grows: {used}")
        return self._check("growth", "ok", f"memory: {used}")

    # -- limits

    def _time(self) -> Check:
        times, limits = self.times(), self._entrant.limits
        first_us = max(self._first_us, default=0)
        shown = ", ".join(
            f"{name} {show_duration(value * 1000)}"
            for name, value in (("median", times.p50_us), ("p99", times.p99_us), ("longest", times.max_us))
        )
        summary = f"{shown} of {show_duration(limits.move_ns)}"
        if first_us:
            summary += (
                f"; first answers up to {show_duration(first_us * 1000)} of {show_duration(limits.first_move_ns)}"
            )
        near = times.max_us * 1000 > _NEAR * limits.move_ns or first_us * 1000 > _NEAR * limits.first_move_ns
        return self._check("time", "warning" if near else "ok", f"{summary}{'; that is close' if near else ''}")

    def _memory(self, played: Sequence[tuple[Variant, Record]]) -> Check:
        results = [record.result for _, record in played if record.result]
        self.peak_bytes = max((size for result in results for size in result.memory.values()), default=0)
        most = self._entrant.limits.memory_bytes
        if not self.peak_bytes:
            return self._check("memory", "left out", "left out: the peak memory is not known at this sandbox level")
        near = self.peak_bytes > _NEAR * most
        summary = f"at most {show_size(self.peak_bytes)} of {show_size(most)}{'; that is close' if near else ''}"
        return self._check("memory", "warning" if near else "ok", summary)
