"""Text for people: the board, moves and events in words, and the page for agent authors."""

from __future__ import annotations

import re
from typing import Any

import pytest

from arbiter.game import Chance, Game
from arbiter.testing import defaults, playthrough
from protocols.green_circle import protocol
from tests.protocols.green_circle.positions import B, D, game_of, play
from tests.protocols.green_circle.test_conformance import any_action
from tests.tools import ROOT

PAGE = (ROOT / "protocols" / "green_circle" / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, re.DOTALL)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


# ---- the board


@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_board_fits_in_100_columns_all_game_long(level: int) -> None:
    widest = []

    def measure(game: Game) -> None:
        lines = [line for seat in (None, 0, 1) for line in plain(game.display().board(seat)).splitlines()]
        widest.append(max(map(len, lines)))

    playthrough(protocol, any_action, seats=2, seed=3, options={"level": level}, after_turn=measure)
    assert max(widest) <= 100


def test_the_whole_board_shows_every_pile() -> None:
    game = game_of(3, mine={"hand": [0, 0, D], "discard": [4]}, theirs={"hand": [B], "draw": [6], "automated": [7]})
    lines = plain(game.display().board()).splitlines()
    assert " hand           2      ·      ·      ·      ·      ·      ·      ·      ·      1" in lines
    assert " hand           ·      ·      ·      ·      ·      ·      ·      ·      1      ·" in lines
    assert " automated      ·      ·      ·      ·      ·      ·      ·      1      ·      ·" in lines
    assert "seat 0: released 0  outside" in lines
    assert " technical debt 3  active DAILY_ROUTINE 0, ARCHITECTURE_STUDY 0" in lines


def test_the_board_of_a_seat_hides_where_the_cards_of_the_other_are() -> None:
    game = game_of(3, theirs={"hand": [B], "draw": [6], "discard": [7]})
    lines = plain(game.display().board(0)).splitlines()
    assert " cards          ·      ·      ·      ·      ·      ·      1      1      1      ·" in lines
    assert sum(line.startswith(" hand") for line in lines) == 1
    assert sum(line.startswith(" discard") for line in lines) == 0


def test_the_board_says_who_stands_where_and_what_may_be_answered() -> None:
    game = play(game_of(3, mine={"hand": [6, 7, D]}, theirs={"location": 5}), "MOVE 3")
    text = plain(game.display().board())
    assert "visited by                           0             1\n" in text
    assert text.endswith(
        "seat 0 may answer\n  CODE_REVIEW, REFACTORING, TASK_PRIORITIZATION 6 0, " + text.split("6 0, ")[1]
    )
    assert text.startswith("Green Circle  level 3, phase 2 of 200, seat 0 to answer PLAY_CARD\n")


def test_the_board_after_a_defeat() -> None:
    game = game_of(3)
    game.play({0: "defeat late"})
    text = plain(game.display().board())
    assert text.startswith("Green Circle  level 3, phase 1 of 200, game over\n")
    assert "seat 0: released 0  outside  defeated\n" in text


# ---- moves and events


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("MOVE 4", "moves to desk 4 (ARCHITECTURE_STUDY)"),
        ("MOVE 4 5", "moves to desk 4 (ARCHITECTURE_STUDY) and takes the card of desk 5 (CONTINUOUS_INTEGRATION)"),
        ("GIVE 8", "gives a BONUS card"),
        ("THROW 4", "throws an ARCHITECTURE_STUDY card"),
        ("TRAINING", "plays TRAINING"),
        ("TASK_PRIORITIZATION 8 0", "plays TASK_PRIORITIZATION: returns a BONUS card and wants a TRAINING card"),
        ("CONTINUOUS_INTEGRATION 8", "plays CONTINUOUS_INTEGRATION on a BONUS card"),
        ("RELEASE 0", "releases application 0 (4 TRAINING and 4 CODING) with 5 shoddy skills"),
        ("RANDOM", "leaves the choice to chance"),
        ("defeat not started", "loses at once (not started)"),
    ],
)
def test_moves_in_words(move: str, words: str) -> None:
    assert game_of(3, mine={"hand": [0, B, D]}).display().describe(0, move) == words


def test_wait_in_words_depends_on_the_phase() -> None:
    game = play(game_of(3, mine={"hand": [0, 0, 1, 1]}), "MOVE 7")
    assert game.display().describe(0, "WAIT") == "plays no card"
    play(game, "WAIT")
    assert game.display().describe(0, "WAIT") == "releases nothing"
    assert game.display().describe(0, "RELEASE 0") == "releases application 0 (4 TRAINING and 4 CODING) in good quality"


def test_events_tell_of_gifts_cards_taken_and_draws() -> None:
    game = game_of(2, mine={"hand": [B, D, D]}, theirs={"location": 2})
    play(game, "MOVE 1")
    assert game.display().events() == (
        "seat 0 gives seat 1 a BONUS card",
        "seat 0 takes a CODING card",
        "seat 0 draws BONUS, TECHNICAL_DEBT, BONUS, TECHNICAL_DEBT",
    )


def test_a_person_is_not_told_what_the_other_seat_draws() -> None:
    game = game_of(2, mine={"hand": [B, D, D]}, theirs={"location": 2})
    play(game, "MOVE 1")
    assert list(game.display().news(0)) == list(game.display().events())
    assert list(game.display().news(1)) == ["seat 0 gives seat 1 a BONUS card", "seat 0 takes a CODING card"]


def test_events_tell_of_releases_and_their_debt() -> None:
    game = play(game_of(1, mine={"hand": [3, 4, D]}, stock={1: 0, B: 0}), "MOVE 1", "RELEASE 0")
    assert game.display().events()[:2] == (
        "seat 0 has released 1 application",
        "seat 0 gets 2 technical debt cards for shoddy work on application 0",
    )


def test_events_are_those_of_the_last_play_only() -> None:
    game = game_of(3, mine={"hand": [6, 7, B]})
    assert game.display().events() == ()
    play(game, "MOVE 1")
    assert game.display().events() == ("seat 0 takes a CODING card",)
    game.play({0: "defeat late"})
    assert game.display().events() == ()


def test_events_say_what_chance_picked() -> None:
    game = play(game_of(3, mine={"hand": [6, 7, B]}, seed=1), "RANDOM")
    desk = game.view()["teams"][0]["location"]
    assert game.display().events()[0].startswith(f"chance picks MOVE {desk}: seat 0 moves to desk {desk} (")


# ---- the page


def test_the_example_on_the_page_is_what_is_really_sent() -> None:
    options = defaults(protocol)
    setup = protocol.setup(2, options, Chance(1, "setup"))
    game = protocol.start(2, options, setup, Chance(1))
    (example,) = [text for kind, text in BLOCKS if kind == "text" and text.startswith("RELEASE\n10\n")]
    while game.result() is None:
        (seat,) = game.to_move()
        if game.prompt(seat) == example:
            return
        game.play({seat: game.view()["actions"][0]})
    raise AssertionError("the example on the page never comes up")


def test_the_agent_on_the_page_plays_whole_games_at_every_level() -> None:
    (source,) = [text for kind, text in BLOCKS if kind == "python"]
    code = compile(source, "agent on the page", "exec")

    def answer(game: Game, seat: int, _: object) -> str:
        lines, said = iter(game.prompt(seat).splitlines()), []

        def read_line() -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        world: dict[str, Any] = {"input": read_line, "print": lambda text, flush=False: said.append(text)}
        with pytest.raises(EOFError):
            exec(code, world)
        assert next(lines, None) is None, "the agent did not read its whole input"
        (only,) = said
        return str(only)

    for level in (1, 2, 3, 4):
        played = playthrough(protocol, answer, seats=2, seed=level, options={"level": level})
        assert not any(turn.faults for turn in played.turns)
        assert played.result is not None


def test_the_setup_on_the_page_starts_a_game() -> None:
    import json

    (example,) = [json.loads(text) for kind, text in BLOCKS if kind == "json"]
    assert "draws" in example
    protocol.start(2, defaults(protocol), example, Chance(0))


def test_the_page_names_every_option_and_limit() -> None:
    for option in protocol.options:
        assert f"`{option.name}`" in PAGE
    for limit in ("50 ms", "1 second", "768 MB", "64 KB"):
        assert limit in PAGE
