"""The pictures: proper XML, small, and drawn from the figures of the report."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arbiter.contest.formats.plots import WIDE, pictures, write_plots
from arbiter.contest.formats.timeline_plot import timeline_plot
from arbiter.contest.report import Report, build_report
from arbiter.contest.report.document import Curve, Timeline
from arbiter.errors import UserError
from tests.contest.formats.making import HOSTILE, contest, ended, hostile, made
from tests.contest.statistics.making import outcome

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"


def names(count: int) -> list[str]:
    return [f"agent {number:02d}" for number in range(count)]


@pytest.mark.parametrize(
    "make",
    [
        *(partial(made, {"kind": "round_robin", "games": 6}, names(count)) for count in (2, 3, 12)),
        partial(made, {"kind": "round_robin"}, names(25)),
        hostile,
    ],
)
def test_every_picture_is_xml_with_a_title_for_screen_readers(make: Callable[[], Report]) -> None:
    found = make()
    drawn = pictures(found)
    assert set(drawn) == {"standings", "progress", "scores"} | ({"crosstable"} if len(found.rows) > 2 else set())
    for picture in drawn.values():
        for text in (picture.inline(), picture.alone()):
            root = ET.fromstring(text.removeprefix('<?xml version="1.0" encoding="UTF-8"?>\n'))
            assert root.tag == f"{SVG}svg"
            assert root.get("role") == "img"
            assert root.get("aria-label") == picture.title == root.findtext(f"{SVG}title")
            assert root.findtext(f"{SVG}desc")
            assert "nan" not in text
            assert "inf" not in re.sub("inside-progress|95 % interv", "", text)
            for node in root.iter():
                assert node.tag.removeprefix(SVG) in {
                    "svg", "title", "desc", "style", "g", "path", "text", "circle", "rect", "clipPath",
                }  # fmt: skip
                assert not any(name.startswith("on") or "href" in name for name in node.attrib)


def test_names_and_figures_are_in_the_picture() -> None:
    found = made({"kind": "round_robin"}, names(20))
    for name, picture in pictures(found).items():
        words = [text for text in ET.fromstring(picture.inline()).itertext() if text]
        for agent in names(20):
            assert any(agent in word for word in words), (name, agent)


def test_names_at_the_ends_of_lines_do_not_cover_each_other() -> None:
    timeline = Timeline(
        measure="rating",
        games=[10, 20],
        curves=[Curve(agent=name, values=[0.0, 10.0 + index / 100]) for index, name in enumerate(names(20))],
    )
    labels = [
        node
        for node in ET.fromstring(timeline_plot(timeline, WIDE).inline()).iter(f"{SVG}text")
        if "agent" in str(node.text)
    ]
    heights = sorted(float(str(node.get("y"))) for node in labels)
    assert len(heights) == 20
    assert min(after - before for before, after in itertools.pairwise(heights)) >= 14


def test_beyond_twenty_lines_the_best_are_named() -> None:
    timeline = Timeline(
        measure="score",
        games=[1, 2],
        curves=[Curve(agent=name, values=[0.5, 1 - n / 50]) for n, name in enumerate(names(40))],
    )
    root = ET.fromstring(timeline_plot(timeline, WIDE).inline())
    named = [str(node.text).split("  ")[0] for node in root.iter(f"{SVG}text") if "agent" in str(node.text)]
    assert named == names(20)
    assert sum("fill" in node.attrib and node.get("fill") == "none" for node in root.iter(f"{SVG}path")) == 40


def test_lines_with_gaps_and_without_any_figure_can_be_drawn() -> None:
    timeline = Timeline(
        measure="lead",
        games=[1, 2, 3],
        curves=[Curve(agent="a", values=[None, None, 4.0], low=[None, None, None], high=[None, 3.0, 9.0])],
    )
    ET.fromstring(timeline_plot(timeline, WIDE).inline())
    empty = Timeline(measure="rating", games=[1, 2], curves=[Curve(agent="a", values=[None, None])])
    ET.fromstring(timeline_plot(empty, WIDE).inline())


def test_the_better_side_of_a_meeting_is_blue() -> None:
    of = contest({"kind": "round_robin"}, "abc")
    found = build_report(of, ended(of, [outcome("ab", (1, 2)), outcome("bc", (1, 1))]))
    cells = {
        str(node.findtext(f"{SVG}title")): (node.get("fill"), float(str(node.get("fill-opacity"))))
        for node in ET.fromstring(pictures(found)["crosstable"].inline()).iter(f"{SVG}rect")
    }
    blue, strong = cells["a against b: 1-0-0"]
    orange, as_strong = cells["b against a: 0-0-1"]
    assert blue != orange
    assert strong == as_strong
    assert cells["b against c: 0-1-0"][1] < 0.2 < strong


def test_equal_scores_are_not_drawn() -> None:
    of = contest({"kind": "round_robin"}, "ab")
    assert "scores" not in pictures(build_report(of, ended(of, [outcome("ab", (1, 2), 1), outcome("ab", (1, 2), 2)])))


def test_pictures_are_written_to_a_folder(tmp_path: Path) -> None:
    found = made({"kind": "round_robin", "games": 4}, names(4))
    written = write_plots(found, tmp_path / "new" / "plots")
    assert sorted(path.name for path in written) == ["crosstable.svg", "progress.svg", "scores.svg", "standings.svg"]
    for path in written:
        assert ET.parse(path).getroot().tag == f"{SVG}svg"
        assert "prefers-color-scheme:dark" in path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_to_is_the_users_mistake(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="cannot write"):
        write_plots(made({"kind": "round_robin"}, "abc"), blocked / "plots")


def test_without_games_there_are_no_pictures(tmp_path: Path) -> None:
    of = contest({"kind": "round_robin"}, HOSTILE)
    assert write_plots(build_report(of, ended(of, [])), tmp_path / "none") == []
