"""The arbiter from Python: the same as the command ``arbiter play``."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arbiter.errors import out_of_range
from arbiter.plan import make_plan
from arbiter.referee import OnAnswer
from arbiter.report import GameReport, PlayReport
from arbiter.series import play_series
from arbiter.workspace import Workspace


def play(
    protocol: str,
    agents: Sequence[str],
    *,
    games: int = 1,
    seed: int | None = None,
    options: Mapping[str, object] | None = None,
    limits: Mapping[str, object] | None = None,
    lifetime: str | None = None,
    clock: str | None = None,
    sandbox: str | None = None,
    ponder: bool | None = None,
    time_factor: float = 1.0,
    no_limits: bool = False,
    setup: str | Path | None = None,
    save: str | Path | None = None,
    workspace: Workspace | None = None,
    watch: OnAnswer | None = None,
    on_game: Callable[[GameReport], None] | None = None,
) -> PlayReport:
    """Play games between agents and save them.

    >>> report = play("splendor", ["greedy", "./my_bot.py"], games=10, seed=1)   # doctest: +SKIP
    >>> report.totals["my_bot"].wins                                             # doctest: +SKIP
    7

    :param protocol: name of the game.
    :param agents: one for each seat, as on the command line: files, folders, commands, names, ``name=AGENT``.
    :param games: how many; seats rotate and every seed is played with each rotation.
    :param seed: of the first game; None takes one at random (it is in the report and in the records).
    :param options: of the protocol, by name.
    :param limits: ``{"move": "2s", "memory": "256MB"}`` and so on; see :data:`arbiter.limits.KINDS`.
    :param lifetime: ``move`` or ``game`` instead of the protocol's and the agents' own.
    :param clock: ``fair``, ``wall`` or ``cpu``; see :mod:`arbiter.agents.clock.charge`.
    :param sandbox: the least level of containment, or ``auto``; see :mod:`arbiter.agents.sandbox.levels`.
    :param ponder: False freezes agents while it is not their turn.
    :param setup: a record whose setup, and options, every game starts from.
    :param save: folder for the saved games.
    :param watch: called with the game and every answer, just before its turn is applied.
    :param on_game: called after every game.
    :raises UserError: for anything the caller can put right; nothing an agent does raises.
    """
    if games < 1:
        raise out_of_range("games", games, 1)
    plan = make_plan(
        protocol,
        agents,
        options=options,
        limits=limits,
        lifetime=lifetime,
        clock=clock,
        sandbox=sandbox,
        ponder=ponder,
        time_factor=time_factor,
        no_limits=no_limits,
        setup=Path(setup) if setup is not None else None,
        save=Path(save) if save is not None else None,
        workspace=workspace,
    )
    first = random_seed() if seed is None else seed
    return play_series(plan, games=games, seed=first, watch=watch, on_game=on_game)


def random_seed() -> int:
    """A seed nobody knows beforehand, short enough to type."""
    return secrets.randbelow(1_000_000_000)
