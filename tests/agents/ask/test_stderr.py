"""What is kept of standard error: the same however the bytes are cut into chunks, and never much."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.agents.ask.stderr import LINE_BYTES, PREFIX, TAIL_BYTES, TURN_LINES, StderrKeeper

Kept = tuple[list[str], list[str], str, int]

CUT = f"a kibitz longer than {LINE_BYTES} bytes was cut"

short = st.binary(max_size=12)
long = st.builds(lambda byte, count: bytes([byte]) * count, st.integers(0, 255), st.integers(4080, 4120))
lines = st.one_of(
    short,
    short.map(lambda text: PREFIX + text),
    long.map(lambda text: PREFIX + text),
    st.sampled_from(
        [b"kibitz", b"kibitz ", b" kibitz no", b"Kibitz no", PREFIX + b"crlf\r", PREFIX + "é".encode() * 2048]
    ),
)
texts = st.lists(lines, max_size=12).map(b"\n".join)


def keep(chunks: Sequence[bytes], *, gone: bool = True) -> Kept:
    keeper = StderrKeeper()
    for chunk in chunks:
        keeper.feed(chunk)
    if gone:
        keeper.finish()
    received, notes = keeper.received, list[str]()
    return keeper.take(notes), notes, keeper.tail(), received


def cut_at(text: bytes, places: Sequence[int]) -> list[bytes]:
    bounds = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(bounds)]


def plainly(text: bytes) -> tuple[list[str], bool]:
    """Return the kibitz lines and whether one was cut, computed in a slower and simpler way."""
    kept, cut = [], False
    for line in text.split(b"\n"):
        if line.startswith(PREFIX):
            words = line[len(PREFIX) :]
            shown = words[:LINE_BYTES].rstrip(b"\r").decode(errors="replace")
            kept.append(shown + " […]" if len(words) > LINE_BYTES else shown)
            cut = cut or len(words) > LINE_BYTES
    return kept, cut


@settings(deadline=None)
@given(texts, st.lists(st.integers(min_value=0), max_size=8), st.booleans())
def test_it_does_not_matter_where_the_chunks_are_cut(text: bytes, places: list[int], gone: bool) -> None:
    assert keep(cut_at(text, places), gone=gone) == keep([text], gone=gone)


@settings(deadline=None, max_examples=20)
@given(texts)
def test_one_byte_at_a_time_makes_no_difference(text: bytes) -> None:
    assert keep([bytes([byte]) for byte in text]) == keep([text])


@settings(deadline=None)
@given(texts)
def test_kibitz_lines_are_kept_without_their_prefix_and_nothing_else_is(text: bytes) -> None:
    kept, notes, tail, received = keep([text])
    expected, cut = plainly(text)
    assert kept == expected
    assert notes == [CUT] * cut
    assert tail == text[-TAIL_BYTES:].decode(errors="replace")
    assert received == len(text)


def test_an_unfinished_line_waits_for_its_end() -> None:
    keeper = StderrKeeper()
    keeper.feed(b"kibitz one\nkibitz tw")
    assert keeper.take([]) == ["one"]
    keeper.feed(b"o\n")
    assert keeper.take([]) == ["two"]


def test_an_unfinished_line_counts_once_the_agent_is_gone() -> None:
    keeper = StderrKeeper()
    keeper.feed(b"kibitz last wor")
    keeper.finish()
    keeper.finish()
    assert keeper.take([]) == ["last wor"]


def test_a_line_as_long_as_allowed_is_not_cut_and_one_byte_more_is() -> None:
    assert keep([PREFIX + b"x" * LINE_BYTES + b"\n"])[:2] == (["x" * LINE_BYTES], [])
    assert keep([PREFIX + b"x" * (LINE_BYTES + 1) + b"\n"])[:2] == (["x" * LINE_BYTES + " […]"], [CUT])


def test_a_line_that_contains_the_sign_of_a_cut_has_not_been_cut() -> None:
    assert keep(["kibitz and so on […]\n".encode()])[:2] == (["and so on […]"], [])


def test_a_cut_is_noted_in_its_own_turn_only() -> None:
    keeper, notes = StderrKeeper(), list[str]()
    keeper.feed(PREFIX + b"x" * 5000 + b"\n")
    keeper.take(notes)
    keeper.feed(b"kibitz short\n")
    assert keeper.take(notes) == ["short"]
    assert notes == [CUT]


def test_lines_beyond_the_most_in_a_turn_are_counted_and_left_out() -> None:
    keeper, notes = StderrKeeper(), list[str]()
    keeper.feed(b"".join(b"kibitz %d\n" % number for number in range(TURN_LINES + 7)))
    assert keeper.take(notes) == [str(number) for number in range(TURN_LINES)]
    assert notes == [f"7 kibitz lines beyond {TURN_LINES} in a turn were left out"]
    keeper.feed(b"kibitz again\n")
    assert keeper.take(notes) == ["again"]
    assert len(notes) == 1


def test_received_bytes_are_counted_per_turn_and_the_tail_goes_on() -> None:
    keeper = StderrKeeper()
    keeper.feed(b"abc")
    assert keeper.received == 3
    keeper.take([])
    assert keeper.received == 0
    keeper.feed(b"de")
    assert (keeper.received, keeper.tail()) == (2, "abcde")


def test_lines_that_are_not_kibitz_are_not_processed_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a flood of newlines would take time from agents that are thinking."""
    looked: list[bytes] = []
    look = StderrKeeper._line

    def look_and_note(keeper: StderrKeeper, line: bytes) -> None:
        looked.append(line)
        look(keeper, line)

    monkeypatch.setattr(StderrKeeper, "_line", look_and_note)
    keeper, notes = StderrKeeper(), list[str]()
    keeper.feed(b"\n" * 10_000 + b"kibitz found\n" + b"\n" * 10_000 + b"kibitz too\nx")
    assert keeper.take(notes) == ["found", "too"]
    assert looked == [b"", b"kibitz found", b"kibitz too"]
    keeper.feed(b"\n" + b"kibitz\n" * 10 + b"kibitz \n" * 10_000)
    assert len(keeper.take(notes)) == TURN_LINES
    assert len(looked) <= TURN_LINES + 5
    assert notes == [f"{10_000 - TURN_LINES} kibitz lines beyond {TURN_LINES} in a turn were left out"]
