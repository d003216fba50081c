"""Fixtures that all tests share, and how a run of them begins and ends."""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture.providers import HypothesisProvider
from hypothesis.internal.constants_ast import Constants

from arbiter.agents.zygote.zygote import keep_zygote
from arbiter.errors import UserError
from tests.nullgame.place import arbiter_toml
from tests.tools import count_skips, missing

# How long an example takes says nothing on a busy machine. Tests try the same examples in every run: seeds follow from the
# tests, nothing is kept for the next run, and constants are not taken from the modules that happen to be imported already,
# which would differ with the files that a process has run before. make fuzz explores.
settings.register_profile("fuzz", deadline=None, database=None, derandomize=False, max_examples=500)
settings.register_profile("fixed", deadline=None, database=None, derandomize=True)
settings.register_profile("quick", parent=settings.get_profile("fixed"), max_examples=25)

NOT_SLOW = "not slow"
"""The value of -m in make test-fast."""

SLOW_MARKER = re.compile(r"^pytestmark = .*\bpytest\.mark\.slow\b", re.MULTILINE)
"""The line of a test file that make test-fast leaves out. That must stay under a minute on two idle cores, so a file gets the
line if its tests play many games, kill processes, try every sandbox level, compile, install, or draw thousands of random
answers or samples. Choose by measurement: pytest --durations=60."""

KEPT = re.compile(
    "PATH|LD_LIBRARY_PATH|JAVA_HOME|RUSTUP_HOME|CARGO_HOME|GOROOT|TMPDIR"  # where programs are, and where there is room
    "|CI|(ARBITER|PIP|PYTEST|HYPOTHESIS|COVERAGE)_.*"  # how tests are run, and from where pip installs
)
"""Variables that tests and the programs they start see of this machine."""
FIXED = {"LANG": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples hypothesis tries, and start from a clean environment."""
    _forget_the_user()
    if not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick" if config.option.markexpr == NOT_SLOW else "fixed")
        HypothesisProvider._local_constants = Constants()  # type: ignore[assignment]


def _forget_the_user() -> None:
    """Undo what this process and the programs under test inherit: variables, locale, time zone, umask, and the signals that
    nohup and shells ignore for background jobs. Fixtures below replace the home and the cache folder."""
    if "RUSTUP_HOME" not in os.environ and (rustup := Path("~/.rustup").expanduser()).is_dir():
        os.environ["RUSTUP_HOME"] = str(rustup)
    for name in [name for name in os.environ if not KEPT.fullmatch(name)]:
        del os.environ[name]
    os.environ |= FIXED
    time.tzset()
    sys.dont_write_bytecode = False
    os.umask(0o022)
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what make test-fast leaves out."""
    if config.option.markexpr != NOT_SLOW or not collection_path.match("test_*.py"):
        return None
    return bool(SLOW_MARKER.search(collection_path.read_text(encoding="utf-8"))) or None


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Treat a language that is not installed as missing from this machine, not as a failure of the test."""
    try:
        return (yield)
    except UserError as error:
        if "which is not installed" in str(error):
            missing(f"a language is not installed: {item.name}: {error}")
        raise


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end how many tests were skipped, and why; ``-rs`` shows each of them."""
    if skipped := terminalreporter.stats.get("skipped"):
        terminalreporter.write_line(count_skips(report.longrepr[2] for report in skipped))


@pytest.fixture(scope="session", autouse=True)
def _home_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Give all processes of this run a home and a cache, so that no test depends on settings of the user or on a build of an
    earlier run."""
    own = tmp_path_factory.getbasetemp()
    run_folder = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    with pytest.MonkeyPatch.context() as patch:
        (run_folder / "home").mkdir(exist_ok=True)
        patch.setenv("HOME", str(run_folder / "home"))
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
def private_umask() -> Iterator[None]:
    """The umask of a user whose new files nobody else may read."""
    before = os.umask(0o077)
    yield
    os.umask(before)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose arbiter.toml declares the two null games; also the current folder."""
    arbiter_toml(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
