"""docs/archive.md describes every column of an archive."""

from __future__ import annotations

import re

from arbiter.records.packed.columns import COLUMNS
from tests.tools import ROOT

PAGE = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")


def test_every_column_is_on_the_page() -> None:
    described = set(re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (.*?) \|", PAGE, re.M))))
    assert described == set(COLUMNS)
