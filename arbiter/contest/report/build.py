"""Build the report of a contest from its schedule and its outcomes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arbiter import registry
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunResult
from arbiter.contest.report.answer import duels, final_verdict
from arbiter.contest.report.document import (
    ChanceSource,
    Conditions,
    Counts,
    GameLine,
    IdenticalGames,
    Report,
    rounded,
)
from arbiter.contest.report.highlights import highlights
from arbiter.contest.report.stages import stages_of
from arbiter.contest.report.timeline import timelines
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.base import FinalPlace
from arbiter.contest.statistics import plackett_luce
from arbiter.contest.statistics.plackett_luce import Fit, Rating
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.standings import Standings, compute_standings
from arbiter.contest.statistics.wording import count, estimate, joined, kind_of_contest
from arbiter.errors import UserError
from arbiter.game import Protocol


def build_report(contest: Contest, ending: RunResult, *, beside: Path | None = None) -> Report:
    """Return the report. Paths of records are relative to ``beside``, the folder of the report, by default the current
    one."""
    ledger, progress, outcomes = ending.ledger, ending.progress, ending.counted
    numbers, scoring = ledger.numbers, contest.schedule.scoring
    protocol = _protocol(contest)
    standings = compute_standings(
        outcomes, contest.names, scoring=scoring, secondary=protocol.secondary if protocol else ""
    )
    fit = plackett_luce.fit(outcomes, contest.names)
    positions = _positions(contest, progress, ledger)
    rows = _rows(standings, fit, positions, progress.set_aside)
    names = [row.agent for row in rows]
    cross = {one: {other: met[other] for other in names if other in (met := standings.cross[one])} for one in names}
    compared = duels(contest, outcomes, cross, progress.answer)
    verdict, answer = final_verdict(
        contest, rows, compared, fit, progress.answer, complete=ending.complete, endless=progress.total is None
    )
    stages = stages_of(outcomes, numbers, scoring)
    duplicates = [
        IdenticalGames(digest=group[0].moves_hash, games=sorted(numbers[one.game] for one in group))
        for group in standings.duplicates
    ]
    counts = Counts(
        played=len(ledger.played),
        counted=len(outcomes),
        total=progress.total,
        copies=sum(len(group.games) - 1 for group in duplicates),
    )
    document = Report(
        name=contest.definition.name,
        title=contest.labels.get("title") or contest.definition.name,
        about=contest.labels.get("about", ""),
        protocol=contest.definition.protocol,
        game=protocol.title if protocol else contest.definition.protocol,
        kind=contest.schedule.kind,
        seats=contest.schedule.seats,
        scoring=scoring,
        seat_word=protocol.seat_word if protocol else "seat",
        first_seat=protocol.first_seat if protocol else 0,
        complete=ending.complete,
        missing=_missing(contest, ending),
        verdict=verdict,
        answer=answer,
        asked=progress.answer.sentence if progress.answer else "",
        counts=counts,
        rows=rows,
        ranked_by="score" if positions is None else "kind",
        cross=cross,
        duels=compared,
        second=standings.second,
        second_name=protocol.secondary.replace("_", " ") if protocol else "",
        seat_scores=standings.seats,
        stages=stages,
        bracket=contest.schedule.bracket(
            [name for name in contest.names if name not in progress.set_aside], ledger.played
        ),
        highlights=highlights(outcomes, numbers, rows, compared, staged=bool(stages)),
        timelines=timelines(outcomes, names, compared, scoring),
        duplicates=duplicates,
        not_played=dict(sorted(progress.not_played.items())),
        notes=_notes(contest, ending, counts, fit, rows),
        conditions=_conditions(contest, ledger),
        chance=[
            ChanceSource(commitment=one.commitment, secret=one.secret if one.revealed else "") for one in ledger.secrets
        ],
        games=_games(outcomes, numbers, beside or Path.cwd()),
    )
    return rounded(document)


def _protocol(contest: Contest) -> Protocol | None:
    """Return the protocol, for its title and the name of its secondary ranking; None if it is not installed."""
    with contextlib.suppress(UserError):
        return registry.find_protocol(contest.definition.protocol, Workspace(_folder(contest.definition.workspace)))
    return None


def _folder(text: str) -> Path | None:
    return Path(text) if text else None


def _positions(contest: Contest, progress: ContestProgress, ledger: Ledger) -> list[FinalPlace] | None:
    active = [name for name in contest.names if name not in progress.set_aside]
    return contest.schedule.final_order(active, ledger.played)


def _rows(
    standings: Standings, fit: Fit, positions: Sequence[FinalPlace] | None, set_aside: Mapping[str, int]
) -> list[Standing]:
    """Return the agents by place, then those without a place, by score."""
    ratings = {rating.name: rating for rating in fit.ratings()}
    kept = [row for row in standings.rows if row.agent not in set_aside]
    if positions is None:
        before = [[other.place for other in kept[:index]] for index in range(len(kept))] if standings.games else []
        places = [1 + len(others) - others.count(row.place) for row, others in zip(kept, before, strict=False)]
        positions = [FinalPlace(agent=row.agent, place=place) for row, place in zip(kept, places, strict=False)]
    placed = {position.agent: position for position in positions}
    by_name = {row.agent: row for row in standings.rows}
    others = [row.agent for row in standings.rows if row.agent not in placed]
    others.sort(key=lambda name: name in set_aside)
    return [_row(by_name[name], ratings[name], placed.get(name), set_aside.get(name)) for name in [*placed, *others]]


def _row(standing: Standing, rating: Rating, position: FinalPlace | None, set_aside: int | None) -> Standing:
    known = rating.low > -float("inf")
    return msgspec.structs.replace(
        standing,
        place=position.place if position else None,
        rating=estimate(rating.elo, rating.low, rating.high) if known else None,
        group=rating.group,
        set_aside=set_aside,
        note=position.note if position else "",
        figures=dict(position.figures) if position else {},
    )


def _missing(contest: Contest, ending: RunResult) -> list[str]:
    progress = ending.progress
    if ending.complete:
        return []
    found = []
    if progress.paused:
        found.append(f"paused before {progress.paused}; run the contest again to go on")
    if progress.total is None:
        found.append(f"a {kind_of_contest(contest.schedule.kind)} has no end: {count(progress.played, 'game')} so far")
    elif (left := progress.total - progress.played) > 0:
        found.append(f"{left} of {count(progress.total, 'game')} {'is' if left == 1 else 'are'} missing")
    if progress.not_played:
        found.append(f"{count(len(progress.not_played), 'game')} could not be played")
    if progress.answer and not progress.answer.settled:
        found.append("the question is not settled")
    return found or ["the contest was stopped before its end"]


def _notes(contest: Contest, ending: RunResult, counts: Counts, fit: Fit, rows: Sequence[Standing]) -> list[str]:
    """Return the notes of the run, and what a reader of the figures should know."""
    notes = list(ending.progress.notes)
    if contest.schedule.scoring == "winner" and contest.schedule.seats > 2:
        notes.append("the winner of a game takes its point, shared equally by those tied for first place")
    if left_out := counts.played - counts.counted:
        do = "game does" if left_out == 1 else "games do"
        notes.append(
            f"{left_out} {do} not count: played by agents that were set aside, or are no longer in the contest"
        )
    if undecided := sum(1 not in outcome.ranks for outcome in ending.counted):
        notes.append(
            f"{count(undecided, 'game')} had no winner: a loss without points for every agent; for Elo and ratings, agents "
            "with the same rank drew"
        )
    if counts.copies:
        have = "game has" if counts.copies == 1 else "games have"
        notes.append(
            f"{counts.copies} {have} exactly the same moves as another one: they are counted as independent evidence, "
            "so the intervals are too narrow"
        )
    held = {fit.names[index] for index in fit.held}
    if held := {row.agent for row in rows if row.agent in held and row.rating is not None}:
        notes.append(
            f"the ratings of {joined(sorted(held))} include one imaginary draw each: one of these agents won or lost "
            "every game, and its rating would be infinite"
        )
    if sum(any(fit.games[index] for index in group) for group in fit.groups) > 1:
        notes.append("some agents never met, not even through others: ratings of different groups cannot be compared")
    if ending.ledger.damaged:
        notes += [f"a saved game cannot be read and does not count: {reason}" for reason in ending.ledger.damaged]
    return list(dict.fromkeys(notes))


def _conditions(contest: Contest, ledger: Ledger) -> Conditions:
    settings, header = contest.definition.settings, ledger.header
    return Conditions(
        version=header.version if header else None,
        options=header.options if header else dict(settings.options),
        limits=dict(settings.limits),
        time_factor=settings.time_factor,
        clock=header.clock if header else settings.clock or "",
        sandbox=ledger.level or settings.sandbox or "",
        enforced=header.enforced if header else {},
        arbiter=header.arbiter if header else "",
    )


def _games(outcomes: Sequence[GameSummary], numbers: Mapping[ScheduledGame, int], beside: Path) -> list[GameLine]:
    folders: dict[Path, str] = {}

    def relative_path(record: Path) -> str:
        if record.parent not in folders:
            folders[record.parent] = os.path.relpath(record.parent, beside)
        folder = folders[record.parent]
        return record.name if folder == "." else f"{folder}/{record.name}"

    return [
        GameLine(
            number=numbers[outcome.game],
            stage=outcome.game.stage,
            seed=outcome.game.seed,
            seats=outcome.game.seats,
            ranks=tuple(outcome.ranks),
            scores=tuple(outcome.scores),
            faults=tuple(outcome.fault_counts()),
            think_us=tuple(outcome.think_us),
            answers=tuple(outcome.answers),
            turns=outcome.turns,
            record=relative_path(Path(outcome.record)) if outcome.record else "",
        )
        for outcome in outcomes
    ]
