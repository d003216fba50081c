"""A person at the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import cast

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.human import Abandoned, TableWithHumans
from arbiter.agents.ask.table import Request, Table
from arbiter.game import Chance, Game, Options
from arbiter.seat_names import SeatNames
from tests.nullgame import auction, count_up
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

OPTIONS: Options = {"turns": 4, "bonus": False, "pace": "slow"}


class Others:
    """Stands in for the table of agents: always bids 7."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        return [Answer(request.seat, "7", 1) for request in requests]

    def clocks(self) -> dict[int, int]:
        return {}

    def peaks(self) -> dict[int, int]:
        return {}

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        yield 1, [f"heard: {text(1)}"]


class Terminal:
    """What a person types, and what is on the screen."""

    def __init__(self, game: Game, typed: str, humans: dict[int, str] | None = None) -> None:
        self.screen, self.game = StringIO(), game
        self.table = TableWithHumans(
            cast(Table, Others()),
            game,
            humans or {0: "Ada"},
            names=SeatNames(count_up.protocol, ["Ada", "bot", "Bob"]),
            rules="type 1, 2 or 3",
            read=StringIO(typed),
            write=lambda text: (self.screen.write(text), None)[1],
        )

    def ask(self, *seats: int) -> list[Answer]:
        return self.table.ask([Request(seat, self.game.prompt(seat), self.game.briefing) for seat in seats])

    @property
    def shown(self) -> str:
        return self.screen.getvalue()


@pytest.fixture
def counting() -> Game:
    return count_up.protocol.start(1, OPTIONS, {"start": 40, "first": 0}, Chance(1))


def test_the_board_the_rules_and_a_question_are_shown(counting: Game) -> None:
    terminal = Terminal(counting, "2\n")
    (answer,) = terminal.ask(0)
    assert (answer.seat, answer.text, answer.fault) == (0, "2", None)
    assert terminal.shown == (
        "\ntotal 40, scores [0]\ntype 1, 2 or 3\n('?' shows this again, 'quit' leaves the game)\nAda, your move: "
    )


def test_the_rules_are_shown_once_and_whenever_asked(counting: Game) -> None:
    terminal = Terminal(counting, "2\n\n?\n3\n")
    terminal.ask(0)
    terminal.ask(0)
    assert terminal.shown.count("type 1, 2 or 3") == 3


def test_an_illegal_move_is_explained_and_asked_again(counting: Game) -> None:
    terminal = Terminal(counting, "9\nnine\n1\n")
    (answer,) = terminal.ask(0)
    assert (answer.text, answer.fault) == ("1", None)
    assert "  illegal move: add 1, 2 or 3 ('?' shows what to type)\nAda, your move:" in terminal.shown
    assert "  illegal move: 'nine' is not a number ('?' shows what to type)\nAda, your move:" in terminal.shown


@pytest.mark.parametrize("typed", ["quit\n", "9\nquit\n", "", "9"])
def test_quitting_or_the_end_of_input_leaves_the_game(counting: Game, typed: str) -> None:
    with pytest.raises(Abandoned, match=r"^Ada left the game; what was played so far is saved$"):
        Terminal(counting, typed).ask(0)


def test_time_is_measured_but_a_person_has_no_limit(counting: Game) -> None:
    (answer,) = Terminal(counting, "2\n").ask(0)
    assert answer.wall_ns == answer.charged_ns > 0


def test_people_and_agents_answer_in_the_order_of_the_seats() -> None:
    game = auction.protocol.start(3, {"rounds": 1}, {"prize": 5}, Chance(1))
    terminal = Terminal(game, "3\n4\n", {0: "Ada", 2: "Bob"})
    answers = terminal.ask(0, 1, 2)
    assert [(answer.seat, answer.text) for answer in answers] == [(0, "3"), (1, "7"), (2, "4")]


def test_at_the_end_people_see_the_board_and_agents_hear_the_final_message() -> None:
    game = auction.protocol.start(2, {"rounds": 1}, {"prize": 5}, Chance(1))
    terminal = Terminal(game, "")
    assert list(terminal.table.finish(game.final_message)) == [(1, ["heard: sold, you have 0\n"])]
    assert terminal.shown == "\nprize 5, scores [0, 0]\n"


def test_a_whole_game_at_the_terminal(place: Path) -> None:
    ran = arbiter(
        "play", "count_up", "Ada=human", adder(place, "bot", 1), "-o", "turns=4", "--seed", "1", typed="9\n3\n3\n"
    )
    assert ran.code == 0
    assert "Ada wins" in ran.out
    assert "illegal move: add 1, 2 or 3" in ran.err
    assert arbiter("verify", "matches/games").code == 0


def test_a_game_that_was_left_is_saved_so_far(place: Path) -> None:
    ran = arbiter("play", "count_up", "human", "-o", "turns=4", "--seed", "1", typed="3\nquit\n")
    assert ran.code == 2
    (record,) = (place / "matches" / "games").iterdir()
    saved = record.relative_to(place)
    assert ran.err.endswith(f"arbiter: human left the game; what was played so far is saved in {saved}\n")
    assert "\x1b" not in ran.err, "no colours where there is no terminal"
    verified = arbiter("verify", "matches/games")
    assert (verified.code, "unfinished, correct up to turn 1" in verified.out) == (0, True)


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_letters_of_another_encoding_do_not_crash(place: Path, errors: str) -> None:
    ran = arbiter(
        "play",
        "count_up",
        "human",
        "-o",
        "turns=1",
        raw=b"gr\xfc\xdfe\n3 gr\xfc\xdfe\n",
        environment={"PYTHONIOENCODING": f"utf-8:{errors}"},
    )
    assert ran.code == 0
    assert "illegal move: 'gr��e' is not a number" in ran.err


def test_a_person_sees_what_the_others_did_since_the_last_question() -> None:
    game = count_up.protocol.start(2, {**OPTIONS, "bonus": True}, {"start": 40, "first": 0}, Chance(7))
    terminal = Terminal(game, "2\n1\n")
    for turn, seat, move in ((1, 0, "2"), (2, 1, "3")):
        if seat == 0:
            terminal.ask(0)
        terminal.table.see(turn, seat, move, "late" if seat else "")
        game.play({seat: move})
    before = len(terminal.shown)
    terminal.ask(0)
    told, _, _ = terminal.shown[before:].partition("\n\n")
    assert told.splitlines()[-2:] == ["bot (seat 1): adds 3  [late]", f"  {game.events()[0]}"]
    assert "Ada (seat 0): adds" not in terminal.shown, "people know what they did themselves"


def test_everything_is_reported_once() -> None:
    game = auction.protocol.start(2, {"rounds": 3}, {"prize": 5}, Chance(1))
    terminal = Terminal(game, "3\n4\n")
    for seat, move in ((0, "3"), (1, "7")):
        terminal.table.see(1, seat, move)
    game.play({0: "3", 1: "7"})
    terminal.ask(0)
    terminal.ask(0)
    assert terminal.shown.count("bot (seat 1): 7") == 1


def test_a_person_may_abbreviate_where_the_game_allows_it_and_an_agent_may_not(place: Path) -> None:
    heroes = {f"{name}=human": letter for name, letter in (("Ada", "n"), ("Bob", "E"), ("Cid", "."))}
    agent = write(place / "short.sh", "read -r state\necho w\n")
    words = ["-o", "rounds=2", "--seed", "1", "--verbose"]
    ran = arbiter("play", "heroes", *heroes, str(agent), *words, typed="n\nE\n.\ns\nW\n.\n")
    assert ran.code == 0
    assert "Ada (hero 1): goes south" in ran.out
    assert "Bob (hero 2): goes west" in ran.out
    assert "Ada (hero 1): goes north" in ran.out
    assert "Bob (hero 2): goes east" in ran.out
    assert "Cid (hero 3): stays" in ran.out
    assert "short (hero 4): garbled, unknown direction 'w'" in ran.out
    assert "\nBob (hero 2): goes east" in ran.err, "the person after is told"
