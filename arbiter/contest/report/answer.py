"""The result in one sentence, and the duels it rests on. Honest: yes, no, or not yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arbiter.contest.definition import Contest
from arbiter.contest.report.document import Duel, Row, Verdict, estimate
from arbiter.contest.report.wording import called, count, kind_of_contest, listed, share, signed
from arbiter.contest.scheduled import Outcome
from arbiter.contest.schedules.gauntlet import Gauntlet
from arbiter.contest.statistics import elo
from arbiter.contest.statistics.elo import Elo
from arbiter.contest.statistics.plackett_luce import Fit
from arbiter.contest.statistics.question import Better, Precision
from arbiter.contest.statistics.standings import Cell
from arbiter.contest.statistics.until import Answer

Cross = Mapping[str, Mapping[str, Cell]]


def duels(contest: Contest, outcomes: Sequence[Outcome], cross: Cross, answer: Answer | None) -> list[Duel]:
    """Those that the contest is about."""
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


def _duel(one: str, other: str, outcomes: Sequence[Outcome], cross: Cross, answer: Answer | None) -> Duel:
    found = elo.of_match(outcomes, one, other)
    cell = cross.get(one, {}).get(other, Cell())
    test = answer.sprt if answer else None
    verdict = test.verdict if test else _better(found)
    sentence = answer.sentence if answer and answer.elo else _said(one, other, verdict, found)
    return Duel(
        one=one,
        other=other,
        games=found.games,
        pairs=found.pairs,
        wins=cell.wins,
        draws=cell.draws,
        losses=cell.losses,
        score=found.score,
        elo=estimate(found.elo, found.low, found.high),
        superiority=found.superiority,
        verdict=verdict,
        sentence=sentence,
        llr=test.llr if test else None,
        llr_bounds=(test.lower, test.upper) if test else None,
    )


def _better(found: Elo) -> Verdict:
    """For a number of games that was settled beforehand: whether the interval leaves a doubt."""
    return "yes" if found.low > 0 else "no" if found.high < 0 else "not yet"


def _said(one: str, other: str, verdict: Verdict, found: Elo) -> str:
    one, other = called(one), called(other)
    if not found.games:
        return f"{one} is better than {other}: not yet, they have not met"
    more = f"; {other} is" if verdict == "no" else ""
    return f"{one} is better than {other}: {verdict}{more}, {_measured(found)}, after {count(found.games, 'game')}"


def _measured(found: Elo) -> str:
    if found.score == 1:
        return f"it won everything, at least {signed(found.low)} Elo (95 %)"
    if found.score == 0:
        return f"it lost everything, at most {signed(found.high)} Elo (95 %)"
    return _span(found.elo, found.low, found.high)


def _span(value: float, low: float, high: float) -> str:
    return f"{signed(value)} Elo (95 %: {signed(low)} to {signed(high)})"


def conclude(
    contest: Contest,
    rows: Sequence[Row],
    fought: Sequence[Duel],
    fit: Fit,
    asked: Answer | None,
    *,
    complete: bool,
    endless: bool,
) -> tuple[Verdict, str]:
    """What came of the contest."""
    if asked and asked.elo:
        return asked.verdict, asked.sentence
    if not any(row.games for row in rows):
        return "not yet", "no game has been played yet"
    if len(fought) == 1:
        return fought[0].verdict, fought[0].sentence
    if fought:
        return _gauntlet(fought)
    if rows[0].place != 1:
        return "not yet", "nobody has a place yet"
    if any(row.figures or row.note for row in rows):
        return _decided(contest, rows, ended=complete and not endless)
    return _first_of_many(rows, fit, complete=complete)


def _gauntlet(fought: Sequence[Duel]) -> tuple[Verdict, str]:
    """Challengers against everybody."""
    words = {"yes": "better than", "no": "worse than", "not yet": "not yet told apart from"}
    parts = []
    for one in dict.fromkeys(duel.one for duel in fought):
        told = [
            f"{said} {listed([duel.other for duel in fought if duel.one == one and duel.verdict == verdict])}"
            for verdict, said in words.items()
            if any(duel.one == one and duel.verdict == verdict for duel in fought)
        ]
        parts.append(f"{called(one)} is {'; '.join(told)}")
    verdicts = {duel.verdict for duel in fought}
    verdict: Verdict = "no" if "no" in verdicts else "not yet" if "not yet" in verdicts else "yes"
    return verdict, ". ".join(parts)


def _decided(contest: Contest, rows: Sequence[Row], *, ended: bool) -> tuple[Verdict, str]:
    """The rules of the contest say who is first."""
    first = [row for row in rows if row.place == 1]
    names, note = listed([row.agent for row in first]), first[0].note
    told = f" ({note})" if note and len(first) > 1 and all(row.note == note for row in first) else ""
    field = f"the {kind_of_contest(contest.schedule.kind)} of {sum(row.place is not None for row in rows)} agents{told}"
    if not ended:
        return "not yet", f"{names} {'leads' if len(first) == 1 else 'lead'} {field} so far"
    second = [row.agent for row in rows if row.place == 2]
    behind = f", ahead of {listed(second)}" if second else ""
    return "yes", f"{names} {'wins' if len(first) == 1 else 'share the first place of'} {field}{behind}"


def _first_of_many(rows: Sequence[Row], fit: Fit, *, complete: bool) -> tuple[Verdict, str]:
    """The table by score says who is first, and the ratings how sure that is."""
    placed = [row for row in rows if row.place is not None]
    first = [row for row in placed if row.place == 1]
    so_far = "" if complete else " so far"
    if len(first) > 1 or len(placed) < 2:
        names = listed([row.agent for row in first])
        shares = "share the first place" if len(first) > 1 else "is first"
        return "not yet" if len(first) > 1 else "", f"{names} {shares}{so_far} with {_points(first[0])}"
    best, second = placed[:2]
    said = f"{called(best.agent)} is first of {len(placed)}{so_far} with {_points(best)}"
    rival = called(second.agent)
    found = fit.lead(best.agent, second.agent)
    if found is None:
        return "not yet", f"{said}; it cannot be compared with {rival}, the next"
    told = _span(*found)
    if found[1] > 0:
        return "yes", f"{said}, clearly better than {rival}, the next: {told}"
    return "not yet", f"{said}; whether it is better than {rival}, the next, is not yet clear: {told}"


def _points(row: Row) -> str:
    return f"{share(row.score.value or 0.0)} of the points" if row.score else "no game"
