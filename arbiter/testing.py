"""For authors of games: does a protocol keep the promises of :mod:`arbiter.game`?

``playthrough`` plays one game in memory, with no processes, and asserts on every turn what the arbiter
relies on. ``replay`` plays its moves again from the record alone. Both are meant to be called from tests::

    def test_conformance():
        game = playthrough(protocol, my_random_answers, seats=2, seed=1)
        assert game.result is not None
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arbiter.game import Chance, Fault, Game, IllegalMove, Json, Options, OptionValue, Protocol, Result

Answers = Callable[[Game, int, random.Random], str]
"""What a seat answers in a position: anything, legal or not."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a playthrough."""

    prompts: Mapping[int, str]
    answers: Mapping[int, str]
    moves: Mapping[int, str]
    chance: tuple[int, ...]
    faults: Mapping[int, Fault] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A whole game played in memory."""

    protocol: Protocol
    seats: int
    options: Options
    seed: int
    setup: Json
    turns: tuple[PlayedTurn, ...]
    result: Result | None
    """None if the game was stopped after ``most_turns``."""
    view: Json


def defaults(protocol: Protocol, given: Mapping[str, object] | None = None) -> dict[str, OptionValue]:
    """Every option of the protocol, checked: as given, or its default."""
    wanted = dict(given or {})
    values = {option.name: option.check(wanted.pop(option.name, option.default)) for option in protocol.options}
    if wanted:
        raise ValueError(f"{protocol.name} has no option {next(iter(wanted))!r}")
    return values


def playthrough(
    protocol: Protocol,
    answers: Answers,
    *,
    seats: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    setup: Json = None,
    most_turns: int = 100_000,
    after_turn: Callable[[Game], None] | None = None,
) -> Playthrough:
    """Play one game and assert, turn by turn, that the protocol keeps its promises.

    ``after_turn`` is called with the game after the opening and after every turn, to check invariants.
    """
    chosen = defaults(protocol, options)
    laid_out = protocol.setup(seats, chosen, Chance(seed, "setup")) if setup is None else setup
    assert json.loads(json.dumps(laid_out)) == laid_out, "the setup is not plain JSON data"
    untouched = copy.deepcopy(laid_out)
    chance = Chance(seed)
    game = protocol.start(seats, chosen, laid_out, chance)
    whims = random.Random(seed)
    turns: list[PlayedTurn] = []
    while (result := game.result()) is None and len(turns) < most_turns:
        if after_turn:
            after_turn(game)
        turns.append(_turn(game, answers, whims, chance))
    if after_turn:
        after_turn(game)
    assert laid_out == untouched, "the game changed the setup it was given"
    if result is not None:
        assert len(result.ranks) == len(result.scores) == seats, "ranks and scores are per seat"
        assert result.reason, "a result says why the game ended"
    return Playthrough(protocol, seats, chosen, seed, laid_out, tuple(turns), result, game.view())


def _turn(game: Game, answers: Answers, whims: random.Random, chance: Chance) -> PlayedTurn:
    asked = tuple(game.to_move())
    assert asked, "a game without a result must say who is to move"
    assert len(set(asked)) == len(asked), f"a seat is asked twice: {asked}"
    before = game.view()
    assert json.loads(json.dumps(before)) == before, "view() is not plain JSON data"
    prompts = {seat: game.prompt(seat) for seat in asked}
    given = {seat: answers(game, seat, whims) for seat in asked}
    moves, faults = {}, {}
    for seat in asked:
        moves[seat], fault = _ruling(game, seat, given[seat])
        if fault:
            faults[seat] = fault
        assert isinstance(game.describe(seat, moves[seat]), str)
        assert isinstance(game.board(seat), str)
    assert game.view() == before, "reading an answer changed the game"
    assert {seat: game.prompt(seat) for seat in asked} == prompts, "the prompt changed without a move"
    assert not chance.take(), "only play() may draw from chance"
    game.play(moves)
    return PlayedTurn(prompts, given, moves, tuple(chance.take()), faults)


def _ruling(game: Game, seat: int, answer: str) -> tuple[str, Fault | None]:
    try:
        move = game.read(seat, answer)
    except IllegalMove as refused:
        assert refused.reason, f"no reason for refusing {answer!r}"
        assert "\n" not in refused.reason, f"the reason is more than one line: {refused.reason!r}"
        fault = Fault(refused.kind, refused.reason, refused.salvage)
        return game.fallback(seat, fault), fault
    again = game.read(seat, move.text)
    assert again.text == move.text, f"{answer!r} reads as {move.text!r}, which reads as {again.text!r}"
    return move.text, None


def replay(played: Playthrough) -> Game:
    """Play the moves again with the recorded chance and no generator; assert that it comes out the same."""
    chance = Chance(played.seed, recorded=())
    game = played.protocol.start(played.seats, played.options, played.setup, chance)
    for turn in played.turns:
        assert {seat: game.prompt(seat) for seat in game.to_move()} == turn.prompts
        chance.expect(turn.chance)
        game.play(turn.moves)
    chance.expect(())
    assert chance.strays == 0, "the recorded chance is not that of the seed"
    assert game.result() == played.result
    assert game.view() == played.view
    return game


def transcript(played: Playthrough) -> str:
    """The whole playthrough as readable text, for golden files."""
    lines = [f"{played.protocol.title}, version {played.protocol.version}, seed {played.seed}, {played.seats} seats"]
    lines += [f"options {json.dumps(dict(played.options))}", f"setup {json.dumps(played.setup)}"]
    for number, turn in enumerate(played.turns, 1):
        for seat, prompt in turn.prompts.items():
            lines += [f"--- turn {number}, seat {seat} is sent", prompt.rstrip("\n")]
            lines += [f"--- answers {turn.answers[seat]!r}", f"--- plays {turn.moves[seat]!r}"]
            if seat in turn.faults:
                lines.append(f"--- because {turn.faults[seat].kind}: {turn.faults[seat].detail}")
        if turn.chance:
            lines.append(f"--- chance {list(turn.chance)}")
    if played.result:
        end = played.result
        lines += [
            f"--- ranks {list(end.ranks)}, scores {list(end.scores)}: {end.reason}",
            f"--- {json.dumps(end.data)}",
        ]
    return "\n".join(lines) + "\n"
