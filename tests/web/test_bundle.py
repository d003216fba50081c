"""The exported page: small, complete, and with a policy that allows exactly its own script and styles."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.bundle import bundle, page
from arbiter.web.drawings import STATIC
from arbiter.web.modules import HEAD, drawing_script
from tests.nullgame import count_up
from tests.records import games
from tests.tools import ROOT, need_tool
from tests.web.long_game import MOVES, long_game

pytestmark = pytest.mark.slow


def test_1200_moves_fit_into_a_megabyte(tmp_path: Path) -> None:
    record = long_game(tmp_path / "long.jsonl")
    assert record.answers[-1].turn == MOVES
    assert len(page(record, find_protocol("heroes", Workspace())).encode()) <= 1_000_000


def embedded(text: str) -> Any:
    """The document in an exported page."""
    packed = dict(re.findall(r'<script type="application/octet-stream" id="(\w+)">([^<]*)</script>', text))
    return json.loads(gzip.decompress(base64.b64decode(packed["data"])))


def test_it_holds_the_whole_game_and_the_whole_record(tmp_path: Path) -> None:
    record = games.counting(tmp_path / "counted.jsonl")
    text = page(record, count_up.protocol)
    packed = dict(re.findall(r'<script type="application/octet-stream" id="(\w+)">([^<]*)</script>', text))
    assert gzip.decompress(base64.b64decode(packed["record"])) == record.path.read_bytes()
    assert len(embedded(text)["turns"]) == 8


def test_the_policy_has_the_hashes_of_script_and_styles(tmp_path: Path) -> None:
    text = page(games.counting(tmp_path / "counted.jsonl"), count_up.protocol)
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    for tag in ('<script type="module">', "<style>"):
        inside = text.split(tag)[1].split("</")[0] if tag == "<style>" else text.split(tag)[1].split("</script>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_the_same_game_gives_the_same_file(tmp_path: Path) -> None:
    record = games.counting(tmp_path / "counted.jsonl")
    assert page(record, count_up.protocol) == page(record, count_up.protocol)


def test_a_drawing_is_part_of_it_and_cannot_end_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = tmp_path / "drawing.js"
    drawing.write_text(
        'export const style = "";\nexport function draw() { return "</script><b>"; }\n', encoding="utf-8"
    )
    monkeypatch.setattr("arbiter.web.bundle.drawing_of", lambda _: drawing)
    text = page(games.counting(tmp_path / "counted.jsonl"), count_up.protocol)
    assert 'modules["drawing.js"]' in text
    assert "</script><b>" not in text


def test_no_import_or_export_is_left_in_the_bundle(tmp_path: Path) -> None:
    node = need_tool("node")
    script = bundle("game.js")
    assert not re.search(r"^(import|export) ", script, re.MULTILINE)
    file = tmp_path / "bundle.mjs"
    file.write_text(script, encoding="utf-8")
    done = subprocess.run([node, "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def drawing_of_parts(folder: Path, first_line: str) -> Path:
    """A drawing of three files; the first line of the main one is given."""
    (folder / "drawing-words.js").write_text("export const word = (n) => `word ${n}`;\n", encoding="utf-8")
    (folder / "drawing-parts.js").write_text(
        'import { word as named } from "./drawing-words.js";\nexport function part(n) { return named(n); }\n',
        encoding="utf-8",
    )
    (folder / "drawing.js").write_text(
        f'{first_line}\nexport const style = "";\nexport function draw() {{ return part(1); }}\n', encoding="utf-8"
    )
    return folder / "drawing.js"


def test_a_drawing_may_consist_of_several_files(tmp_path: Path) -> None:
    node = need_tool("node")
    drawing = drawing_of_parts(tmp_path, 'import { part } from "./drawing-parts.js";')
    script = f'{HEAD}{drawing_script(drawing)}console.log(modules["drawing.js"].draw());'
    done = subprocess.run([node, "-e", script], capture_output=True, text=True, check=False)
    assert done.stdout == "word 1\n", done.stderr


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('import { part } from "./rules.js";', r"drawing\.js: imports rules\.js, which is not one of drawing\.js, "),
        ('import { byId } from "./dom.js";', r"imports dom\.js"),
        ('import part from "./drawing-parts.js";', r"drawing\.js: cannot read 'import part from"),
        ('import { part } from "../x/drawing-parts.js";', "cannot read"),
        ('export { part } from "./drawing-parts.js";', "cannot read"),
    ],
)
def test_what_a_drawing_may_not_import_is_named(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "rules.js").write_text("export const part = 1;\n", encoding="utf-8")
    with pytest.raises(UserError, match=problem):
        drawing_script(drawing_of_parts(tmp_path, line))


def test_every_module_of_the_page_is_small() -> None:
    for file in (*STATIC.glob("*.js"), *STATIC.glob("*.mjs"), *(ROOT / "protocols").glob("*/drawing*.js")):
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 250, f"{file.name} is too long"


def test_a_cut_off_game_can_be_exported(tmp_path: Path) -> None:
    whole = games.counting(tmp_path / "counted.jsonl").path
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(whole.read_bytes()[:-400])
    assert "<title>bot 0 – bot 1</title>" in page(load_record(cut), count_up.protocol)
