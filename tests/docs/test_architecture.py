"""ARCHITECTURE.md describes the code as it is: every file, folder, class and function it names exists where it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools import ROOT

pytestmark = pytest.mark.slow

_AGENTS = ROOT / "arbiter" / "agents"
_NAME = re.compile(r"^(\s*)([\w.]+/?)(?=\s|$)")
_FILE = re.compile(r"(?<![\w./-])([\w/]+\.py|\w+/)(?![\w/])")
_MADE_WHEN_NEEDED = {"games/"}


def trees() -> Iterator[list[str]]:
    """Yield the indented blocks of the page that draw a tree of folders."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for block in re.findall(r"(?:^ {4}.*\n(?:\n(?= {4}))?)+", text, re.MULTILINE):
        lines = [line[4:] for line in block.splitlines() if line.strip()]
        if lines[0].split()[0].endswith("/"):
            yield lines


def named(lines: list[str], top: Path) -> Iterator[tuple[str, list[Path]]]:
    """Yield each name in a tree, with the places where it may be: its folder, or the folder that its line describes."""
    above: list[tuple[int, Path]] = [(-1, top)]
    for line in lines:
        head = _NAME.match(line)
        indent = len(line) - len(line.lstrip())
        if head and indent < 16:  # further right are the descriptions, which go on from the line before
            while above[-1][0] >= indent:
                above.pop()
            path = above[-1][1] / head[2].rstrip(",")
            above.append((indent, path if path.is_dir() else above[-1][1]))
            yield head[2], [path]
        for name in _FILE.findall(line[head.end() if head and indent < 16 else 0 :]):
            yield name, [folder / name for _, folder in above]


def test_every_file_and_folder_that_the_page_names_exists() -> None:
    missing: list[str] = []
    found = 0
    for lines in trees():
        top = ROOT if lines[0].startswith("arbiter/") else _AGENTS
        for name, places in named(lines, top):
            found += 1
            if name not in _MADE_WHEN_NEEDED and not any(place.exists() for place in places):
                missing.append(f"{name} ({places[-1].relative_to(ROOT)})")
    assert not missing
    assert found > 150, "the trees of the page were not recognised"


def test_every_class_method_and_function_that_the_walk_of_a_move_names_exists() -> None:
    known: set[str] = set()
    own = [ROOT / "arbiter" / "playing" / name for name in ("one_game.py", "referee.py")]
    for path in (*own, *_AGENTS.rglob("*.py"), *(ROOT / "arbiter" / "game").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                inside = (part.name for part in node.body if isinstance(part, ast.FunctionDef))
                owners = {node.name, node.name.lower()}  # game.read is Game.read
                known |= {node.name, *(f"{owner}.{name}" for name in inside for owner in owners)}
            elif isinstance(node, ast.FunctionDef):
                known |= {node.name, f"{path.stem}.{node.name}"}
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    _, _, walk = text.partition("## One move, step by step\n")
    walk, _, _ = walk.partition("\n## ")
    named = set(re.findall(r"`((?:\w+\.)?\w+)(?:\([^`]*\))?`", walk)) - {"tests"}
    named = {name for name in named if not name.endswith(".py")}
    assert named - known == set()
    assert {"Table.ask_one", "SeatState.complete", "game.fallback", "referee.rule"} <= named
