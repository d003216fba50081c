"""Patches between positions: small, exact, and applied in the same way by Python and by the page."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.records.exports.delta import apply, diff
from arbiter.web.drawings import STATIC
from tests.tools import need_tool

pytestmark = pytest.mark.slow

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3)
)
KEYS = st.sampled_from(["a", "b", "length", "0", "1", "__proto__", "constructor"])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: True is not 1, and 1 is not 1.0."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(VALUES, VALUES)
def test_a_patch_turns_the_old_value_into_the_new_one_and_leaves_the_old_one_alone(old: Any, new: Any) -> None:
    before = json.dumps(old)
    assert same(apply(old, diff(old, new)), new)
    assert json.dumps(old) == before


@given(VALUES)
def test_equal_values_have_no_patch(value: Any) -> None:
    assert diff(value, json.loads(json.dumps(value))) is None


def test_a_small_change_is_a_small_patch() -> None:
    old = {"rows": ["....", "....", "...."], "gold": [1, 2, 3]}
    assert diff(old, {"rows": ["....", ".#..", "...."], "gold": [1, 2, 3]}) == {"rows": {"1": [".#.."]}}


SCRIPT = """
import { readFileSync } from "node:fs";
import { apply } from "%s";
const cases = JSON.parse(readFileSync(0, "utf8"));
const sorted = (value) => Array.isArray(value) ? value.map(sorted) : value && typeof value === "object"
  ? Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])) : value;
const wrong = cases.filter(([old, patch, wanted]) => {
  const before = JSON.stringify(old);
  return JSON.stringify(sorted(apply(old, patch))) !== JSON.stringify(sorted(wanted)) || JSON.stringify(old) !== before;
});
process.stdout.write(JSON.stringify(wrong));
"""


def test_the_page_applies_patches_as_python_does(tmp_path: Path) -> None:
    node = need_tool("node")
    cases: list[list[Any]] = []

    @settings(max_examples=250)  # also in make test-fast, which tries fewer: all of them are checked by one process
    @given(VALUES, VALUES)
    def collect(old: Any, new: Any) -> None:
        cases.append([old, diff(old, new), new])

    collect()
    script = tmp_path / "check.mjs"
    script.write_text(SCRIPT % (STATIC / "delta.js"), encoding="utf-8")
    done = subprocess.run([node, script], input=json.dumps(cases).encode(), capture_output=True, check=True)
    assert len(cases) > 50
    assert json.loads(done.stdout) == []
