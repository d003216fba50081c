"""The Python API: the functions behind the commands ``play``, ``run`` and ``show``."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import out_of_range
from arbiter.playing.planning import make_plan
from arbiter.playing.referee import OnAnswer
from arbiter.playing.report import PlayReport
from arbiter.playing.series import play_series
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import GameSummary

if TYPE_CHECKING:
    from arbiter.contest.report.document import Report


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
    allow_uncontained_build: bool = False,
    time_factor: float = 1.0,
    log: str | None = None,
    keep_files: str | None = None,
    no_limits: bool = False,
    setup: str | Path | None = None,
    save: str | Path | None = None,
    workspace: Workspace | None = None,
    watch: OnAnswer | None = None,
    on_game: Callable[[GameSummary], None] | None = None,
) -> PlayReport:
    """Play games between agents and save them.

    >>> report = play("splendor", ["greedy", "./my_bot.py"], games=10, seed=1)   # doctest: +SKIP
    >>> report.totals["my_bot"].wins                                             # doctest: +SKIP
    7

    :param protocol: the name of the protocol.
    :param agents: one for each seat, as on the command line: files, folders, commands, names, ``name=AGENT``.
    :param games: the number of games; seats rotate, and every seed is played once with each rotation.
    :param seed: the seed of the first game; None picks one at random, which is in the report and in the records.
    :param options: options of the protocol by name.
    :param limits: limits by name, such as ``{"move": "2s", "memory": "256MB"}``; see :data:`arbiter.config.limits.LIMITS`.
    :param lifetime: ``move`` or ``game``; overrides the lifetime of the protocol and of the agents.
    :param clock: ``fair``, ``wall`` or ``cpu``; see :mod:`arbiter.agents.clock.charge`.
    :param sandbox: the minimum sandbox level, or ``auto``; see :mod:`arbiter.agents.sandbox.levels`.
    :param ponder: False freezes agents while it is not their turn.
    :param allow_uncontained_build: True builds agents without a sandbox at the levels ``none`` and ``rlimits``.
    :param time_factor: multiplies all time limits.
    :param log: what to keep of standard error next to the records: ``tail``, ``all``, ``faults`` or ``none``.
    :param keep_files: a folder for copies of what agents write to their own folders.
    :param no_limits: True raises all limits out of reach, for debugging.
    :param setup: a record, or a file with a setup; every game starts from that setup.
    :param save: the folder for the saved games.
    :param workspace: the workspace whose arbiter.toml applies; by default that of the current folder.
    :param watch: called with the game and each answer, just before the turn is applied.
    :param on_game: called with the report of each game when it ends.
    :raises UserError: for mistakes that the caller can correct; nothing an agent does raises.
    """
    if games < 1:
        raise out_of_range("games", games, 1)
    settings = GameSettings(
        options=options or {},
        limits=limits or {},
        lifetime=lifetime,
        clock=clock,
        sandbox=sandbox,
        ponder=ponder,
        allow_uncontained_build=allow_uncontained_build,
        time_factor=time_factor,
        log=log,
        keep_files=keep_files,
        no_limits=no_limits,
    )
    plan = make_plan(
        protocol,
        agents,
        settings,
        setup=Path(setup) if setup is not None else None,
        save=Path(save) if save is not None else None,
        workspace=workspace,
    )
    first = random_seed() if seed is None else seed
    return play_series(plan, games=games, seed=first, watch=watch, on_game=on_game)


def run(file: str | Path, *, save: str | Path | None = None, workers: int | None = None) -> Report:
    """Run the contest that a match file describes, or continue it, and return its result.

    >>> report = run("matches/splendor-cup.yaml", workers=2)                     # doctest: +SKIP
    >>> report.rows[0].agent                                                # doctest: +SKIP
    'lookahead'

    :param file: a match file, or the folder of a contest that was started before.
    :param save: the parent folder of the contest's folder.
    :param workers: how many games to play at the same time; by default the number in the file, or else one per core.
    :raises UserError: for mistakes that the caller can correct; nothing an agent does raises.
    """
    from arbiter.contest import match_file, runner
    from arbiter.contest.report.build import build_report

    if workers is not None and workers < 1:
        raise out_of_range("workers", workers, 1)
    contest = match_file.load_contest(Path(file), save=Path(save) if save is not None else None)
    if workers is not None:
        contest = replace(contest, workers=workers)
    return build_report(contest, runner.run_contest(contest))


def load(path: str | Path) -> Record:
    """Load a saved game: its header, its answers and its result.

    >>> record = load("matches/samples/splendor.jsonl")                          # doctest: +SKIP
    >>> record.result.scores                                                     # doctest: +SKIP
    [15.0, 9.0]

    :param path: the file of a saved game.
    :raises UserError: if it cannot be read.
    """
    return load_record(Path(path))


def random_seed() -> int:
    """Return an unpredictable seed of 128 bits, so that no agent can guess it."""
    return int.from_bytes(os.urandom(16), "big")
