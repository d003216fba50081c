"""Batches are long enough for the scheduler and short enough for the end of a contest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arbiter.cluster.batches import batch_size


@given(st.floats(1e-5, 600), st.integers(1, 5000), st.integers(0, 10**6))
def test_a_batch_is_never_empty_and_never_keeps_others_waiting(game_s: float, slots: int, left: int) -> None:
    size = batch_size(game_s, slots, left)
    assert size >= 1
    assert size == 1 or size * 2 * slots < left + 2 * slots, "everybody gets two of the batches that are left"
    assert size == 1 or size * game_s <= 20 + game_s


def test_batches_grow_with_the_cluster_and_shrink_at_the_end() -> None:
    assert batch_size(None, 4, 1000) == 1
    assert batch_size(0.05, 2, 10_000) == 10
    assert batch_size(0.05, 1000, 10**7) == 100
    assert batch_size(0.05, 2, 12) == 3
    assert batch_size(60.0, 2, 10_000) == 1
