"""Agents are named where the rules know only seats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.game import Protocol, columns, padded, wrapped
from arbiter.seat_names import LONGEST_NAME, SeatNames
from arbiter.text import cut, fitted, safe, widest
from protocols.drones import protocol as drones
from protocols.heroes import protocol as heroes
from protocols.splendor import protocol as splendor
from tests.nullgame import auction, count_up


@pytest.mark.parametrize(
    ("protocol", "text", "said"),
    [
        (drones, "seat 0 attacks", "ann (seat 0) attacks"),
        (drones, "the coin falls for seat 1", "the coin falls for bob (seat 1)"),
        (drones, "each seat wins 2 of 5 rounds", "each seat wins 2 of 5 rounds"),
        (splendor, "Noble 3 visits seat 0", "Noble 3 visits ann (player 1)"),
        (splendor, "Seat 1 has 15 points", "bob (player 2) has 15 points"),
        (splendor, "seats 0, 1 and 2 share the win", "ann (player 1), bob (player 2) and cid (player 3) share the win"),
        (splendor, "seat 0, 3 points", "ann (player 1), 3 points"),
        (heroes, "hero 1 kills hero 4", "ann (hero 1) kills dan (hero 4)"),
        (heroes, "heroes 2 and 3 tie with 9 gold", "bob (hero 2) and cid (hero 3) tie with 9 gold"),
        (heroes, "hero 5 and seat 9 do not exist", "hero 5 and seat 9 do not exist"),
        (splendor, "reseat 0, seat 0x, seat 10", "reseat 0, seat 0x, seat 10"),
    ],
)
def test_seats_in_sentences_become_agents(protocol: Protocol, text: str, said: str) -> None:
    names = ["ann", "bob", "cid", "dan"][: protocol.seats[1]]
    assert SeatNames(protocol, names).in_words(text) == said


def test_a_name_that_looks_like_a_seat_is_not_replaced_again() -> None:
    names = SeatNames(count_up.protocol, ["seat 1", "seat 0"])
    assert names.in_words("seat 0 beats seat 1") == "seat 1 (seat 0) beats seat 0 (seat 1)"


@given(st.text(max_size=80))
def test_names_are_safe_and_bounded(name: str) -> None:
    (shown,) = SeatNames(count_up.protocol, [name]).short
    assert shown.isprintable()
    assert columns(shown) <= LONGEST_NAME


def test_a_game_that_does_not_know_its_agents_speaks_of_seats() -> None:
    game = auction.protocol.start(2, {"rounds": 1}, {"prize": 5}, None)  # type: ignore[arg-type]
    assert game.display().who(1) == "seat 1"
    assert SeatNames(auction.protocol, ["ann", "bob"]).display(game).who(1) == "bob (seat 1)"


# -- widths


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("長い", 4), ("🦊", 2), ("\x1b[31mred\x1b[0m", 3), ("é", 1)])
def test_the_columns_of_a_text(text: str, width: int) -> None:
    assert columns(text) == width
    assert columns(padded(text, 9)) == 9


@given(st.text().map(safe), st.integers(2, 40))
def test_a_cut_text_fits(text: str, most: int) -> None:
    assert columns(cut(text, most)) <= most
    assert cut(text, most) == text or cut(text, most).endswith("…")


@given(st.lists(st.text("ab長🦊", min_size=1, max_size=9), min_size=1), st.integers(12, 40))
def test_a_wrapped_text_fits_and_loses_nothing(words: list[str], width: int) -> None:
    lines = wrapped(" ".join(words), width, first="> ", margin="  ")
    assert [word for line in lines for word in line[2:].split(" ")] == words
    assert all(columns(line) <= max(width, 2 + 18) for line in lines)


@given(
    st.lists(st.text("abc d長🦊", max_size=60), min_size=1, max_size=4),
    st.lists(st.text("x y", max_size=60), min_size=4),
)
def test_a_fitted_table_fits(names: list[str], notes: list[str]) -> None:
    rows = [[name, 12345, note] for name, note in zip(names, notes, strict=False)]
    shown = fitted(rows, ["agent", "a long heading", "note"], (1,), width=50, wrap=[2], shorten=[0])
    assert widest(shown) <= 50


def test_a_heading_is_broken_only_in_a_table_that_is_too_wide() -> None:
    rows = [["greedy", "53ms"], ["random", "51ms"]]
    assert fitted(rows, ["agent", "mean think"], (1,), width=18) == (
        "agent   mean think\n------  ----------\ngreedy        53ms\nrandom        51ms"
    )
    assert fitted(rows, ["agent", "mean think"], (1,), width=17).startswith("agent    mean\n        think\n")


def test_a_percent_sign_stays_with_its_number() -> None:
    assert wrapped("1: 50 % (38–62), 2: 42 % (9–88)", 22) == ["1: 50 % (38–62), 2:", "42 % (9–88)"]


def test_a_wrapped_text_keeps_its_blanks() -> None:
    assert wrapped("  WAIT      nothing at all", 24, margin="    ") == ["  WAIT      nothing at", "    all"]
