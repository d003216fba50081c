"""``arbiter.testing``: it passes games that keep the contract and catches those that do not."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest

from arbiter.game import Chance, Display, Fault, Game, IllegalMove, Json, Move, Options, Protocol, Result
from arbiter.testing import (
    CHECKS,
    BrokenPromiseError,
    CheckedProtocol,
    check_all,
    conformance,
    defaults,
    playthrough,
    replay,
    transcript,
)
from tests.nullgame import auction, count_up


def count(game: Game, seat: int, rng: random.Random) -> str:
    return rng.choice(["1", "2", "3 hello", " +3 ", "9", "0", "x", ""])


def bid(game: Game, seat: int, rng: random.Random) -> str:
    return str(rng.randrange(12))


@pytest.mark.parametrize("seed", range(5))
def test_the_null_games_keep_the_contract(seed: int) -> None:
    counted = playthrough(count_up.protocol, count, seats=3, seed=seed, options={"turns": 30, "bonus": True})
    assert counted.result is not None
    replay(counted)
    sold = playthrough(auction.protocol, bid, seats=3, seed=seed)
    assert sold.result is not None
    replay(sold)


def test_a_playthrough_can_be_read() -> None:
    played = playthrough(count_up.protocol, lambda *_: "9", seats=1, seed=1, options={"turns": 1, "bonus": True})
    lines = transcript(played).splitlines()
    assert lines[0] == "Count up, version 1, seed 1, 1 seats"
    assert "--- because illegal: add 1, 2 or 3" in lines
    assert any(line.startswith("--- chance [") for line in lines)


def test_a_playthrough_may_be_stopped() -> None:
    played = playthrough(count_up.protocol, lambda *_: "1", seats=1, max_turns=2)
    assert played.result is None
    assert len(played.turns) == 2


def test_options_are_checked() -> None:
    assert defaults(count_up.protocol, {"turns": "3"}) == {"turns": 3, "bonus": False, "pace": "slow"}
    with pytest.raises(ValueError, match="count_up has no option 'speed'"):
        defaults(count_up.protocol, {"speed": 1})


class Sound(Game):
    """One move ends it."""

    def __init__(self, chance: Chance) -> None:
        self.chance, self.over = chance, False
        self.reads = 0

    def to_move(self) -> Sequence[int]:
        return [0]

    def prompt(self, seat: int) -> str:
        return "?\n"

    def read(self, seat: int, answer: str) -> Move:
        return Move("a")

    def fallback(self, seat: int, fault: Fault) -> str:
        return "a"

    def play(self, moves: Mapping[int, str]) -> None:
        self.over = True

    def result(self) -> Result | None:
        return Result((1,), (1,), "done") if self.over else None

    def view(self) -> Json:
        return {"reads": self.reads}


class NoSeatToMove(Sound):
    def to_move(self) -> Sequence[int]:
        return []


class AskedTwice(Sound):
    def to_move(self) -> Sequence[int]:
        return [0, 0]


class ChangedByReading(Sound):
    def read(self, seat: int, answer: str) -> Move:
        self.reads += 1
        return Move("a")


class DrawsWhileReading(Sound):
    def read(self, seat: int, answer: str) -> Move:
        self.chance.below(2)
        return Move("a")


class NotCanonical(Sound):
    def read(self, seat: int, answer: str) -> Move:
        return Move(answer + "a")


class ViewOfObjects(Sound):
    def view(self) -> Json:
        return {"seats": (1, 2)}


class NoReason(Sound):
    def result(self) -> Result | None:
        return Result((1,), (1,), "") if self.over else None


class TooManyRanks(Sound):
    def result(self) -> Result | None:
        return Result((1, 2), (1, 2), "done") if self.over else None


def protocol_of(kind: type[Sound]) -> Protocol:
    class Around(Protocol):
        name = title = summary = on_fault = help = "x"
        seats = (1, 1)
        lifetime = "move"
        limits: ClassVar[Mapping[str, str]] = {}

        def setup(self, seats: int, options: Options, chance: Chance) -> Json:
            return {}

        def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
            return kind(chance)

    return Around()


def test_a_game_without_a_display_shows_its_view_and_to_a_seat_what_it_is_sent() -> None:
    display = Sound(Chance(1)).display()
    assert (display.board(), display.board(0), display.board(1)) == ("reads: 0", "?", "")


def test_a_sound_game_passes() -> None:
    assert playthrough(protocol_of(Sound), lambda *_: "a", seats=1).result is not None


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (NoSeatToMove, "the game has no result, but no seat is to move"),
        (AskedTwice, "a seat is asked twice"),
        (ChangedByReading, "reading an answer changed the game"),
        (DrawsWhileReading, r"only play\(\) may draw from chance"),
        (NotCanonical, "'a' reads as 'aa', which reads as 'aaa'"),
        (ViewOfObjects, r"view\(\) is not plain JSON data"),
        (NoReason, "the result has no reason"),
        (TooManyRanks, "ranks and scores must have one entry per seat"),
    ],
)
def test_a_broken_contract_is_caught(kind: type[Sound], broken: str) -> None:
    with pytest.raises(AssertionError, match=broken):
        playthrough(protocol_of(kind), lambda *_: "a", seats=1)


class Complete(Sound):
    """Reads one word only, and can say which."""

    def read(self, seat: int, answer: str) -> Move:
        if answer != "a":
            raise IllegalMove("say a")
        return Move("a")

    def display(self, names: Sequence[str] = ()) -> Display[Any]:
        return ListsAnswer(self, names)


class ListsAnswer(Display[Complete]):
    def legal(self, seat: int) -> Sequence[str] | None:
        return ["a"]


class RaisesOnOddText(Complete):
    def read(self, seat: int, answer: str) -> Move:
        return Move(str(int(answer))) if answer != "a" else Move("a")


class EchoesTheAnswer(Complete):
    def read(self, seat: int, answer: str) -> Move:
        if answer != "a":
            raise IllegalMove(f"{answer} is wrong")
        return Move("a")


class ListsAnIllegalAnswer(Complete):
    def display(self, names: Sequence[str] = ()) -> Display[Any]:
        class ListsTwo(Display[Complete]):
            def legal(self, seat: int) -> Sequence[str] | None:
                return ["a", "b"]

        return ListsTwo(self, names)


class NeverEnds(Complete):
    def result(self) -> Result | None:
        return None


class RanksFromZero(Complete):
    def result(self) -> Result | None:
        return Result((0,), (1,), "done") if self.over else None


class NamesInItsResult(Complete):
    names: Sequence[str] = ()

    def display(self, names: Sequence[str] = ()) -> Display[Any]:
        self.names = names or self.names
        return ListsAnswer(self, names)

    def result(self) -> Result | None:
        return Result((1,), (1,), f"{self.names or 'seat 0'} wins") if self.over else None


class PromptsByLuck(Complete):
    asked: ClassVar[list[int]] = []

    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.asked.append(1)
        self.number = len(self.asked)

    def prompt(self, seat: int) -> str:
        return f"{self.number}\n"


class WideBoard(Complete):
    def display(self, names: Sequence[str] = ()) -> Display[Any]:
        class Wide(ListsAnswer):
            def board(self, seat: int | None = None) -> str:
                return "x" * 81

        return Wide(self, names)


class SharesItsView(Complete):
    def __init__(self, chance: Chance) -> None:
        super().__init__(chance)
        self.kept = {"over": False}

    def play(self, moves: Mapping[int, str]) -> None:
        super().play(moves)
        self.kept["over"] = True

    def view(self) -> Json:
        return self.kept


class RefusesLate(Complete):
    def fallback(self, seat: int, fault: Fault) -> str:
        return {"illegal": "a", "garbled": "a"}[fault.kind]


@pytest.mark.parametrize(
    ("check", "kind", "broken"),
    [
        ("reads-any-text", RaisesOnOddText, r"read\(\) raises ValueError.* instead of IllegalMove"),
        ("reads-any-text", EchoesTheAnswer, "the reason must be one printable line|has .* characters"),
        ("listed-answers-are-legal", ListsAnIllegalAnswer, r"legal\(\) lists 'b', which is refused: say a"),
        ("plays-whole-games", NeverEnds, "is not over after 50 turns"),
        ("plays-whole-games", RanksFromZero, "ranks out of range"),
        ("plays-whole-games", NamesInItsResult, r"(?s)played again from the record.*the result differs .*usual cause: .*who\(\) is for boards"),
        ("plays-whole-games", PromptsByLuck, "(?s)the prompts of turn 1 differ .* not from Chance"),
        ("texts-fit-the-terminal", WideBoard, "81 columns wide"),
        ("views-are-plain-data", SharesItsView, "a view changed when the game went on"),
        ("has-a-move-for-every-fault", RefusesLate, r"the game raises KeyError\(.*late"),
    ],
)  # fmt: skip
def test_the_suite_catches_a_broken_contract(check: str, kind: type[Sound], broken: str) -> None:
    (found,) = (each for each in CHECKS if each.name == check)
    found.run(CheckedProtocol(protocol_of(Complete)))
    with pytest.raises(BrokenPromiseError, match=broken) as caught:
        found.run(CheckedProtocol(protocol_of(kind), max_turns=50))
    assert str(caught.value).startswith(f"promise: {found.promise}\nfound: ")


def test_a_protocol_without_moves_is_told_how_to_offer_them() -> None:
    (found,) = (each for each in CHECKS if each.name == "plays-whole-games")
    with pytest.raises(AssertionError, match="the tests need random moves"):
        found.run(CheckedProtocol(protocol_of(Sound)))


def test_the_suite_is_a_test_with_a_case_per_check() -> None:
    test = conformance(count_up.protocol, answers=count)
    (mark,) = test.pytestmark  # type: ignore[attr-defined]
    assert mark.args == ("check", CHECKS)
    for check in CHECKS:
        if check.name != "has-a-guide-for-authors-of-agents":  # the null games have none
            test(check)
    with pytest.raises(AssertionError, match=r"README\.md is missing"):
        check_all(count_up.protocol, answers=count)
