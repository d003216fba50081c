"""What the README shows must work as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arbiter import play
from tests.tools import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def code(language: str) -> str:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[0]


@pytest.mark.parametrize(
    ("language", "file"), [("python", "first.py"), ("cpp", "first.cpp"), ("javascript", "first.js")]
)
def test_a_first_bot_plays_a_whole_game_without_a_fault(language: str, file: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(code(language), encoding="utf-8")
    assert f"arbiter play splendor ./{file} random" in README

    report = play(
        "splendor", [str(tmp_path / file), "random"], seed=1, options={"max_rounds": 12}, save=tmp_path / "games"
    )

    assert report.games[0].faults == []
    assert report.totals["first"].answers == 12


def test_an_agent_yaml_like_the_one_shown_is_understood(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(code("yaml").replace("build: make ", "build: 'true' "), encoding="utf-8")
    bot = tmp_path / "bot"
    bot.write_text('#!/bin/sh\necho "kibitz $1 $2 $THREADS" >&2\necho 1 0\n')
    bot.chmod(0o755)

    report = play("splendor", [str(tmp_path)], seed=1, options={"max_rounds": 1}, save=tmp_path / "games")

    assert report.games[0].seats == ["deep thought"]
    assert report.games[0].faults == []
    assert "--book book.bin 1" in Path(report.games[0].record).read_text()


def test_every_file_the_documents_link_to_exists() -> None:
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "arbiter/records/README.md"]:
        text = (ROOT / page).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert ((ROOT / page).parent / target).exists(), f"{page} links to {target}"


def test_every_file_the_house_names_exists() -> None:
    house = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("Data flows")[0]
    for name in re.findall(r"(\w+\.py) ", house):
        assert list((ROOT / "arbiter").rglob(name)), f"ARCHITECTURE.md names {name}"
