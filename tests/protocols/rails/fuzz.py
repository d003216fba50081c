"""A fuzzer for ``read``: hostile answers are refused with a reason, or have a stable canonical text."""

from __future__ import annotations

import random

from arbiter.game import Fault, Game, GarbledMove

from .table import any_answer, new_map, start

ODD = "".join(map(chr, range(0x21))) + ";;;  -+.,x٢²ſİ\u00a0\u2028\ufffd\U0001f682\x7f\x9b"
WORDS = ("PLACE_TRACKS", "AUTOPLACE", "DISRUPT", "WAIT", "MESSAGE", "DEFEAT", "place_tracks", "0", "1", "007", "9" * 40)


def fuzz(seed: int, count: int) -> None:
    """Read ``count`` hostile answers and assert that each is either garbled or has a stable canonical text."""
    rng = random.Random(seed)
    setup = new_map(seed, height=14)
    game = start(setup)
    for _ in range(count):
        check(game, rng.randrange(2), hostile(any_answer(setup, rng, bad=0.2), rng))


def hostile(answer: str, rng: random.Random) -> str:
    """Return a mutation of an answer, or noise."""
    kind = rng.randrange(6)
    if kind == 0:
        return "".join(rng.choice(ODD) for _ in range(rng.randrange(30)))
    if kind == 1:
        return rng.choice([" ", ";", ""]).join(rng.choice(WORDS) for _ in range(rng.randrange(12)))
    if kind == 2:
        return answer * rng.randrange(1, 40)
    if kind == 3:
        return answer
    letters = list(answer)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(letters) + 1)
        letters[at : at + rng.randrange(3)] = rng.choice(ODD) * rng.randrange(3)
    return "".join(letters)


def check(game: Game, seat: int, answer: str) -> None:
    """Return one answer."""
    try:
        refused, text = None, game.read(seat, answer).text
    except GarbledMove as garbled:
        refused, text = garbled, garbled.salvage
    assert not text or game.read(seat, text).text == text, answer
    if refused:
        assert refused.reason.isprintable(), answer
        assert len(refused.reason) < 200, answer
        text = game.fallback(seat, Fault(refused.kind, refused.reason, refused.salvage))
        assert text.endswith("DEFEAT garbled"), answer
    assert text.isascii(), answer
    assert game.display().describe(seat, text), answer
