"""A build sees its compiler's installation, and nothing else of the folder that it is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.building import toolchain
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.languages import find_tool
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.workspace import Workspace
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

RUSTUP = '#!/bin/sh\nsysroot="$(dirname "$0")/../../rustup/toolchains/stable"\necho "$(cd "$sysroot" && pwd)"\n'


@pytest.fixture
def rust(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a toolchain that a stand-in for rustup manages, in a home folder with credentials."""
    home = place / "home"
    write(home / "cargo" / "bin" / "rustup", RUSTUP, executable=True)
    for name in ("rustc", "cargo"):
        (home / "cargo" / "bin" / name).symlink_to("rustup")
        write(home / "rustup" / "toolchains" / "stable" / "bin" / name, '#!/bin/sh\ncat "$0" > "$6"\n', executable=True)
    write(home / "cargo" / "credentials.toml", "token = 'secret'")
    monkeypatch.setenv("PATH", f"{home}/cargo/bin:/usr/bin:/bin")
    return home / "rustup" / "toolchains" / "stable"


def test_a_tool_that_rustup_manages_is_found_in_its_toolchain(rust: Path) -> None:
    assert [find_tool(name) for name in ("rustc", "cargo")] == [str(rust / "bin" / name) for name in ("rustc", "cargo")]


def test_a_toolchain_file_in_the_current_folder_has_no_say(rust: Path, place: Path) -> None:
    write(rust.parents[2] / "cargo" / "bin" / "rustup", '#!/bin/sh\npwd > "$(dirname "$0")/asked"\n', executable=True)
    find_tool("rustc")
    assert (rust.parents[2] / "cargo" / "bin" / "asked").read_text() == "/\n"


@pytest.mark.parametrize("tool", ["rustc", ""])
def test_credentials_next_to_a_toolchain_are_not_visible(rust: Path, tool: str) -> None:
    tools = toolchain.tools_for([find_tool(tool) or ""] if tool else [])
    visible = toolchain.visible_toolchain(tools).visible
    assert str(rust) in visible
    cargo = rust.parents[2] / "cargo"
    assert not [path for path in visible if cargo.is_relative_to(path) or Path(path).is_relative_to(cargo)]
    path = toolchain.environment(tools, "/x")["PATH"].split(":")
    assert path[0] == str(rust / "bin")
    assert str(cargo / "bin") not in path


@pytest.mark.usefixtures("rust", "own_cache")
def test_a_build_line_finds_the_toolchain_and_not_the_credentials(place: Path) -> None:
    line = "command -v cargo > found; ls ../../../*/cargo /*/cargo > seen 2> /dev/null; true"
    write(place / "bot" / "agent.yaml", f"build: '{line}'\nrun: cat found\n")
    made = Builder(choose_sandbox("auto")).build(resolve_agent("bot", None, Workspace()))
    assert (made.folder / "found").read_text().strip().endswith("/toolchains/stable/bin/cargo")
    assert "credentials" not in (made.folder / "seen").read_text()


def test_the_environment_is_made_from_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARBITER_TOKEN", "secret")
    monkeypatch.setenv("RUSTUP_TOOLCHAIN", "secret")
    assert "secret" not in toolchain.environment([], "/x").values()
