"""Lines that are read in columns are read as a JSON decoder reads them, and any others are left to it."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.format import AnswerLine
from arbiter.records.packed.answers import Answers, from_lines
from arbiter.records.packed.lines import decode_answers
from arbiter.records.packed.plain_lines import read_plain_lines

encode_lines = msgspec.json.Encoder().encode_lines
times = st.integers(0, 99_999_999)
lines = st.builds(
    AnswerLine, turn=st.integers(0, 999), seat=st.integers(0, 127), wall_us=times, cpu_us=times, charged_us=times,
    move=st.text(st.characters(codec="ascii", exclude_categories=["Cc"], exclude_characters='"\\'), max_size=9),
    waited_us=st.one_of(st.just(0), times),
)  # fmt: skip
games = st.lists(st.lists(lines, max_size=3), min_size=1, max_size=3)


def as_lists(answers: Answers) -> list[list[object]]:
    return [list(column.tolist()) for column in answers]


@given(games)
def test_plain_lines_are_read(plain: list[list[AnswerLine]]) -> None:
    texts = list(map(encode_lines, plain))
    answers, fits = read_plain_lines(texts)
    assert fits.all()
    assert as_lists(answers) == as_lists(from_lines(list(map(decode_answers, texts))))


@given(games, st.data())
def test_what_is_read_is_exactly_what_the_arbiter_writes(plain: list[list[AnswerLine]], data: st.DataObject) -> None:
    texts = list(map(encode_lines, plain))
    number = data.draw(st.integers(0, len(texts) - 1))
    at = data.draw(st.integers(0, len(texts[number])))
    cut = at + data.draw(st.integers(0, 2))
    some = st.sampled_from([b"0", b"7", b"-", b" ", b'"', b"\\n", b"\n", b"}", b",", b"\xff", b"\x1f", b'"left_us":5,'])
    damaged = texts[number][:at] + data.draw(some) + texts[number][cut:]
    texts[number] = damaged if damaged.endswith(b"\n") else damaged + b"\n"
    answers, fits = read_plain_lines(texts)
    assert all(fits[other] for other in range(len(texts)) if other != number)
    if fits[number]:
        ((counts, *columns),) = [as_lists(answers)]
        start = sum(counts[:number])  # type: ignore[arg-type]
        own = [column[start : start + counts[number]] for column in columns]  # type: ignore[operator]
        decoded = decode_answers(texts[number])
        assert own == as_lists(from_lines([decoded]))[1:]
        if all(line.waited_us or b'"waited_us":0' not in texts[number] for line in decoded):
            assert encode_lines(decoded) == texts[number]
