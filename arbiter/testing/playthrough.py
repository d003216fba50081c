"""Plays a game in memory, without processes, and asserts on every turn what the arbiter relies on."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arbiter.game import Chance, Fault, Game, IllegalMove, Json, Options, OptionValue, Protocol, Result

Answers = Callable[[Game, int, random.Random], str]
"""Returns the answer of a seat in a position, legal or not."""


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
    """A game played in memory."""

    protocol: Protocol
    seats: int
    options: Options
    seed: int
    setup: Json
    turns: tuple[PlayedTurn, ...]
    result: Result | None
    """None if the game was stopped after ``max_turns``."""
    view: Json


def defaults(protocol: Protocol, given: Mapping[str, object] | None = None) -> dict[str, OptionValue]:
    """Return every option of the protocol: the given value, checked, or the default."""
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
    max_turns: int = 100_000,
    after_turn: Callable[[Game], None] | None = None,
) -> Playthrough:
    """Play one game and assert, turn by turn, that the protocol keeps the contract.

    ``after_turn`` is called with the game after the opening and after every turn, to check invariants.
    """
    chosen = defaults(protocol, options)
    opening = protocol.setup(seats, chosen, Chance(seed, "setup")) if setup is None else setup
    assert json.loads(json.dumps(opening)) == opening, "the setup is not plain JSON data"
    original = copy.deepcopy(opening)
    chance = Chance(seed)
    game = protocol.start(seats, chosen, opening, chance)
    rng = random.Random(seed)
    turns: list[PlayedTurn] = []
    while (result := game.result()) is None and len(turns) < max_turns:
        if after_turn:
            after_turn(game)
        turns.append(_turn(game, answers, rng, chance))
    if after_turn:
        after_turn(game)
    assert opening == original, "the game changed the setup it was given"
    if result is not None:
        assert len(result.ranks) == len(result.scores) == seats, "ranks and scores must have one entry per seat"
        assert result.reason, "the result has no reason: say in one line who won and why"
    return Playthrough(protocol, seats, chosen, seed, opening, tuple(turns), result, game.view())


def _turn(game: Game, answers: Answers, rng: random.Random, chance: Chance) -> PlayedTurn:
    asked = tuple(game.to_move())
    assert asked, "the game has no result, but no seat is to move: end it, or return a seat from to_move()"
    assert len(set(asked)) == len(asked), f"a seat is asked twice: {asked}"
    before, display = game.view(), game.display()
    assert json.loads(json.dumps(before)) == before, (
        "view() is not plain JSON data: tuples become lists, keys become text"
    )
    prompts = {seat: game.prompt(seat) for seat in asked}
    given = {seat: answers(game, seat, rng) for seat in asked}
    moves, faults = {}, {}
    for seat in asked:
        moves[seat], fault = ruling(game, seat, given[seat])
        if fault:
            faults[seat] = fault
        assert_text(display.describe(seat, moves[seat]), f"describe({seat}, {moves[seat]!r})")
        assert_text(display.board(seat), f"board({seat})")
    assert game.view() == before, "reading an answer changed the game: only play() may"
    assert {seat: game.prompt(seat) for seat in asked} == prompts, "the prompt changed without a move"
    assert not chance.take(), "only play() may draw from chance, not prompt(), read() or fallback()"
    game.play(moves)
    return PlayedTurn(prompts, given, moves, tuple(chance.take()), faults)


def ruling(game: Game, seat: int, answer: str) -> tuple[str, Fault | None]:
    """Return the move to play for an answer, and the fault if the rules refuse it; assert that a legal move is canonical."""
    try:
        move = game.read(seat, answer)
    except IllegalMove as refused:
        assert refused.reason, f"{answer!r} is refused without a reason"
        assert "\n" not in refused.reason, f"the reason has more than one line: {refused.reason!r}"
        fault = Fault(refused.kind, refused.reason, refused.salvage)
        return game.fallback(seat, fault), fault
    again = game.read(seat, move.text)
    assert again.text == move.text, f"{answer!r} reads as {move.text!r}, which reads as {again.text!r}"
    return move.text, None


def assert_text(value: object, what: str) -> None:
    """Assert that what a display returns is text."""
    assert isinstance(value, str), f"{what} must return text, not {value!r}"


def replay(played: Playthrough) -> Game:
    """Play the moves again from the recorded chance, with names; assert that prompts, result and view are the same."""
    chance = Chance(played.seed, recorded=())
    game = played.protocol.start(played.seats, played.options, played.setup, chance)
    game.display([f"agent-{seat} (seat {seat})" for seat in range(played.seats)])
    for number, turn in enumerate(played.turns, 1):
        prompts = {seat: game.prompt(seat) for seat in game.to_move()}
        assert prompts == turn.prompts, f"the prompts of turn {number} differ when the game is played again"
        chance.expect(turn.chance)
        game.play(turn.moves)
    chance.expect(())
    assert chance.mismatches == 0, "the recorded chance does not match the seed"
    again = game.result()
    assert again == played.result, f"the result differs when the game is played again: {again}, not {played.result}"
    assert game.view() == played.view, "the last view differs when the game is played again"
    return game


def transcript(played: Playthrough) -> str:
    """Return the whole playthrough as readable text, for golden files."""
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
