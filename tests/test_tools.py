"""The tools that tests share."""

from __future__ import annotations

from tests.tools import count_skips


def test_skipped_tests_are_counted_by_what_is_before_the_first_colon_of_their_reason() -> None:
    reasons = ["Skipped: not root", "Skipped: no cgroups: level 1", "Skipped: no cgroups: level 2"]
    assert count_skips(reasons) == "3 skipped: 2 no cgroups, 1 not root"
