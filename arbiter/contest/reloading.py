"""Continue a contest that the organiser has changed while it runs: agents may join and leave between stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from arbiter.contest.checks import check_same_conditions, check_versions
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger

Reload = Callable[[], Contest | None]
"""Returns the contest as the organiser has changed it meanwhile, or None. Raises UserError if it cannot be run."""


def reloaded(old: Contest, reload: Reload | None, ledger: Ledger) -> Contest | None:
    """Return the contest to continue with, or None if it has not changed. Raises UserError if the games played so far do not
    fit the change."""
    if reload is None or not old.schedule.agents_may_leave:
        return None
    new = reload()
    if new is None or (new.definition, new.names) == (old.definition, old.names):
        return None
    new = replace(old, definition=new.definition, names=new.names, schedule=new.schedule, plan=new.plan)
    check_same_conditions(new, new.runnable_plan, ledger)
    if new.changed != "keep":
        check_versions(replace(new, changed="refuse"), new.runnable_plan, ledger)
    return new


def describe_change(old: Contest, new: Contest) -> list[str]:
    """Return a note for each agent that takes part from now on, or no longer."""
    joined = [f"{name} takes part from now on" for name in new.names if name not in old.names]
    return joined + [f"{name} has left" for name in old.names if name not in new.names]
