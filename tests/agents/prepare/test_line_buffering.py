"""Compiled programs write every line at once, and the same bytes as without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.prepare.line_buffering import dynamic_loader, line_buffering
from tests.agents.prepare.conftest import Resolve
from tests.nullgame.place import write
from tests.tools import need_tool

ECHO = "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }\n"
"""It never flushes."""


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the compiled program, made without the arbiter."""
    return compiled(tmp_path_factory.mktemp("echo"))


def compiled(folder: Path, *options: str) -> Path:
    source = write(folder / "echo.c", ECHO)
    subprocess.run([need_tool("cc"), *options, "-o", folder / "echo", source], check=True)
    return folder / "echo"


def test_a_line_is_written_at_once(echo: Path) -> None:
    with subprocess.Popen(
        [echo], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=line_buffering(str(echo)), bufsize=0
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"1 2\nunfinished")
        assert process.stdout.read(100) == b"1 2\n"


@given(data=st.binary(max_size=9000))
def test_no_byte_is_changed(echo: Path, data: bytes) -> None:
    found = subprocess.run([echo], input=data, env=line_buffering(str(echo)), capture_output=True, check=True)
    assert (found.stdout, found.stderr) == (data, b"")


def test_only_a_long_lived_agent_is_affected(ready: Resolve, place: Path, echo: Path) -> None:
    agent = ready(write(place / "bot.c", ECHO))
    assert launch_spec(agent, "game").environment["_STDBUF_O"] == "L"
    assert "LD_PRELOAD" not in launch_spec(agent, "move").environment


def test_the_author_of_an_agent_has_the_last_word(ready: Resolve, place: Path, echo: Path) -> None:
    write(place / "bot" / "agent.yaml", "run: ./echo\nenvironment: {_STDBUF_O: 4096}\n")
    (place / "bot" / "echo").write_bytes(echo.read_bytes())
    (place / "bot" / "echo").chmod(0o755)
    assert launch_spec(ready("bot"), "game").environment["_STDBUF_O"] == "4096"


def test_nothing_is_preloaded_into_other_programs(tmp_path: Path) -> None:
    script = write(tmp_path / "bot", "#!/bin/sh\n", executable=True)
    static = compiled(tmp_path, "-static")
    torn = tmp_path / "torn"
    torn.write_bytes(static.read_bytes()[:70])
    for program in ("/bin/ls", sys.executable, str(script), str(static), str(torn), str(tmp_path), "no such file"):
        assert line_buffering(program) == {}, program


def test_a_program_for_another_c_library_is_left_alone(echo: Path, tmp_path: Path) -> None:
    loader = dynamic_loader(str(echo))
    other = tmp_path / "echo"
    other.write_bytes(echo.read_bytes().replace(loader.encode(), "/lib/ld-musl.so.1".ljust(len(loader), "\0").encode()))
    assert dynamic_loader(str(other)) == "/lib/ld-musl.so.1"
    assert line_buffering(str(other)) == {}


@given(data=st.binary(max_size=200), cut=st.integers(0, 200))
def test_damaged_programs_have_no_loader(
    tmp_path_factory: pytest.TempPathFactory, echo: Path, data: bytes, cut: int
) -> None:
    program = tmp_path_factory.getbasetemp() / f"damaged-{os.getpid()}"
    whole = echo.read_bytes()[:4096]
    program.write_bytes(whole[: len(whole) - cut - 16][:48] + data)
    assert isinstance(dynamic_loader(str(program)), str)
