"""Before a contest goes on: whether the games in its folder belong to it, and what has to be played again."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.outcomes import spoilt
from arbiter.contest.scheduled import ScheduledGame
from arbiter.errors import UserError
from arbiter.limits import as_written
from arbiter.plan import Plan
from arbiter.records.format import Header

NOT_STARTED = "an agent could not be started"
"""Why a game is technical."""


def check_same(contest: Contest, plan: Plan, ledger: Ledger) -> None:
    """Games in the folder must have been played on the same terms."""
    if ledger.damaged:
        raise UserError(f"{ledger.damaged[0]}: remove it, and its game is played again")
    if ledger.header is None:
        return
    then, now = _terms_of(ledger.header), _terms_now(plan)
    for what, value in now.items():
        if then.get(what, value) != value:
            raise UserError(
                f"{contest.folder} holds games with {what} {then[what]!r}, and now it would be {value!r}: "
                "give the contest another name, or remove the folder"
            )
    level = ledger.level or "none"
    if LEVELS.index(plan.sandbox.level) < LEVELS.index(level) and not contest.weaker_sandbox:
        raise UserError(
            f"games so far were played in sandbox {level!r}, and only {plan.sandbox.level!r} can be had now: "
            "go on elsewhere, or say --weaker-sandbox"
        )


def _terms_of(header: Header) -> dict[str, object]:
    """Of a game that was played; those of an agent belong to this version of it."""
    terms: dict[str, object] = {"protocol": header.protocol, "version": header.version}
    terms |= {"clock": header.clock, "ponder": header.ponder}
    terms |= {f"option {name}": value for name, value in header.options.items()}
    for seat in header.seats:
        terms |= _terms_of_agent(f"{seat.name} ({seat.fingerprint})", seat.lifetime, seat.limits)
    return terms


def _terms_now(plan: Plan) -> dict[str, object]:
    protocol = plan.protocol
    terms: dict[str, object] = {"protocol": protocol.name, "version": protocol.version}
    terms |= {"clock": plan.clock, "ponder": plan.ponder}
    terms |= {f"option {name}": value for name, value in plan.options.items()}
    for entrant in plan.entrants:
        agent = f"{entrant.agent.name} ({entrant.fingerprint})"
        terms |= _terms_of_agent(agent, entrant.lifetime, as_written(entrant.limits))
    return terms


def _terms_of_agent(agent: str, lifetime: str, limits: Mapping[str, str]) -> dict[str, object]:
    return {f"lifetime of {agent}": lifetime, **{f"limit {name} of {agent}": value for name, value in limits.items()}}


def check_versions(contest: Contest, plan: Plan, ledger: Ledger) -> list[str]:
    """A result is of the agents as they are: games of other versions do not count unless the organiser says so."""
    now = {entrant.agent.name: entrant.fingerprint for entrant in plan.entrants}
    old: dict[str, list[ScheduledGame]] = {}
    for key, versions in ledger.versions.items():
        for name, version in zip(key.seats, versions, strict=True):
            if version and now.get(name, version) != version and key in ledger.played:
                old.setdefault(name, []).append(key)
    if not old or contest.changed == "keep":
        return [f"{name} has changed since {len(keys)} of its games were played" for name, keys in old.items()]
    if contest.changed == "refuse":
        name, keys = next(iter(old.items()))
        raise UserError(
            f"{name} has changed since {len(keys)} of its games were played: give it or the contest another name, or say "
            "--changed replay (play them again) or --changed keep (let them count)"
        )
    for name, keys in old.items():
        for key in keys:
            if key in ledger.played:
                ledger.annul(key, f"{name} has changed")
    return [
        f"{name} has changed: {len(keys)} of its games were annulled and are played again" for name, keys in old.items()
    ]


def clean_up(contest: Contest, ledger: Ledger) -> list[str]:
    """Make room for what is to be played again."""
    notes = []
    if cut_off := ledger.tidy():
        notes.append(f"{cut_off} {'game that was' if cut_off == 1 else 'games that were'} cut off will be played again")
    for key, outcome in list(ledger.played.items()) if contest.retry_technical else ():
        if spoilt(outcome):
            ledger.annul(key, f"technical: {NOT_STARTED}")
            notes.append(f"game {ledger.numbers[key]} was annulled: {NOT_STARTED}")
    return notes
