"""Flags that once had a second meaning; see :mod:`arbiter.cli.options`."""

from __future__ import annotations

from collections.abc import Mapping

RENAMED: Mapping[tuple[str, str], str] = {
    ("games", "--until"): "--before",
    ("games", "--limit"): "--games",
    ("games", "-k"): "--kibitz",
    ("inputs", "--until"): "--up-to",
    ("inputs", "-u"): "--up-to",
    ("inputs", "-s"): "--seat",
    ("play", "--output"): "--stdout",
}
"""The flag of today by command and earlier flag."""
