"""The table of promises in docs/containment.md is that of the code, which ``arbiter doctor`` and records show."""

from __future__ import annotations

import pytest

from arbiter.agents.prepare import folder_limits, manifest
from arbiter.agents.prepare.launch_spec import _INHERITED
from arbiter.agents.sandbox.levels import GUARANTEES, LEVELS, YES, Guarantee
from arbiter.config import yaml_file
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "containment.md").read_text(encoding="utf-8")


def table() -> list[str]:
    """Return the table as it has to stand on the page."""
    head = ["promise", *LEVELS, "what holds it"]
    rows = [[f"`{one.name}`: {one.about}", *cells(one), one.held_by] for one in GUARANTEES]
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def cells(guarantee: Guarantee) -> list[str]:
    """Return the cells of a row; what holds at the level before, too, is not repeated in full."""
    texts = [guarantee.at(level) for level in LEVELS]
    return [
        text if text in (YES, "no") or not index or text != texts[index - 1] else "same"
        for index, text in enumerate(texts)
    ]


def test_the_page_has_the_table_of_the_code() -> None:
    expected = table()
    assert [line for line in PAGE.splitlines() if line in expected] == expected, "\n" + "\n".join(expected)


def test_every_promise_names_what_holds_it() -> None:
    assert [guarantee.name for guarantee in GUARANTEES if not guarantee.held_by] == []


def test_the_page_names_the_limits_and_variables_of_the_code() -> None:
    assert f"{manifest.MOST_BYTES >> 10} KB, {yaml_file.MOST_DEPTH} levels" in PAGE
    assert f"{folder_limits.MOST_FILES:,} files and folders, {folder_limits.MOST_LEVELS} levels" in PAGE
    assert f"{folder_limits.MOST_BYTES >> 30} GB" in PAGE
    assert all(f"`{name}`" in PAGE for name in _INHERITED)
