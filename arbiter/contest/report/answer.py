"""The result of a contest in one sentence, with the duels behind it. The verdict is yes, no, or not yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.definition import Contest
from arbiter.contest.report.document import ContestVerdict, Duel
from arbiter.contest.scheduled import GameSummary
from arbiter.contest.schedules.base import BY_LOT
from arbiter.contest.schedules.gauntlet import Gauntlet
from arbiter.contest.statistics import elo
from arbiter.contest.statistics.crosstable import Crosstable, CrosstableCell
from arbiter.contest.statistics.elo import Elo, better_sentence, lead_with_interval
from arbiter.contest.statistics.plackett_luce import Fit
from arbiter.contest.statistics.question import Better, Precision
from arbiter.contest.statistics.sprt import Verdict
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.until import QuestionAnswer
from arbiter.contest.statistics.wording import estimate, joined, kind_of_contest, percent, short_name


def duels(
    contest: Contest, outcomes: Sequence[GameSummary], cross: Crosstable, answer: QuestionAnswer | None
) -> list[Duel]:
    """Return the duels that the contest is about."""
    return [_duel(one, other, outcomes, cross, answer) for one, other in _pairs(contest)]


def _pairs(contest: Contest) -> Iterable[tuple[str, str]]:
    names, until, schedule = contest.names, contest.until, contest.schedule
    if isinstance(until, Better):
        return [(until.one, until.other)]
    if isinstance(until, Precision) and until.pair:
        return [until.pair]
    if len(names) == 2:
        return [(names[0], names[1])]
    if isinstance(schedule, Gauntlet):
        others = [name for name in names if name not in schedule.challengers]
        return [(one, other) for one in names if one in schedule.challengers for other in others]
    return []


def _duel(
    one: str, other: str, outcomes: Sequence[GameSummary], cross: Crosstable, answer: QuestionAnswer | None
) -> Duel:
    lead = elo.of_match(outcomes, one, other)
    cell = cross.get(one, {}).get(other, CrosstableCell())
    test = answer.sprt if answer else None
    verdict = test.verdict if test else _verdict(lead)
    sentence = answer.sentence if answer and answer.elo else _sentence(one, other, verdict, lead)
    return Duel(
        one=one,
        other=other,
        games=lead.games,
        pairs=lead.pairs,
        wins=cell.wins,
        draws=cell.draws,
        losses=cell.losses,
        score=cell.points / cell.games if cell.games else None,
        elo=estimate(lead.elo, lead.low, lead.high),
        superiority=lead.superiority,
        verdict=verdict,
        sentence=sentence,
        llr=test.llr if test else None,
        llr_bounds=(test.lower, test.upper) if test else None,
    )


def _verdict(lead: Elo) -> Verdict:
    """Return the verdict for a number of games fixed in advance: whether the interval excludes 0."""
    return "yes" if lead.low > 0 else "no" if lead.high < 0 else "not yet"


def _sentence(one: str, other: str, verdict: Verdict, lead: Elo) -> str:
    one, other = short_name(one), short_name(other)
    return better_sentence(one, other, f"no; {other} is" if verdict == "no" else verdict, lead)


def final_verdict(
    contest: Contest,
    rows: Sequence[Standing],
    compared: Sequence[Duel],
    fit: Fit,
    answer: QuestionAnswer | None,
    *,
    complete: bool,
    endless: bool,
) -> tuple[ContestVerdict, str]:
    """Return the verdict and the sentence for the whole contest."""
    if answer and answer.elo:
        return answer.verdict, answer.sentence
    if not any(row.games for row in rows):
        return "not yet", "no game has been played yet"
    if len(compared) == 1:
        return compared[0].verdict, compared[0].sentence
    if compared:
        return _challengers(compared)
    if rows[0].place != 1:
        return "not yet", "no agent has a place yet"
    if any(row.figures or row.note for row in rows):
        return _by_rules(contest, rows, ended=complete and not endless)
    return _by_score(rows, fit, complete=complete)


def _challengers(compared: Sequence[Duel]) -> tuple[Verdict, str]:
    """Conclude a gauntlet: every challenger against all others."""
    relations = {"yes": "better than", "no": "worse than", "not yet": "not yet distinguishable from"}
    parts = []
    for one in dict.fromkeys(duel.one for duel in compared):
        found = [
            f"{relation} {joined([duel.other for duel in compared if duel.one == one and duel.verdict == verdict])}"
            for verdict, relation in relations.items()
            if any(duel.one == one and duel.verdict == verdict for duel in compared)
        ]
        parts.append(f"{short_name(one)} is {'; '.join(found)}")
    verdicts = {duel.verdict for duel in compared}
    verdict: Verdict = "no" if "no" in verdicts else "not yet" if "not yet" in verdicts else "yes"
    return verdict, ". ".join(parts)


def _by_rules(contest: Contest, rows: Sequence[Standing], *, ended: bool) -> tuple[Verdict, str]:
    """Conclude a contest whose rules decide the places."""
    first = [row for row in rows if row.place == 1]
    names, note = joined([row.agent for row in first]), first[0].note
    shared = note if len(first) > 1 and all(row.note == note for row in first) else ""
    why = BY_LOT if note.endswith(BY_LOT) else shared
    agents = sum(row.place is not None for row in rows)
    field = f"the {kind_of_contest(contest.schedule.kind)} of {agents} agents{f' ({why})' if why else ''}"
    if not ended:
        return "not yet", f"{names} {'leads' if len(first) == 1 else 'lead'} {field} so far"
    second = [row.agent for row in rows if row.place == 2]
    behind = f", ahead of {joined(second)}" if second else ""
    return "yes", f"{names} {'wins' if len(first) == 1 else 'share first place in'} {field}{behind}"


def _by_score(rows: Sequence[Standing], fit: Fit, *, complete: bool) -> tuple[ContestVerdict, str]:
    """Conclude a contest ranked by score; the ratings decide how certain the first place is."""
    placed = [row for row in rows if row.place is not None]
    first = [row for row in placed if row.place == 1]
    so_far = "" if complete else " so far"
    if len(first) > 1 or len(placed) < 2:
        names = joined([row.agent for row in first])
        shares = "share first place" if len(first) > 1 else "is first"
        return "not yet" if len(first) > 1 else "", f"{names} {shares}{so_far} with {_points(first[0])}"
    best, second = placed[:2]
    sentence = f"{short_name(best.agent)} is first of {len(placed)}{so_far} with {_points(best)}"
    runner_up = short_name(second.agent)
    lead = fit.lead(best.agent, second.agent)
    if lead is None:
        return "not yet", f"{sentence}; it cannot be compared with {runner_up}, the runner-up"
    evidence = lead_with_interval(*lead)
    if lead[1] > 0:
        return "yes", f"{sentence}, clearly better than {runner_up}, the runner-up: {evidence}"
    return "not yet", f"{sentence}; whether it is better than {runner_up}, the runner-up, is not yet clear: {evidence}"


def _points(row: Standing) -> str:
    return f"{percent(row.score.value or 0.0)} of the points" if row.score else "no game"
