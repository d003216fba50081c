"""Tuning: search for the values of an agent's parameters that score best against a field, and confirm them.

A tuning is a series of contests in one folder, and nothing else is stored: each generation of candidates is a contest of
kind ``halving``, named ``search-1`` and so on, and at the end the best values found play the defaults in a match with
fresh deals. Every step follows from the records of the one before, so a tuning that was stopped, or killed, goes on with
the game that is missing.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arbiter.agents.prepare.parameters import Value, Values, described
from arbiter.agents.prepare.tuned import tuned_text, variant_name
from arbiter.author.candidates import around, combinations, spread_candidates
from arbiter.author.tune_file import Tuning
from arbiter.author.tune_report import Candidate, TuneReport, Verdict
from arbiter.config.yaml_file import YamlDocument
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.making import contest_protocol, make_contest, seats_per_table
from arbiter.contest.progress import RunResult
from arbiter.contest.schedules.seating import orders
from arbiter.contest.statistics import elo
from arbiter.contest.statistics.elo import Elo, better_sentence
from arbiter.contest.statistics.standings import compute_standings
from arbiter.errors import FieldError, in_field

TUNED, DEFAULT = "tuned", "default"
"""Names of the two agents in the match that confirms."""
_WORTH_ELO = 20
"""A lead worth having: if it is clear that the lead is smaller, the values are not better."""
_SEEDS_OF_A_GENERATION = 100_000
"""Distance between the seeds of consecutive generations, and of the match that confirms, if a seed was given."""

Play = Callable[[Contest], RunResult]
"""Plays the missing games of a contest."""


@dataclass(slots=True)
class _Found:
    """What the search has found so far."""

    candidates: list[Candidate]
    """Of all generations, each with its best first."""
    best: list[dict[str, Value]]
    """Values of the last generation, best first."""
    complete: bool = True
    interrupted: bool = False


def tune(tuning: Tuning, save: Path, play: Play) -> TuneReport:
    """Play what is missing of a tuning and return its result. Raises UserError before the first game if it cannot be played.

    Its contests are saved in the folder of its name in ``save``. ``play`` runs each of them; after one that is not complete,
    nothing more is played.
    """
    folder = save / tuning.name
    found = _Found([], [])
    for generation in range(1, _generations(tuning) + 1):
        _search(tuning, folder, generation, found, play)
        if not found.complete:
            break
    default = tuning.template.defaults()
    report = TuneReport(
        name=tuning.name,
        title=tuning.title,
        protocol=tuning.wanted.protocol,
        parameters=dict(tuning.template.parameters),
        default=default,
        best=found.best[0] if found.best else default,
        candidates=found.candidates,
        complete=found.complete,
        interrupted=found.interrupted,
        folder=str(folder),
    )
    if not found.complete:
        return report
    if report.best == default:
        return replace(
            report, verdict="not better", sentence="the search found no values that score better than the defaults"
        )
    return _confirmed(tuning, folder, report, play)


def _generations(tuning: Tuning) -> int:
    """Return the number of generations: one if it can try every combination."""
    return 1 if combinations(tuning.template.parameters) <= tuning.wanted.candidates + 1 else tuning.wanted.generations


def _search(tuning: Tuning, folder: Path, generation: int, found: _Found, play: Play) -> None:
    """Play one generation, and add what it shows to ``found``."""
    default = tuning.template.defaults()
    if generation == 1:
        tried = spread_candidates(tuning.template.parameters, tuning.wanted.candidates)
    else:
        tried = around(tuning.template.parameters, found.best, generation, tuning.wanted.candidates)
    if not tuning.field:  # without a field, candidates play the defaults, which cannot play themselves
        tried = [values for values in tried if values != default]
    values_of = {variant_name(values): values for values in tried}
    contest = _halving(tuning, folder, generation, tried)
    result = play(contest)
    placed = contest.schedule.final_order(contest.names, result.ledger.played) or []
    standings = compute_standings(result.counted, contest.names, scoring=contest.schedule.scoring)
    scores = {row.agent: row for row in standings.rows}
    for position in placed:
        row, figures = scores[position.agent], position.figures
        found.candidates.append(
            Candidate(
                generation=generation,
                values=values_of[position.agent],
                place=position.place,
                rung=int(figures["rung"]),
                games=row.games,
                score=row.score,
                faults=sum(row.faults.values()),
            )
        )
    found.best = [values_of[position.agent] for position in placed]
    found.complete, found.interrupted = result.complete and bool(placed), result.progress.stopping


def _halving(tuning: Tuning, folder: Path, generation: int, tried: Sequence[dict[str, Value]]) -> Contest:
    opponents = tuning.field or (f"{DEFAULT}={_text(tuning, tuning.template.defaults())}",)
    schedule: dict[str, object] = {
        "kind": "halving",
        "candidates": [variant_name(values) for values in tried],
        "divisor": tuning.wanted.divisor,
    }
    if tuning.wanted.games:
        schedule["games"] = tuning.wanted.games
    agents = (*(_text(tuning, values) for values in tried), *opponents)
    return _contest(
        tuning, f"search-{generation}", agents, schedule, own=len(tried), folder=folder, part=generation - 1
    )


def _confirmed(tuning: Tuning, folder: Path, report: TuneReport, play: Play) -> TuneReport:
    """Play ``confirm`` games between the tuned values and the defaults."""
    seats = _seats(tuning)
    others = tuning.field[: seats - 2]
    if len(others) < seats - 2:
        raise FieldError(f"a table of {seats} needs {seats - 2} agents in 'field' for the match that confirms", "field")
    seatings = len(orders(seats, "rotations", 0))
    schedule = {"kind": "round_robin", "games": -(-tuning.wanted.confirm // seatings) * seatings}
    agents = (f"{TUNED}={_text(tuning, report.best)}", f"{DEFAULT}={_text(tuning, report.default)}", *others)
    # Named after the values: other values, found by a longer search, play a match of their own.
    name = f"confirm-{hashlib.sha256(described(report.best).encode()).hexdigest()[:8]}"
    contest = _contest(tuning, name, agents, schedule, own=2, folder=folder, part=_generations(tuning))
    result = play(contest)
    return with_verdict(report, elo.of_match(result.counted, TUNED, DEFAULT), result)


def with_verdict(report: TuneReport, lead: Elo, result: RunResult) -> TuneReport:
    """Add the result of the match that confirms to a report. Its number of games was fixed before the first of them, so its
    95 % interval may decide; before its end, nothing is decided."""
    verdict: Verdict = "not yet"
    if result.complete and lead.low > 0:
        verdict = "better"
    elif result.complete and lead.high < _WORTH_ELO:
        verdict = "not better"
    words = {"better": "yes", "not better": f"no, not by {_WORTH_ELO} Elo", "not yet": "not yet"}[verdict]
    return replace(
        report,
        verdict=verdict,
        sentence=better_sentence("the tuned agent", "that with the defaults", words, lead),
        confirm_games=lead.games,
        complete=result.complete,
        interrupted=result.progress.stopping,
    )


def _contest(
    tuning: Tuning, name: str, agents: Sequence[str], schedule: dict[str, object], *, own: int, folder: Path, part: int
) -> Contest:
    """Return a contest of a tuning; the first ``own`` agents are the tuned one with several values, the others the field."""
    definition = Definition(
        name=name,
        protocol=tuning.wanted.protocol,
        agents=tuple(agents),
        seats=_seats(tuning),
        settings=tuning.settings,
        base=str(tuning.file.parent.resolve()),
    )
    if tuning.wanted.seed is not None:
        schedule["seed"] = tuning.wanted.seed + part * _SEEDS_OF_A_GENERATION
    with _located(tuning, own):
        contest = make_contest(definition, schedule, folder, origin="", workers=tuning.wanted.workers)
    return replace(contest, labels={"title": f"{tuning.title}: {name.partition('-')[0]}"})


def _seats(tuning: Tuning) -> int:
    with _located(tuning), in_field("protocol"):
        protocol = contest_protocol(Definition(name=tuning.name, protocol=tuning.wanted.protocol, agents=()))
    with _located(tuning), in_field("seats"):
        return seats_per_table(protocol, tuning.wanted.seats)


@contextlib.contextmanager
def _located(tuning: Tuning, own: int = 0) -> Iterator[None]:
    """Add the file and the line to every FieldError that is raised inside the block."""
    try:
        yield
    except FieldError as error:
        path: tuple[str | int, ...] = error.path
        if path[:1] == ("agents",) and len(path) > 1:
            index = int(path[1]) - own
            path = ("field", index) if index >= 0 and tuning.field else ("agent",)
        with YamlDocument(tuning.file, tuning.file.read_text(encoding="utf-8")).located_errors():
            raise FieldError(error, *path) from None


def _text(tuning: Tuning, values: Values) -> str:
    return tuned_text(tuning.file.name, values)
