"""Thousands of answers, legal and not."""

from __future__ import annotations

import pytest

from .fuzz import fuzz

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(5))
def test_every_answer_is_read_as_the_rules_say(seed: int) -> None:
    fuzz(seed, 6_000)
