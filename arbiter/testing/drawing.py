"""Runs the drawing.js of a protocol under Node on many positions, and checks what the viewer page relies on."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbiter.game import Game
from arbiter.web.modules import HEAD, drawing_script

Tree = dict[str, Any]
"""A drawn element: tag, attributes and children."""

TAGS = {
    "svg", "g", "rect", "circle", "ellipse", "line", "path", "polyline", "polygon", "text", "tspan", "title",
    "defs", "clipPath", "linearGradient", "stop", "use", "symbol",
}  # fmt: skip
ATTRIBUTES = {
    "class", "key", "transform", "opacity", "role", "tabindex", "aria-label", "aria-pressed", "data-move",
    "data-pick", "viewBox", "text-anchor", "font-size", "stroke-width", "d", "points", "x", "y", "x1", "y1",
    "x2", "y2", "cx", "cy", "r", "rx", "width", "height",
}  # fmt: skip
_BROKEN = re.compile(r"NaN|undefined|null|Infinity|\[object")
_PLACE = re.compile(r"translate\(-?[\d.]+ -?[\d.]+\)")
SMALLEST_TEXT = 11
"""The smallest font size in the narrow layout, whose units are CSS pixels at a width of 400."""


@dataclass(frozen=True)
class DrawnPosition:
    """A view, and the moves that led to it."""

    view: Any
    before: Any
    turn: int
    moves: Mapping[int, str]

    def context(self, names: Sequence[str], **more: Any) -> dict[str, Any]:
        """Return what the page passes along with the view."""
        return {
            "seats": [{"name": name, "label": str(seat)} for seat, name in enumerate(names)],
            "turn": self.turn,
            "moves": [{"seat": seat, "move": move, "said": None, "fault": None} for seat, move in self.moves.items()],
            "before": self.before,
            "narrow": False,
            "reveal": True,
            **more,
        }


def followed(game: Game, turns: Iterable[Mapping[int, str]]) -> list[DrawnPosition]:
    """Play given moves and return the positions."""
    positions = [DrawnPosition(game.view(), None, 0, {})]
    for moves in turns:
        game.play(moves)
        positions.append(DrawnPosition(game.view(), positions[-1].view, len(positions), moves))
    return positions


def node() -> str | None:
    """Return the path of Node, which runs drawings in tests; None if it is not installed."""
    return shutil.which("node")


def run_drawing(drawing: Path, requests: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Send requests to draw.mjs and return its answers. Needs Node."""
    command = [str(node()), str(Path(__file__).with_name("draw.mjs"))]
    modules = f"{HEAD}{drawing_script(drawing)}export default modules;"
    lines = "".join(json.dumps(each) + "\n" for each in (modules, *requests))
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{drawing} failed: {done.stderr}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def draw_games(
    drawing: Path, games: Sequence[tuple[Sequence[DrawnPosition], Sequence[str]]], **more: Any
) -> list[Tree]:
    """Draw positions of several games, each with the names of its agents, in one run of Node.

    Every position is drawn in both layouts and checked; returns the wide drawings, then the narrow ones.
    """
    asked = [(each, names, narrow) for positions, names in games for narrow in (False, True) for each in positions]
    trees = run_drawing(
        drawing,
        [{"view": each.view, "context": each.context(names, narrow=narrow, **more)} for each, names, narrow in asked],
    )
    assert len(trees) == len(asked)
    for tree, (_, names, narrow) in zip(trees, asked, strict=True):
        check_drawing(tree, names, narrow=narrow)
    return trees


def clickable(tree: Tree) -> bool:
    """Return whether a person can click some part of the drawing."""
    return any("choice" in (node["attributes"].get("class") or "").split() for node in elements(tree))


def check_drawing(tree: Tree, names: Sequence[str], narrow: bool) -> None:
    """Check one drawing against the contract between drawings and the page."""
    root = tree["attributes"]
    assert tree["tag"] == "svg"
    assert re.fullmatch(r"0 0 \d+(\.\d+)? \d+(\.\d+)?", root["viewBox"]), root["viewBox"]
    assert root["role"] == ("group" if clickable(tree) else "img"), "an image has no parts that can be clicked"
    assert len(root["aria-label"]) > 20
    keys: list[str] = []
    for node in elements(tree):
        check_element(node, narrow)
        if "key" in node["attributes"]:
            keys.append(node["attributes"]["key"])
    assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)
    shown = set(texts(tree))
    for name in names:
        assert any(name in text for text in shown), f"{name} is not in the drawing"


def check_element(node: Tree, narrow: bool) -> None:
    tag, attributes = node["tag"], node["attributes"]
    assert tag in TAGS, tag
    assert set(attributes) <= ATTRIBUTES, set(attributes) - ATTRIBUTES
    for name, value in attributes.items():
        if isinstance(value, str):
            assert not _BROKEN.search(value), f"{tag} {name}={value}"
        else:
            # A number that JSON cannot represent arrives as None.
            assert value is not None, f"{tag} {name}"
            assert name not in ("width", "height", "r", "font-size") or value >= 0, f"{tag} {name}={value}"
    if "key" in attributes:
        assert tag == "g"
        assert _PLACE.fullmatch(attributes["transform"])
    if "data-move" in attributes or "data-pick" in attributes:
        assert (attributes["role"], attributes["tabindex"]) == ("button", 0)
        assert "choice" in attributes["class"]
        assert attributes["aria-label"]
    if tag == "text":
        text = "".join(str(child) for child in node["children"] if not isinstance(child, dict))
        assert not _BROKEN.search(text), text
        # The number on a badge or on the map repeats what is shown in larger text next to it.
        decoration = "badge-text" in attributes.get("class", "") or "burst-text" in attributes.get("class", "")
        assert not narrow or decoration or attributes["font-size"] >= SMALLEST_TEXT or not text, (text, attributes)


def elements(node: Tree) -> Iterator[Tree]:
    """Yield every element of a drawing, in document order."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [child for child in reversed(node["children"]) if isinstance(child, dict)]


def texts(node: Tree) -> Iterator[str]:
    """Yield every piece of text in a drawing, including titles."""
    for element in elements(node):
        yield from (str(child) for child in element["children"] if not isinstance(child, dict))
