"""The examples in the README work as they are shown."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter import play
from tests.docs import shown_output
from tests.docs.commands import PAGES, text_of
from tests.nullgame.place import write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

README = (ROOT / "README.md").read_text(encoding="utf-8")


def code(language: str) -> str:
    """Return the first code block of a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_first_bot_wins_a_whole_game_without_a_fault(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(code("python"), encoding="utf-8")
    assert "arbiter play splendor ./first.py random" in README

    report = play("splendor", [str(tmp_path / "first.py"), "random"], seed=1, save=tmp_path / "games")

    assert report.games[0].faults == []
    assert report.totals["first"].wins == 1


def test_the_agent_yaml_that_is_shown_is_valid(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(code("yaml").replace("build: make ", "build: 'true' "), encoding="utf-8")
    bot = tmp_path / "bot"
    bot.write_text('#!/bin/sh\necho "kibitz $1 $2 $THREADS" >&2\necho 1 0\n')
    bot.chmod(0o755)

    report = play("splendor", [str(tmp_path)], seed=1, options={"max_rounds": 1}, save=tmp_path / "games")

    assert report.games[0].seats == ["deep thought"]
    assert report.games[0].faults == []
    assert "--book book.bin 1" in Path(report.games[0].record).read_text()


def test_the_python_program_prints_the_totals(tmp_path: Path) -> None:
    write(tmp_path / "first.py", code("python"))
    write(tmp_path / "arbiter.toml", "sandbox = 'none'\n[protocols.splendor]\noptions = {max_rounds = 1}\n")
    program = README.split("## From Python\n\n```python\n")[1].split("```")[0].replace("games=10", "games=2")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["greedy", "first"], done.stderr


def test_the_readme_links_to_every_page_of_the_documentation() -> None:
    pages = [page for page in PAGES if page.startswith("docs/")]
    assert [page for page in pages if f"]({page})" not in README.split("## Documentation")[1]] == []


def test_every_file_the_documents_link_to_exists() -> None:
    for page in PAGES:
        text = re.sub(r"\]\((?:reference/|https?:|mailto:)[^)]*\)", "", text_of(page))  # pages of the site, other hosts
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_the_first_screen_shows_what_comes_out() -> None:
    """If the output has changed on purpose, write it again: python -m tests.docs.shown_output."""
    assert (ROOT / "docs" / "pictures" / "heroes.gif").stat().st_size < 500_000
    found = shown_output.BLOCK.search(README)
    assert found is not None
    first_screen = README[: found.end()]
    assert len(first_screen.splitlines()) <= 50
    assert "**Linux**" in first_screen
    assert shown_output.masked(found[2]) == shown_output.masked(shown_output.printed(found[1]))
    assert [line for line in found[2].splitlines() if len(line) > 80 and not line.startswith("look ")] == []
