"""At levels that contain nothing, builds are contained all the same, refused, or allowed with a warning."""

from __future__ import annotations

import logging
import subprocess
from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.building import order as building
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.agents.ask.harness import leaving_nothing
from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_cache")]
WEAK = ("none", "rlimits")
REACHES = "build: 'touch {place}/reached; echo ran > ran'\nrun: sh bot.sh\n"


@pytest.fixture
def bot(place: Path) -> Agent:
    """Return an agent whose build tries to write outside its folder."""
    write(place / "bot" / "agent.yaml", REACHES.format(place=place).replace("; echo", " 2> /dev/null; echo"))
    write(place / "bot" / "bot.sh", "echo 1\n")
    return resolve_agent("bot", None, Workspace())


@pytest.fixture
def nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no level that contains builds work on this machine."""

    def failing(asked: str) -> SandboxChoice:
        raise UserError(f"sandbox level {asked!r} is not available on this machine (landlock: this kernel has none)")

    monkeypatch.setattr(building, "choose_sandbox", failing)


@pytest.mark.parametrize("level", WEAK)
def test_a_build_is_contained_where_the_games_are_not(place: Path, bot: Agent, level: str) -> None:
    made = Builder(choose_sandbox(f"only:{level}")).build(bot)
    assert (made.folder / "ran").read_text() == "ran\n"
    assert not (place / "reached").exists()


@pytest.mark.parametrize("level", WEAK)
@pytest.mark.usefixtures("nothing_works")
def test_where_no_level_contains_a_build_it_is_refused_in_one_line(place: Path, bot: Agent, level: str) -> None:
    with pytest.raises(UserError) as refused:
        Builder(choose_sandbox(f"only:{level}")).build(bot)
    assert str(refused.value) == (
        "bot cannot be built: sandbox level 'landlock' is not available on this machine (landlock: this kernel has none). "
        "With --allow-uncontained-build it is built without a sandbox and can read and change your files: only for programs "
        "you trust"
    )
    assert not (place / "reached").exists()


@pytest.mark.parametrize("level", WEAK)
def test_an_uncontained_build_is_announced_and_leaves_no_process(
    place: Path, bot: Agent, level: str, caplog: pytest.LogCaptureFixture
) -> None:
    write(place / "bot" / "agent.yaml", f"build: 'setsid sleep 1000 & touch {place}/reached'\nrun: sh bot.sh\n")
    with leaving_nothing():
        Builder(choose_sandbox(f"only:{level}"), allow_uncontained=True).build(resolve_agent("bot", None, Workspace()))
    assert (place / "reached").exists()
    assert [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING] == [
        f"bot is built without containment (sandbox {level}): its build can read and change your files"
    ]


def test_the_flag_changes_nothing_at_a_level_that_contains_builds(place: Path, bot: Agent) -> None:
    Builder(choose_sandbox("landlock"), allow_uncontained=True).build(bot)
    assert not (place / "reached").exists()


def test_the_result_of_an_uncontained_build_is_not_used_where_builds_are_contained(place: Path, bot: Agent) -> None:
    loose = Builder(choose_sandbox("none"), allow_uncontained=True).build(bot)
    boxed = Builder(choose_sandbox("none")).build(bot)
    assert loose.folder != boxed.folder
    assert Builder(choose_sandbox("none"), allow_uncontained=True).build(bot).folder == boxed.folder


def test_the_flag_is_an_option_of_play(place: Path, bot: Agent) -> None:
    report = play("count_up", ["bot"], options={"turns": 1}, sandbox="none", allow_uncontained_build=True)
    assert report.games[0].scores == [1.0]
    assert (place / "reached").exists()


def test_the_command_line_prints_the_warning_and_the_failure_with_line_breaks(place: Path, bot: Agent) -> None:
    ran = arbiter("play", "count_up", "bot", "--sandbox", "none", "--allow-uncontained-build", "-o", "turns=1", "-q")
    assert ran.err.splitlines()[0] == (
        "bot is built without containment (sandbox none): its build can read and change your files"
    )
    write(place / "bot" / "agent.yaml", "build: 'echo one; echo two; exit 1'\nrun: sh bot.sh\n")
    ran = arbiter("play", "count_up", "bot")
    assert ran.code == 2
    assert ran.err.splitlines()[-2:] == ["one", "two"]
    assert "does not build (exit status 1):" in ran.err.splitlines()[-3]


@pytest.mark.usefixtures("bot")
def test_what_is_being_built_is_shown_on_a_terminal_unless_quiet(place: Path) -> None:
    words = ("play", "count_up", "bot", "-o", "turns=1")
    assert "building bot (Shell)" in at_a_terminal(80, *words, folder=place)
    for change, more in enumerate([("-q",), ()]):
        write(place / "bot" / "bot.sh", f"echo {change + 2}\n")
        printed = at_a_terminal(80, *words, *more, folder=place) if more else [arbiter(*words).err]
        assert not [line for line in printed if "building" in line]


def test_compilers_are_not_inherited_from_the_environment(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARBITER_TOKEN", "secret")
    monkeypatch.setenv("CFLAGS", "-DSECRET")
    write(place / "bot" / "agent.yaml", "build: env > seen\nrun: cat seen\n")
    made = Builder(choose_sandbox("none"), allow_uncontained=True).build(resolve_agent("bot", None, Workspace()))
    seen = subprocess.run(made.command, cwd=made.folder, capture_output=True, text=True, check=True).stdout
    assert "PATH=" in seen
    assert "secret" not in seen.lower()
