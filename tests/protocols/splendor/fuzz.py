"""A fuzzer for ``read``: answers of every kind, compared with an independent oracle."""

from __future__ import annotations

import random

from arbiter.game import IllegalMove
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal_moves import legal_moves

from .oracle import Oracle
from .table import new_game, random_answer

PER_POSITION = 100
SPACES = (" ", "  ", "\n", "\r\n", "\t", "\v", "\f")
ODD_WORDS = ("03", "1.0", "1_0", "٣", "pass", "-", "+", "", "\x00", "\x1b[2J", "\ufffd", "1e3", "99999999999999999999")
ODD_CHARS = " \n\r\t\x00\x1b\x1c\x85\xa0\u2028٣²−+-_.,;:'\"\\{}%0123456789abcxyz\U0001f600\ufffd"


def fuzz(seed: int, count: int) -> None:
    """Read ``count`` random, mutated and legal answers in positions of random games; assert that each is
    accepted exactly if the rules allow it, and refused with a decent reason and nothing worse otherwise."""
    rng = random.Random(seed)
    game = _fresh_game(rng)
    for start in range(0, count, PER_POSITION):
        _fuzz_position(game, min(PER_POSITION, count - start), rng)
        for _ in range(rng.randrange(1, 6)):
            if game.result() is not None:
                game = _fresh_game(rng)
            seat = game.to_move()[0]
            game.play({seat: random_answer(game, seat, rng)})
        if game.result() is not None:
            game = _fresh_game(rng)


def _fresh_game(rng: random.Random) -> SplendorGame:
    return new_game(rng.randrange(1, 5), rng.randrange(1 << 30), return_gold=rng.random() < 0.5)


def _fuzz_position(game: SplendorGame, count: int, rng: random.Random) -> None:
    seat = game.to_move()[0]
    before = game.prompt(seat)
    oracle = Oracle(before, game.settings.return_gold)
    moves = legal_moves(game, seat)
    listed = set(moves)
    for _ in range(count):
        answer = _any_answer(moves, rng)
        accepted = _checked_read(game, seat, answer)
        assert accepted == oracle.verdict(answer), (answer, before)
        assert accepted is None or in_ascending_order(accepted) in listed, (answer, before)
    assert game.prompt(seat) == before


def _checked_read(game: SplendorGame, seat: int, answer: str) -> str | None:
    try:
        text = game.read(seat, answer).text
    except IllegalMove as refused:
        _check_reason(refused.reason, answer)
        return None
    assert game.read(seat, text).text == text, answer
    return text


def _check_reason(reason: str, answer: str) -> None:
    assert reason.isprintable(), (answer, reason)
    assert 0 < len(reason) < 140, (answer, reason)


def in_ascending_order(move: str) -> str:
    """Return a canonical move in the spelling of legal_moves()."""
    words = move.split()
    end = 2 + int(words[1]) if words[0] == "1" else 2
    return " ".join([*words[:2], *sorted(words[2:end]), *sorted(words[end:])])


def _any_answer(moves: list[str], rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.15:
        return rng.choice(moves)
    if kind < 0.60:
        return _mutated(rng.choice(moves).split(), rng)
    if kind < 0.85:
        return " ".join(str(_number(rng)) for _ in range(rng.randrange(0, 9)))
    if kind < 0.9995:
        return "".join(rng.choices(ODD_CHARS, k=rng.randrange(0, 30)))
    return rng.choice(("1 ", "9", "\x00", "x ", "\n", "1 0 ", "٣")) * rng.randrange(1, 16_000)


def _number(rng: random.Random) -> int:
    return rng.choice((rng.randrange(-4, 7), rng.randrange(0, 5), rng.randrange(-5, 95), rng.randrange(1, 5)))


def _mutated(words: list[str], rng: random.Random) -> str:
    for _ in range(rng.randrange(0, 3)):
        place = rng.randrange(len(words)) if words else 0
        change = rng.randrange(6)
        if change == 0:
            words.insert(place, str(_number(rng)))
        elif change == 1 and words:
            del words[place]
        elif change == 2 and words:
            words[place] = str(_number(rng))
        elif change == 3 and words:
            words[place] = "+" + words[place] if rng.random() < 0.7 else rng.choice(ODD_WORDS)
        elif change == 4:
            words.append(rng.choice(words) if words else "0")
        else:
            tail = words[2:]
            rng.shuffle(tail)
            words[2:] = tail
    space = rng.choice(SPACES)
    return rng.choice(("", space)) + space.join(words) + rng.choice(("", "\n", "\r\n", " "))
