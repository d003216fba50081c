"""A person at the terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.human import Abandoned, Terminal
from arbiter.agents.ask.table import Request, Seat, Table
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.game import Chance, Game, Options
from arbiter.seat_names import SeatNames
from tests.agents.ask.harness import terms
from tests.nullgame import auction, count_up
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write

OPTIONS: Options = {"turns": 4, "bonus": False, "pace": "slow"}


class AtTheTerminal:
    """What people type, and what is on the screen."""

    def __init__(self, game: Game, typed: str, humans: dict[int, str] | None = None) -> None:
        self.screen, self.game = StringIO(), game
        self.terminal = Terminal(
            game,
            humans or {0: "Ada"},
            names=SeatNames(count_up.protocol, ["Ada", "bot", "Bob"]),
            rules="type 1, 2 or 3",
            read=StringIO(typed),
            write=lambda text: (self.screen.write(text), None)[1],
        )
        self.people = self.terminal.respondents()

    def ask(self, seat: int) -> Answer:
        self.people[seat].put(Request(seat, self.game.prompt(seat), self.game.briefing))
        return self.people[seat].answer()

    @property
    def shown(self) -> str:
        return self.screen.getvalue()


@pytest.fixture
def counting() -> Game:
    return count_up.protocol.start(1, OPTIONS, {"start": 40, "first": 0}, Chance(1))


def test_the_board_the_rules_and_a_question_are_shown(counting: Game) -> None:
    terminal = AtTheTerminal(counting, "2\n")
    answer = terminal.ask(0)
    assert (answer.seat, answer.text, answer.fault) == (0, "2", None)
    assert terminal.shown == (
        "\ntotal 40, scores [0]\ntype 1, 2 or 3\n('?' shows this again, 'quit' leaves the game)\nAda, your move: "
    )


def test_the_rules_are_shown_once_and_whenever_asked(counting: Game) -> None:
    terminal = AtTheTerminal(counting, "2\n\n?\n3\n")
    terminal.ask(0)
    terminal.ask(0)
    assert terminal.shown.count("type 1, 2 or 3") == 3


def test_an_illegal_move_is_explained_and_asked_again(counting: Game) -> None:
    terminal = AtTheTerminal(counting, "9\nnine\n1\n")
    answer = terminal.ask(0)
    assert (answer.text, answer.fault) == ("1", None)
    assert "  illegal move: add 1, 2 or 3 ('?' shows what to type)\nAda, your move:" in terminal.shown
    assert "  illegal move: 'nine' is not a number ('?' shows what to type)\nAda, your move:" in terminal.shown


@pytest.mark.parametrize("typed", ["quit\n", "9\nquit\n", "", "9"])
def test_quitting_or_the_end_of_input_leaves_the_game(counting: Game, typed: str) -> None:
    with pytest.raises(Abandoned, match=r"^Ada left the game; what was played so far is saved$"):
        AtTheTerminal(counting, typed).ask(0)


def test_time_is_measured_but_a_person_has_no_limit(counting: Game) -> None:
    answer = AtTheTerminal(counting, "2\n").ask(0)
    assert answer.wall_ns == answer.charged_ns > 0


def test_people_are_asked_before_the_clocks_of_agents_start() -> None:
    game = auction.protocol.start(3, {"rounds": 1}, {"prize": 5}, Chance(1))
    at = AtTheTerminal(game, "3\n4\n", {0: "Ada", 2: "Bob"})
    screens: list[str] = []

    def briefing(seat: int) -> str:  # asked for when the agent's process is about to start
        screens.append(at.shown)
        return ""

    agent = Seat(Launch(["/bin/sh", "-c", "read -r prompt; echo 7"], "/", {}), terms(), "game")
    with Table([agent, agent, agent], respondents=at.people) as table:
        answers = table.ask([Request(seat, "?\n", briefing) for seat in range(3)])
        assert [(answer.seat, answer.text) for answer in answers] == [(0, "3"), (1, "7"), (2, "4")]
        assert [screen.count("your move: ") for screen in screens] == [2]


def test_at_the_end_every_person_is_told_the_news_and_the_board_is_shown_once() -> None:
    game = auction.protocol.start(2, {"rounds": 1}, {"prize": 5}, Chance(1))
    at = AtTheTerminal(game, "", {0: "Ada", 1: "Bob"})
    for seat, person in at.people.items():
        person.finish(game.final_message(seat))
    assert at.shown == "\nprize 5, scores [0, 0]\n"


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
    terminal = AtTheTerminal(game, "2\n1\n")
    for turn, seat, move in ((1, 0, "2"), (2, 1, "3")):
        if seat == 0:
            terminal.ask(0)
        terminal.terminal.see(turn, seat, move, "late" if seat else "")
        game.play({seat: move})
    before = len(terminal.shown)
    terminal.ask(0)
    told, _, _ = terminal.shown[before:].partition("\n\n")
    assert told.splitlines()[-2:] == ["bot (seat 1): adds 3  [late]", f"  {game.display().events()[0]}"]
    assert "Ada (seat 0): adds" not in terminal.shown, "people know what they did themselves"


def test_everything_is_reported_once() -> None:
    game = auction.protocol.start(2, {"rounds": 3}, {"prize": 5}, Chance(1))
    terminal = AtTheTerminal(game, "3\n4\n")
    for seat, move in ((0, "3"), (1, "7")):
        terminal.terminal.see(1, seat, move)
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
