"""Checks of the rules: whole games, wrong answers, faults, equal seeds."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from arbiter.game import Chance, Fault, FaultKind, Game, IllegalMove, Variant
from arbiter.testing.playthrough import Playthrough, assert_text, defaults, replay, transcript
from arbiter.testing.subject import CheckedProtocol

_LONGEST_REASON = 400
_POSITIONS = 12
_TEXTS_PER_POSITION = 60


def plays_whole_games(subject: CheckedProtocol) -> None:
    """Play legal games to the end, and play each again from its record alone."""
    for variant, seed in _games(subject):
        _check_ended(subject.known(variant, seed))


def goes_on_after_wrong_answers(subject: CheckedProtocol) -> None:
    """Play games in which every seventh answer is wrong; the move that the rules prescribe is played instead."""
    for variant, seed in _games(subject):
        _check_ended(subject.played(variant, seed, subject.wrong_answer))


def _games(subject: CheckedProtocol) -> Iterator[tuple[Variant, int]]:
    return ((variant, seed) for variant in subject.variants() for seed in range(1, subject.games + 1))


def _check_ended(played: Playthrough) -> None:
    result, seats = played.result, played.seats
    assert result is not None, "the game has no result after its last turn"
    assert all(1 <= rank <= seats + 1 for rank in result.ranks), f"ranks out of range: {result.ranks}"
    best = min(result.ranks)
    assert best <= 2, f"the best rank is 1, or 2 if no seat won, not {best}"
    assert all(math.isfinite(score) for score in result.scores), f"scores must be numbers: {result.scores}"
    assert result.reason.isprintable(), f"the reason must be one line, not {result.reason!r}"
    replay(played)


def reads_any_text(subject: CheckedProtocol) -> None:
    """Read odd answers in many positions: each is a move, or is refused with IllegalMove and one readable line."""
    for variant in subject.variants():
        rng = random.Random(7)
        for game in _positions(subject, variant, rng):
            for seat in game.to_move():
                before = game.view(), game.prompt(seat)
                for _ in range(_TEXTS_PER_POSITION):
                    _read(game, seat, subject.odd_answer(game, seat, rng))
                assert (game.view(), game.prompt(seat)) == before, "reading an answer changed the game"


def _read(game: Game, seat: int, text: str) -> None:
    try:
        move = game.read(seat, text).text
    except IllegalMove as refused:
        reason = refused.reason
        assert reason.strip(), f"{text[:80]!r} is refused without a reason"
        assert reason.isprintable(), f"the reason must be one printable line, not {reason!r}; see arbiter.game.quoted"
        assert len(reason) <= _LONGEST_REASON, f"the reason for {text[:80]!r} has {len(reason)} characters"
        return
    except Exception as error:
        raise AssertionError(f"read() raises {error!r} instead of IllegalMove for {text[:80]!r}") from error
    again = game.read(seat, move).text
    assert again == move, f"{text[:80]!r} reads as {move!r}, which reads as {again!r}"


def _positions(subject: CheckedProtocol, variant: Variant, rng: random.Random) -> Iterator[Game]:
    """Yield a game in positions at growing distances from its start."""
    game = subject.opened(variant, 1)
    stride = 1
    for _ in range(_POSITIONS):
        if game.result() is not None:
            return
        yield game
        for _ in range(stride):
            if game.result() is None:
                subject.step(game, rng)
        stride += 1


def has_a_move_for_every_fault(subject: CheckedProtocol) -> None:
    """Check that the game goes on or ends with the prescribed move after each kind of fault, at the start and later."""
    for variant in subject.variants():
        for number, kind in enumerate(FaultKind):
            for turns in (0, 5):
                _check_fallback(subject, variant, Fault(kind, "in a test"), turns, number)


def _check_fallback(subject: CheckedProtocol, variant: Variant, fault: Fault, turns: int, seed: int) -> None:
    game, rng = subject.opened(variant, seed), random.Random(seed)
    for _ in range(turns):
        if game.result() is None:
            subject.step(game, rng)
    if game.result() is not None:
        return
    asked = list(game.to_move())
    before = game.view()
    moves = {seat: game.fallback(seat, fault) for seat in asked}
    for seat, move in moves.items():
        assert isinstance(move, str), f"fallback() must return canonical text after {fault.kind}, not {move!r}"
        assert "\n" not in move, f"fallback() must return one line, not {move!r}"
        assert_text(game.display().describe(seat, move), f"describe({seat}, {move!r})")
    assert game.view() == before, "fallback() changed the game"
    game.play(moves)
    assert game.result() is not None or game.to_move(), "the game has no result, but no seat is to move"


def equal_seeds_make_equal_games(subject: CheckedProtocol) -> None:
    """Play every game twice: setup, prompts, moves, chance and result are the same."""
    for variant, seed in _games(subject):
        again = subject.played(variant, seed)
        assert transcript(again) == transcript(subject.known(variant, seed)), (
            f"two games with {variant} and seed {seed} differ"
        )


def games_share_nothing(subject: CheckedProtocol) -> None:
    """Open two games from one setup and play one of them: the other must not change."""
    for variant in subject.variants():
        options = defaults(subject.protocol, variant.options)
        setup = subject.protocol.setup(variant.seats, options, Chance(1, "setup"))
        moved, still = (subject.protocol.start(variant.seats, options, setup, Chance(1)) for _ in range(2))
        before = still.view()
        rng = random.Random(1)
        for _ in range(30):
            if moved.result() is None:
                subject.step(moved, rng)
        assert still.view() == before, "a game changed when another was played"


def listed_answers_are_legal(subject: CheckedProtocol) -> None:
    """Check that every answer that Display.legal() lists is legal, and that none is listed twice."""
    for variant in subject.variants():
        for game in _positions(subject, variant, random.Random(3)):
            for seat in game.to_move():
                listed = game.display().legal(seat)
                if listed is None:
                    continue
                assert listed, f"seat {seat} is to move, but legal() lists no answer"
                moves = [_legal(game, seat, answer) for answer in listed]
                assert len(set(moves)) == len(moves), "legal() lists a move twice"


def _legal(game: Game, seat: int, answer: str) -> str:
    try:
        return game.read(seat, answer).text
    except IllegalMove as refused:
        raise AssertionError(f"legal() lists {answer!r}, which is refused: {refused.reason}") from None
