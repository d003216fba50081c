"""The terminal drawing."""

from __future__ import annotations

import re

from .table import empty_deck, hand, new_game, on_board, own_bonuses, show, turn


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


OPENING = """\
Splendor  round 1, seat 0 to move    r red  g green  b blue  w white  k black

         ╭ 3 ───── 3 ╮ ╭ 9 ───── 3 ╮
nobles   │ 4b 4w     │ │ 3r 3w 3k  │
         ╰───────────╯ ╰───────────╯
         ╭ 71 red ──── 4 ╮ ╭ 77 green ── 5 ╮ ╭ 83 blue ─── 4 ╮ ╭ 90 black ── 3 ╮
level 3  │    7g         │ │    3g 7b      │ │       3b 6w 3k│ │ 3r 5g 3b 3w   │
16 more  ╰───────────────╯ ╰───────────────╯ ╰───────────────╯ ╰───────────────╯
         ╭ 41 red ──── 2 ╮ ╭ 57 green ── 2 ╮ ╭ 69 white ── 1 ╮ ╭ 50 black ── 3 ╮
level 2  │             5k│ │       2b 4w 1k│ │ 3r    3b 2w   │ │             6k│
26 more  ╰───────────────╯ ╰───────────────╯ ╰───────────────╯ ╰───────────────╯
         ╭ 1 red ────────╮ ╭ 17 green ✓ ───╮ ╭ 14 white ── 1 ╮ ╭ 25 black ✓ ───╮
level 1  │          3w   │ │ 2r    2b      │ │    4g         │ │ 1r 1g 1b 1w   │
36 more  ╰───────────────╯ ╰───────────────╯ ╰───────────────╯ ╰───────────────╯

             0 red  1 green   2 blue  3 white  4 black   5 gold
bank             2        4        2        4        4        3
▶ seat 0: 0 points
    cards        ·        ·        ·        ·        ·
    chips        2        ·        2        ·        ·        2   6 of 10
"""


def test_the_table_is_drawn() -> None:
    game = new_game(1)
    for slot, card in enumerate((1, 17, 14, 25)):
        show(game, card, slot)
    for slot, card in enumerate((41, 57, 69, 50)):
        show(game, card, slot)
    for slot, card in enumerate((71, 77, 83, 90)):
        show(game, card, slot)
    on_board(game, 3, 9)
    hand(game, 0, 2, 0, 2, 0, 0, 2)
    assert plain(game.display().board()) == OPENING


def test_the_widest_reserve_fits_too() -> None:
    game = new_game(1)
    own_bonuses(game, 0, *[7] * 5)
    game.position.players[0].reserve[:] = [87, 89, 90]
    game.position.players[0].nobles[:] = [10, 9]
    lines = plain(game.display().board(0)).splitlines()
    assert "\n".join(lines[-2:]).count("✓") == 3
    assert max(map(len, lines)) <= 80


def test_a_card_reserved_from_a_deck_is_shown_to_its_owner_and_in_the_full_view() -> None:
    game = new_game(2)
    card = game.position.decks[2][-1]
    turn(game, "3 -3")
    face = f"keeps {card} "
    assert face in plain(game.display().board(0))
    assert face in plain(game.display().board())
    assert face not in plain(game.display().board(1))
    assert "keeps a level 3 card" in plain(game.display().board(1))


def test_a_card_reserved_face_up_is_shown_to_every_seat() -> None:
    game = new_game(2)
    show(game, 55)
    turn(game, "3 55")
    assert "keeps 55 black 2p 3r 5g" in plain(game.display().board(1))


def test_an_empty_slot_and_the_last_round_are_shown() -> None:
    game = new_game(2)
    empty_deck(game, 3)
    game.position.players[1].points = 15
    turn(game, f"3 {game.position.rows[2][0]}")
    drawn = plain(game.display().board(0))
    assert "empty" in drawn
    assert "0 more" in drawn
    assert "seat 1 to move, last round" in drawn
    assert "\n  seat 0, you: 0 points\n    cards" in drawn
    turn(game, "1 0")
    assert "the game is over" in plain(game.display().board(0))
    assert "▶" not in plain(game.display().board())


def test_ticks_are_for_the_seat_that_looks() -> None:
    game = new_game(2)
    for slot, card in enumerate((1, 17, 14, 25)):
        show(game, card, slot)
    hand(game, 1, 2, 0, 2, 0, 0, 0)
    assert "✓" not in game.display().board(0)
    assert plain(game.display().board(1)).count("✓") == 1
