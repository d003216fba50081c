"""Drawings as trees: what is allowed in them, and how they become text and files."""

from __future__ import annotations

import json
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.drawings import STATIC
from arbiter.web.svg_export import svg, svgs
from tests.nullgame import count_up
from tests.records import games
from tests.tools import ROOT, need_tool

pytestmark = pytest.mark.slow

SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))


@pytest.fixture
def node() -> str:
    return need_tool("node")


def rendered(node: str, tree: str) -> Any:
    """The text of a tree, or the error it leads to."""
    script = f"""
      import {{ el, toText }} from "{STATIC / "svg.js"}";
      let said;
      try {{ said = {{ text: toText({tree}) }}; }} catch (error) {{ said = {{ error: error.message }}; }}
      process.stdout.write(JSON.stringify(said));
    """
    done = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, check=True)
    return json.loads(done.stdout)


def test_a_tree_becomes_text_with_everything_escaped(node: str) -> None:
    tree = """el("svg", { viewBox: "0 0 1 1", class: null, key: "a" }, [["a<b", null, false, 3], el("title", {}, 'x"&\\ud800')])"""
    text = rendered(node, tree)["text"]
    assert (
        text
        == '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">a&lt;b3<title>x&quot;&amp;\ufffd</title></svg>'
    )
    ET.fromstring(text)


@pytest.mark.parametrize(
    "tree",
    [
        'el("script", {}, "x")', 'el("foreignObject", {})', 'el("image", { href: "x" })', 'el("a", { href: "#x" })', 'el("style", {})',
        'el("g", { onclick: "x" })', 'el("g", { ONCLICK: "x" })', 'el("g", { style: "x" })', 'el("use", { href: "http://x" })',
        'el("use", { "xlink:href": "#x" })', 'el("rect", { fill: "url(http://x)" })', 'el("rect", { fill: "URL( //x)" })', 'el("g", { "x y": 1 })',
        'el("animate", {})',
    ],
)  # fmt: skip
def test_what_could_run_or_load_something_is_refused(node: str, tree: str) -> None:
    assert "a drawing may" in rendered(node, f'el("svg", {{}}, {tree})')["error"]


@pytest.mark.parametrize(
    "tree",
    ['el("use", { href: "#gem" })', 'el("rect", { fill: "url(#shade)" })', """el("rect", { fill: "url('#shade')" })"""],
)
def test_links_inside_the_drawing_are_fine(node: str, tree: str) -> None:
    assert "error" not in rendered(node, f'el("svg", {{}}, {tree})')


@pytest.mark.usefixtures("node")
@pytest.mark.parametrize(
    ("path", "theme"),
    [*((path, "light") for path in SAMPLES), (SAMPLES[0], "dark")],
    ids=lambda value: getattr(value, "stem", value),
)
def test_every_game_can_be_drawn_as_a_file_without_what_only_browsers_know(path: Path, theme: str) -> None:
    record = load_record(path)
    turns = [1, record.answers[-1].turn // 2]
    texts = svgs(record, find_protocol(record.header.protocol, Workspace()), turns, theme=theme)
    assert [word for word in ("var(", "color-mix") for text in texts if word in text] == []
    root = ET.fromstring(texts[1])
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(root.attrib["width"]) > 100
    assert len("".join(root.itertext())) > 100


@pytest.mark.usefixtures("node")
def test_a_turn_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no turn 9 in this game; it has 8 turns"):
        svg(games.counting(tmp_path / "counted.jsonl"), count_up.protocol, 9)


def test_without_node_one_line_says_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"pictures need node.*install Node\.js"):
        svg(games.counting(tmp_path / "counted.jsonl"), count_up.protocol, 1)


@pytest.mark.usefixtures("node")
def test_a_drawing_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = tmp_path / "drawing.js"
    drawing.write_text("export function draw(view) { return view.missing.field; }\n", encoding="utf-8")
    monkeypatch.setattr("arbiter.web.svg_export.drawing_of", lambda _: drawing)
    with pytest.raises(UserError, match="the drawing of count_up failed: TypeError: ") as raised:
        svg(games.counting(tmp_path / "counted.jsonl"), count_up.protocol, 1)
    assert "\n" not in str(raised.value)
