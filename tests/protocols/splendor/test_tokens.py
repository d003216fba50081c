"""How an answer is parsed into integers."""

from __future__ import annotations

import pytest

from arbiter.game import GarbledMove, IllegalMove

from .table import accepted, garbled, new_game, refused


@pytest.mark.parametrize(
    "answer",
    [
        "1 3 0 1 2",
        "1 3 0 1 2\n",
        "1 3 0 1 2\r\n",
        "1 3 0 1 2\r",
        "  1\t3\n0\v1\f2  ",
        "\n\n1\n3\n0\n1\n2",
        "1\r\n3 0\r\n\r\n1 2\r\n",
        "+1 +3 +0 +1 +2",
        "1 3 -0 1 2",
        "1 3 0 1 2" + " " * 60_000,
    ],
)
def test_any_white_space_crlf_a_missing_newline_and_signs_are_fine(answer: str) -> None:
    assert accepted(new_game(), 0, answer) == "1 3 0 1 2"


NOT_INTEGERS = ["03", "-01", "+", "-", "--1", "1.0", "1e0", "1_0", "0x1", "٣", "３", "²", "one", "1,", "−1"]
NOT_WHITE_SPACE = ["\x00", "\x1b[0m", "1\u00a02", "1\u20282", "1\x1c2", "1\x852", "\ufeff1"]


@pytest.mark.parametrize("word", [*NOT_INTEGERS, *NOT_WHITE_SPACE])
def test_anything_but_an_ascii_integer_is_garbled(word: str) -> None:
    garbled(new_game(), 0, f"1 1 {word}", "is not an integer")
    garbled(new_game(), 0, f"{word} 1 1", "is not an integer")


@pytest.mark.parametrize("answer", ["pass", "PASS", "", " ", "\r\n", "\n\n"])
def test_a_pass_cannot_be_asked_for_and_an_empty_answer_is_garbled(answer: str) -> None:
    with pytest.raises(GarbledMove):
        new_game().read(0, answer)


@pytest.mark.parametrize("action", ["0", "5", "-1", "+17"])
def test_an_unknown_action_is_garbled(action: str) -> None:
    garbled(new_game(), 0, f"{action} 1 0", f"unknown action '{int(action)}'")


@pytest.mark.parametrize("action", ["1", "2", "3", "4"])
def test_an_action_alone_is_garbled(action: str) -> None:
    garbled(new_game(), 0, action, f"action '{action}' must be followed by")


@pytest.mark.parametrize("answer", ["1 0 0", "1 1 2 3", "2 1 1", "3 -1 -1", "1 3 0 1 2 1 3 0 1 2"])
def test_extra_tokens_are_illegal(answer: str) -> None:
    refused(new_game(), 0, answer, "no chip may be returned")


LONG = ["9" * 65_536, "1 " * 32_768, "1 3 0 1 2 " + "0 " * 32_000, "1 1 " + "x" * 65_000, "-" * 65_536]
NASTY = [
    "\x00" * 65_536,
    "4 " + "1" * 5000,
    "\U0001f600" * 16_000,
    "\x1b[31m\n" * 10_000,
    "'\"\\" * 20_000,
    "\u2028" * 99,
]


@pytest.mark.parametrize("answer", [*LONG, *NASTY])
def test_a_reason_is_one_short_printable_line_whatever_the_answer(answer: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        new_game().read(0, answer)
    assert 0 < len(caught.value.reason) < 140
    assert caught.value.reason.isprintable()
    assert len(caught.value.reason.splitlines()) == 1


def test_the_reason_quotes_the_offending_word_and_shortens_it() -> None:
    garbled(new_game(), 0, "1 1 red", "'red' is not an integer")
    garbled(new_game(), 0, "x" * 50, "'" + "x" * 39 + "…' is not an integer")
