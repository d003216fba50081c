"""Answers of every kind thrown at ``read``, each judged by a second opinion."""

from __future__ import annotations

import random

from arbiter.game import IllegalMove
from arbiter.protocols.splendor.game import SplendorGame
from arbiter.protocols.splendor.legal import legal_moves

from .oracle import Oracle
from .table import new_game, random_answer

PER_POSITION = 100
SPACES = (" ", "  ", "\n", "\r\n", "\t", "\v", "\f")
ODD_WORDS = ("03", "1.0", "1_0", "٣", "pass", "-", "+", "", "\x00", "\x1b[2J", "\ufffd", "1e3", "99999999999999999999")
ODD_CHARS = " \n\r\t\x00\x1b\x1c\x85\xa0\u2028٣²−+-_.,;:'\"\\{}%0123456789abcxyz\U0001f600\ufffd"


def fuzz(seed: int, count: int) -> None:
    """Read ``count`` random, mutated and legal answers in positions of random games; assert that each is
    accepted exactly if the rules allow it, and refused with a decent reason and nothing worse otherwise."""
    whims = random.Random(seed)
    game = _fresh_game(whims)
    for start in range(0, count, PER_POSITION):
        _fuzz_position(game, min(PER_POSITION, count - start), whims)
        for _ in range(whims.randrange(1, 6)):
            if game.result() is not None:
                game = _fresh_game(whims)
            seat = game.to_move()[0]
            game.play({seat: random_answer(game, seat, whims)})
        if game.result() is not None:
            game = _fresh_game(whims)


def _fresh_game(whims: random.Random) -> SplendorGame:
    return new_game(whims.randrange(1, 5), whims.randrange(1 << 30), return_gold=whims.random() < 0.5)


def _fuzz_position(game: SplendorGame, count: int, whims: random.Random) -> None:
    seat = game.to_move()[0]
    before = game.prompt(seat)
    oracle = Oracle(before, game.settings.return_gold)
    moves = legal_moves(game, seat)
    listed = set(moves)
    for _ in range(count):
        answer = _any_answer(moves, whims)
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
    """A canonical move as legal_moves() spells it."""
    words = move.split()
    end = 2 + int(words[1]) if words[0] == "1" else 2
    return " ".join([*words[:2], *sorted(words[2:end]), *sorted(words[end:])])


def _any_answer(moves: list[str], whims: random.Random) -> str:
    kind = whims.random()
    if kind < 0.15:
        return whims.choice(moves)
    if kind < 0.60:
        return _mutated(whims.choice(moves).split(), whims)
    if kind < 0.85:
        return " ".join(str(_number(whims)) for _ in range(whims.randrange(0, 9)))
    if kind < 0.9995:
        return "".join(whims.choices(ODD_CHARS, k=whims.randrange(0, 30)))
    return whims.choice(("1 ", "9", "\x00", "x ", "\n", "1 0 ", "٣")) * whims.randrange(1, 16_000)


def _number(whims: random.Random) -> int:
    return whims.choice((whims.randrange(-4, 7), whims.randrange(0, 5), whims.randrange(-5, 95), whims.randrange(1, 5)))


def _mutated(words: list[str], whims: random.Random) -> str:
    for _ in range(whims.randrange(0, 3)):
        place = whims.randrange(len(words)) if words else 0
        change = whims.randrange(6)
        if change == 0:
            words.insert(place, str(_number(whims)))
        elif change == 1 and words:
            del words[place]
        elif change == 2 and words:
            words[place] = str(_number(whims))
        elif change == 3 and words:
            words[place] = "+" + words[place] if whims.random() < 0.7 else whims.choice(ODD_WORDS)
        elif change == 4:
            words.append(whims.choice(words) if words else "0")
        else:
            tail = words[2:]
            whims.shuffle(tail)
            words[2:] = tail
    space = whims.choice(SPACES)
    return whims.choice(("", space)) + space.join(words) + whims.choice(("", "\n", "\r\n", " "))
