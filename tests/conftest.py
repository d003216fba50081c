"""Fixtures that all tests share, and the list of slow tests."""

from __future__ import annotations

import functools
import gc
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from arbiter.agents.zygote.zygote import keep_zygote
from arbiter.errors import UserError
from tests.nullgame.command import started_fork_server
from tests.nullgame.place import arbiter_toml
from tests.tools import missing

pytest_plugins = ("tests.parallel.plugin",)

# How long an example takes says nothing on a busy machine.
settings.register_profile("untimed", parent=settings(), deadline=None)
settings.register_profile("quick", parent=settings.get_profile("untimed"), max_examples=25)

HERE = Path(__file__).resolve().parent
NOT_SLOW = "not slow"
"""The value of -m in make test-fast."""

# Left out by make test-fast, which must stay under a minute on two idle cores: tests that play many games, kill processes,
# try every sandbox level, compile, install, or draw thousands of random answers or samples. Choose by measurement: pytest
# --durations=60.
SLOW = (
    "agents/ask/test_causes.py",
    "agents/ask/test_fast_path.py",
    "agents/ask/test_misbehaving.py",
    "agents/ask/test_restarts.py",
    "agents/building",
    "agents/clock/test_busy_machine.py",
    "agents/clock/test_charged_agents.py",
    "agents/containment",
    "agents/launch/test_counted.py",
    "agents/launch/test_tree.py",
    "agents/prepare/test_cache.py",
    "agents/prepare/test_encodings.py",
    "agents/prepare/test_languages.py",
    "agents/prepare/test_long_lived.py",
    "agents/prepare/test_submissions.py",
    "agents/sandbox/test_box.py",
    "agents/sandbox/test_kept_files.py",
    "agents/sandbox/test_sandbox.py",
    "agents/sandbox/test_seen.py",
    "arena/browser",
    "arena/test_attacks.py",
    "arena/test_clock.py",
    "arena/test_contest.py",
    "arena/test_docs.py",
    "arena/test_families.py",
    "arena/test_generic_api.py",
    "arena/test_remote_agents.py",
    "arena/test_joining.py",
    "arena/test_organiser.py",
    "arena/test_real_clients.py",
    "arena/test_records.py",
    "arena/test_restart.py",
    "arena/test_sessions.py",
    "arena/test_uploads.py",
    "arena/test_wire_facts.py",
    "author",
    "cli/test_bench.py",
    "cli/test_completion.py",
    "cli/test_contest_drawing.py",
    "cli/test_inputs.py",
    "cli/test_lists.py",
    "cli/test_new.py",
    "cli/test_new_game.py",
    "cli/test_pager.py",
    "cli/test_sandbox_note.py",
    "cli/test_signals.py",
    "cli/test_snapshots.py",
    "cli/test_stats.py",
    "cli/test_watch.py",
    "cli/test_wrong_use.py",
    "cluster/test_faults.py",
    "cluster/test_kills.py",
    "cluster/test_playing.py",
    "cluster/test_refused.py",
    "cluster/test_tls.py",
    "contest/formats/test_figures.py",
    "contest/formats/test_plots.py",
    "contest/running",
    "contest/schedules/test_halving.py",
    "contest/schedules/test_ladder.py",
    "contest/statistics/test_host_effect.py",
    "contest/statistics/test_plackett_luce.py",
    "contest/statistics/test_sprt.py",
    "docs",
    "outside_referee/test_games.py",
    "protocols/contest_bots",
    "protocols/drones/test_adapter.py",
    "protocols/drones/test_drawing.py",
    "protocols/drones/test_fuzz.py",
    "protocols/drones/test_samples.py",
    "protocols/drones/test_wired.py",
    "protocols/green_circle/test_conformance.py",
    "protocols/green_circle/test_drawing.py",
    "protocols/heroes/test_drawing.py",
    "protocols/heroes/test_fuzz.py",
    "protocols/heroes/test_generated_maps.py",
    "protocols/heroes/test_invariants.py",
    "protocols/rails/test_autoplace.py",
    "protocols/rails/test_drawing.py",
    "protocols/rails/test_maps.py",
    "protocols/rails/test_play.py",
    "protocols/splendor/test_drawing.py",
    "protocols/splendor/test_fuzz.py",
    "protocols/splendor/test_invariants.py",
    "protocols/splendor/test_shipped_files.py",
    "protocols/test_conformance.py",
    "protocols/test_widths.py",
    "records/exports/test_delta.py",
    "records/packed/test_commands.py",
    "records/packed/test_killed.py",
    "records/packed/test_round_trip.py",
    "records/packed/test_search.py",
    "records/packed/test_sql.py",
    "records/packed/test_strangers.py",
    "records/test_archive.py",
    "records/test_pruning.py",
    "records/test_strange_moves.py",
    "sample_agents",
    "starters/test_every_position.py",
    "starters/test_games.py",
    "starters/test_sinks.py",
    "test_examples.py",
    "test_kept_files.py",
    "test_layers.py",
    "test_open_files.py",
    "test_own_module.py",
    "test_parallel.py",
    "test_wheel.py",
    "web/browser",
    "web/test_bundle.py",
    "web/test_commands.py",
    "web/test_gif.py",
    "web/test_person.py",
    "web/test_svg.py",
    "web/test_watching.py",
)

LONGEST = (
    "agents/containment/test_rows.py",
    "cluster/test_faults.py",
    "starters/test_games.py",
    "protocols/test_conformance.py",
    "web/browser/test_game_page.py",
    "web/browser/test_play_page.py",
    "docs/test_commands.py",
    "sample_agents/test_sample_agents.py",
    "web/browser/test_accessibility.py",
    "web/browser/test_hostile_text.py",
    "web/browser/test_approved.py",
    "agents/building/test_hostile.py",
    "agents/containment/test_needs.py",
    "protocols/splendor/test_drawing.py",
    "agents/ask/test_misbehaving.py",
    "contest/running/test_kills.py",
    "cli/test_snapshots.py",
    "arena/test_families.py",
    "agents/containment/test_leaks.py",
    "agents/clock/test_charged_agents.py",
    "agents/sandbox/test_sandbox.py",
    "contest/report/test_report.py",
    "web/test_app.py",
    "agents/ask/test_table.py",
    "cli/test_play.py",
    "web/test_security.py",
    "agents/clock/test_sentinel.py",
    "cli/test_games.py",
)
"""Files that take longest, begun first: the run would wait for one that was begun last."""


OF_THE_USER = re.compile(r"NO_COLOR|FORCE_COLOR|CLICOLOR.*|COLUMNS|LINES|GIT_.*|.*_proxy", re.IGNORECASE)
"""Variables that change what programs under test print, connect to or commit to. A hook of git sets GIT_DIR, for example."""


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples hypothesis tries, and undo what programs under test would inherit: settings of the user, and
    the signals that nohup and shells ignore for background jobs."""
    for name in filter(OF_THE_USER.fullmatch, list(os.environ)):
        del os.environ[name]
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    settings.load_profile("quick" if config.option.markexpr == NOT_SLOW else "untimed")
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


@functools.cache
def _slow(path: Path) -> bool:
    """Whether SLOW names this file or a folder above it."""
    return any(str(each.relative_to(HERE)) in SLOW for each in (path, *path.parents) if each.is_relative_to(HERE))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what make test-fast leaves out."""
    return True if config.option.markexpr == NOT_SLOW and _slow(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if gone := [name for name in (*SLOW, *LONGEST) if not (HERE / name).exists()]:
        raise pytest.UsageError(f"{__file__} names {', '.join(gone)}, which does not exist")
    for item in items:
        if _slow(item.path):
            item.add_marker(pytest.mark.slow)
    ranks = {HERE / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path, len(ranks)))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Leave what is imported and collected out of garbage collection. It would be looked at again and again, also by tests
    that collect garbage to find open files, and would be copied by processes that are forked later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtestloop(session: pytest.Session) -> None:
    """Start the fork server before processes are forked that would each start one."""
    if session.config.option.jobs and not session.config.option.collectonly:
        started_fork_server()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Treat a language that is not installed as missing from this machine, not as a failure of the test."""
    try:
        return (yield)
    except UserError as error:
        if "which is not installed" in str(error):
            missing(f"{item.name}: {error}")
        raise


@pytest.fixture(scope="session", autouse=True)
def _builds_of_this_run(run_folder: Path) -> Iterator[None]:
    """Compile into a folder that the processes of this run share, so that no test depends on a build of an earlier run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(run_folder / "cache"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _python_without_packages() -> Iterator[None]:
    """Let agents find a Python without third-party packages. With what this machine has installed, tests could differ, and
    each of several thousand starts could take longer: a .pth file may import whole packages."""
    with tempfile.TemporaryDirectory(prefix="arbiter-tests-") as name, pytest.MonkeyPatch.context() as patch:
        environment, python = Path(name), Path(sys.executable).resolve()
        environment.chmod(0o755)  # agents run as other users
        (environment / "pyvenv.cfg").write_text(f"home = {python.parent}\n")
        programs = environment / "bin"
        programs.mkdir()
        (programs / "python3").symlink_to(python)
        patch.setenv("PATH", str(programs), prepend=os.pathsep)
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_zygote() -> Iterator[None]:
    """Start the process that forks sandboxes once, instead of for every test."""
    with keep_zygote():
        yield


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose arbiter.toml declares the two null games; also the current folder."""
    arbiter_toml(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
