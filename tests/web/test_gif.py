"""Games as animated pictures, and style sheets that programs other than browsers understand."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web import gif_export
from arbiter.web.flat_colours import flattened
from arbiter.web.gif_export import WIDTH, gif
from tests.records import games
from tests.tools import ROOT, missing

pytestmark = pytest.mark.slow

Image: Any = PIL.Image  # what it returns depends on the file
SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))


@pytest.fixture(autouse=True)
def node() -> None:
    if shutil.which("node") is None:
        missing("node is not installed")


@pytest.mark.parametrize("sample", SAMPLES[::3], ids=lambda path: path.stem)
def test_a_game_is_an_animation_of_its_drawing(sample: Path) -> None:
    record = load_record(sample)
    animation = Image.open(io.BytesIO(gif(record, find_protocol(record.header.protocol, Workspace()), most_frames=4)))
    assert (animation.format, animation.size[0], animation.n_frames) == ("GIF", WIDTH, 4)
    assert animation.info["loop"] == 0
    frames = []
    for number in range(4):
        animation.seek(number)
        frames.append(animation.convert("RGB"))
    assert animation.info["duration"] == 4000, "the end stays"
    assert len({frame.tobytes() for frame in frames}) == 4, "every frame is another position"
    red, green, blue = frames[-1].resize((1, 1)).getpixel((0, 0))
    assert min(red, green, blue) > 100, "light, and not black for want of colours"
    assert len(frames[-1].getcolors(WIDTH * WIDTH) or []) > 20


def test_a_game_without_a_drawing_shows_its_board(place: Path) -> None:
    record = games.counting(place / "counted.jsonl")
    animation = Image.open(
        io.BytesIO(gif(load_record(record.path), find_protocol("count_up", Workspace()), theme="dark"))
    )
    assert animation.n_frames >= 2
    assert max(animation.convert("RGB").getpixel((0, 0))) < 60


@pytest.mark.parametrize("last", [0, 1, 5, 298, 299, 300, 1200])
def test_a_long_game_is_shortened_evenly_and_keeps_its_start_and_end(last: int) -> None:
    turns = gif_export._shown(last)
    assert (turns[0], turns[-1]) == (0, last)
    assert len(turns) <= gif_export.MOST_FRAMES
    assert turns == sorted(set(turns))
    assert last >= 300 or len(turns) == last + 1


def test_without_the_libraries_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UserError, match=r"a GIF needs resvg-py: .* install .*resvg-py$"):
        gif(load_record(SAMPLES[0]), find_protocol(SAMPLES[0].stem, Workspace()))


@pytest.mark.parametrize(
    ("css", "flat"),
    [
        ("svg { --a: #102030; } g { fill: var(--a); }", "svg { --a: #102030; } g { fill: #102030; }"),
        ("svg { --a: #fff; --b: var(--a); } g { fill: var(--b); }", "fill: #fff; }"),
        ("g { fill: color-mix(in srgb, #ff0000 50%, #0000ff); }", "fill: #800080; }"),
        ("g { fill: color-mix(in srgb, #f00 25%, transparent); }", "fill: #ff000040; }"),
        ("svg { --a: #000; } g { fill: color-mix(in srgb, #fff 20%, var(--a)); }", "fill: #333333; }"),
        ("g { fill: color-mix(in srgb, #fff 20%, color-mix(in srgb, #000 50%, #fff)); }", "fill: #999999; }"),
        ("g { fill: color-mix(in srgb, transparent 20%, transparent); }", "fill: transparent; }"),
        ("g { fill: var(--unknown); }", "fill: var(--unknown); }"),
    ],
)
def test_colours_are_computed(css: str, flat: str) -> None:
    assert flattened(css).endswith(flat)
