"""Checks before a contest is resumed: whether the games in its folder belong to it, and which must be replayed."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.agents.sandbox.levels import LEVELS
from arbiter.config.limits import as_written
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import LEFT_OUT, Ledger
from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.secret import SECRET_FILE
from arbiter.errors import UserError
from arbiter.playing.plan import Plan
from arbiter.records.format import Header

NOT_STARTED = "an agent could not be started"
"""The reason for which a game counts as a technical failure."""
_RECORDED = tuple(
    name
    for name in Plan.__struct_fields__
    if name in Header.__struct_fields__ and name not in ("options", "sandbox")  # compared option by option, by level
)
"""Fields that a plan and the header of a record have in common."""


def check_same_conditions(contest: Contest, plan: Plan, ledger: Ledger) -> None:
    """Raise UserError if games in the folder were played under conditions other than the plan's."""
    if ledger.damaged:
        raise UserError(f"{ledger.damaged[0]}: remove it, and its game is played again")
    if ledger.header is None:
        return
    then, now = _recorded_conditions(ledger.header), _planned_conditions(plan)
    for what, value in now.items():
        if then.get(what, value) != value:
            raise UserError(
                f"{contest.folder} holds games with {what} {then[what]!r}, but now it is {value!r}: "
                "give the contest another name, or remove the folder"
            )
    level = ledger.level or "none"
    if LEVELS.index(plan.sandbox.level) < LEVELS.index(level) and contest.changed != "keep":
        raise UserError(
            f"the games so far were played at sandbox level {level!r}, but only {plan.sandbox.level!r} is available now: "
            "continue on a machine that has it, or add --changed keep"
        )


def _recorded_conditions(header: Header) -> dict[str, object]:
    """The conditions of a game that was played. Lifetime and limits belong to one version of an agent."""
    conditions: dict[str, object] = {"protocol": header.protocol, "version": header.version}
    conditions |= {name: getattr(header, name) for name in _RECORDED}
    conditions |= {f"option {name}": value for name, value in header.options.items()}
    for seat in header.seats:
        conditions |= _agent_conditions(f"{seat.name} ({seat.fingerprint})", seat.lifetime, seat.limits)
    return conditions


def _planned_conditions(plan: Plan) -> dict[str, object]:
    conditions: dict[str, object] = {"protocol": plan.protocol_name, "version": plan.protocol_version}
    conditions |= {name: getattr(plan, name) for name in _RECORDED}
    conditions |= {f"option {name}": value for name, value in plan.options.items()}
    for entrant in plan.entrants:
        agent = f"{entrant.agent.name} ({entrant.fingerprint})"
        conditions |= _agent_conditions(agent, entrant.lifetime, as_written(entrant.limits))
    return conditions


def _agent_conditions(agent: str, lifetime: str, limits: Mapping[str, str]) -> dict[str, object]:
    return {f"lifetime of {agent}": lifetime, **{f"limit {name} of {agent}": value for name, value in limits.items()}}


def check_versions(contest: Contest, plan: Plan, ledger: Ledger) -> list[str]:
    """Find the games of agents whose programs have changed since, and refuse, annul or keep them as the organiser said.

    Returns notes. Raises UserError if they are refused, which is the default: a result is about one version of each agent.
    """
    now = {entrant.agent.name: entrant.fingerprint for entrant in plan.entrants}
    old: dict[str, list[ScheduledGame]] = {}
    for game, outcome in ledger.played.items():
        for name, version in zip(game.seats, outcome.fingerprints, strict=True):
            if version and now.get(name, version) != version:
                old.setdefault(name, []).append(game)
    if not old or contest.changed == "keep":
        return [f"{name} has changed since {len(games)} of its games were played" for name, games in old.items()]
    if contest.changed == "refuse":
        name, games = next(iter(old.items()))
        raise UserError(
            f"{name} has changed since {len(games)} of its games were played: rename the agent or the contest, or add "
            "--changed replay (play them again) or --changed keep (let them count)"
        )
    for name, games in old.items():
        for game in games:
            if game in ledger.played:
                ledger.annul(game, f"{name} has changed")
    return [
        f"{name} has changed: {len(games)} of its games were annulled and are played again"
        for name, games in old.items()
    ]


def check_chance(contest: Contest, ledger: Ledger) -> None:
    """Raise UserError if a seed is given for a contest with a secret, or if its secret is lost."""
    if ledger.secrets and contest.seeded:
        raise UserError(
            f"{contest.folder} holds a contest whose deals follow from a secret, but now seed {contest.schedule.seed} is "
            "given: leave it out, or give the contest another name"
        )
    if ledger.header and ledger.header.commitment and not ledger.secrets:
        raise UserError(
            f"{contest.folder / SECRET_FILE} is missing, and the deals to come follow from it: restore it, or give the "
            "contest another name"
        )


def left_out_notes(ledger: Ledger, what_then: str = "") -> list[str]:
    """Name the records that do not count."""
    return [f"{path.name} does not count: {reason}{what_then}" for path, reason in ledger.left_out.items()]


def clean_up(contest: Contest, ledger: Ledger) -> list[str]:
    """Remove files of interrupted games, set aside records that do not count, and annul technical games that should be
    retried. Returns notes."""
    notes = left_out_notes(
        ledger, f"; it was moved to {LEFT_OUT}/, and its game is played again if it is in the schedule"
    )
    ledger.put_away_left_out()
    if count := ledger.remove_unfinished():
        notes.append(f"{count} interrupted {'game' if count == 1 else 'games'} will be played again")
    for game, outcome in list(ledger.played.items()) if contest.retry_technical else ():
        if outcome.technical:
            ledger.annul(game, f"technical: {NOT_STARTED}")
            notes.append(f"game {ledger.numbers[game]} was annulled: {NOT_STARTED}")
    return notes
