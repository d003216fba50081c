"""Every command and program that a page shows is run, or is listed with the reason why it cannot be."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.commands import PAGES, blocks, commands, text_of
from tests.docs.parsing import check_options
from tests.docs.session import OWN_TESTS, SESSIONS, Session, prepare
from tests.nullgame.command import Ran, arbiter
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PROGRAMS = {
    "README.md": ("tests/docs/test_readme.py", 3),
    "docs/arena.md": ("tests/arena/test_docs.py", 8),
    "docs/arena-organiser.md": ("tests/arena/test_docs.py", 1),
    "docs/contests.md": ("tests/docs/test_contests.py", 9),
    "docs/first-bot.md": ("tests/docs/test_first_bot.py", 4),
    "docs/languages.md": ("tests/docs/test_languages.py", 1),
    "docs/new-game.md": ("tests/docs/test_new_game.py", 5),
    "docs/python-api.md": ("tests/docs/test_site.py", 2),
    "docs/referees.md": ("tests/docs/test_referees.py", 2),
    "docs/starters.md": ("tests/docs/test_starters.py", 1),
    "docs/tuning.md": ("tests/docs/test_tuning.py", 1),
    "protocols/drones/README.md": ("tests/docs/test_commands.py", 2),
    "protocols/green_circle/README.md": ("tests/docs/test_commands.py", 1),
    "protocols/heroes/README.md": ("tests/docs/test_commands.py", 1),
    "protocols/rails/README.md": ("tests/docs/test_commands.py", 1),
    "protocols/splendor/README.md": ("tests/docs/test_commands.py", 1),
}
"""Pages with programs and files in a language: the test that runs or loads them, and how many there are."""
TYPED = "1 0\n" * 4
"""What a person types who plays Splendor: nothing, four times."""


@pytest.mark.parametrize("page", SESSIONS)
def test_the_commands_of_a_page_run_in_their_order(page: str, tmp_path: Path) -> None:
    session = SESSIONS[page]
    folder = prepare(page, session, tmp_path)
    if session.played:
        match = f"arbiter match splendor greedy random --games 2 --save {Path(session.played).parent} --name {Path(session.played).name}"
        assert run(match, folder).code == 0
    for command in commands(text_of(page)):
        if command not in session.not_run:
            ran = run(shortened(command, session), folder)
            assert ran.code == 0, f"{command}\n{ran.err}{ran.out}"
            assert "not started" not in ran.out, f"{command}\n{ran.out}"
            for file in re.findall(r"(?:>|--output) (\S+\.\w+)", command):
                assert (folder / file).stat().st_size > 50, f"{command} wrote nothing to {file}"


def shortened(command: str, session: Session) -> str:
    """Return the command with the replacements of its page."""
    for old, new in session.replaced.items():
        command = command.replace(old, new)
    return command


def run(command: str, folder: Path) -> Ran:
    """Run a line as a shell would: with a shell if it needs one."""
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "BROWSER": "false", "TERM": "dumb"}
    words = shlex.split(command)
    if words[0] == "arbiter" and not re.search(r" [|>] |\$", command):
        return arbiter(*words[1:], folder=folder, environment=environment, typed=TYPED)
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr, b"")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_with_commands_is_run(page: str) -> None:
    shown = commands(text_of(page))
    if page not in OWN_TESTS:
        assert not shown or page in SESSIONS, f"add {page} to SESSIONS in tests/docs/session.py"
        if page in SESSIONS:
            assert set(SESSIONS[page].not_run) <= set(shown), "a command that is listed is not on the page any more"
            gone = [old for old in SESSIONS[page].replaced if not any(old in command for command in shown)]
            assert not gone, "a part that is replaced is not on the page any more"


@pytest.mark.parametrize("page", PAGES)
def test_every_program_on_a_page_has_a_test(page: str) -> None:
    programs = [block for block in blocks(text_of(page)) if block.is_program]
    test, number = PROGRAMS.get(page, ("", 0))
    assert len(programs) == number, f"run the programs of {page} in a test, and count them in PROGRAMS here"
    assert not test or (ROOT / test).is_file()


@pytest.mark.parametrize("page", PAGES)
def test_commands_within_a_sentence_have_valid_options(page: str) -> None:
    for command in re.findall(r"`(arbiter [a-z-]+(?: [^`…]*)?)`", text_of(page)):
        if not re.search(r"\b[A-Z]{2,}\b|\[|\|", command):
            check_options(command, complete=False)
