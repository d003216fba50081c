"""A fuzzer for ``read``: answers of every kind, compared with an independent oracle and played."""

from __future__ import annotations

import random
import re

from arbiter.game import Fault, FaultKind, IllegalMove
from protocols.heroes.game import HeroesGame

from .table import WORDS, Watch, new_game

WATCHED = 50
"""After this many answers the whole position is checked."""
ODD_CHARS = " \n\r\t\v\f\x00\x1b\x1c\x85\xa0\u2028ſKNORTHSEAWYnorthseawy-+_.,;:'\"\\{}%0123456789\U0001f600\ufffd"
DIRECTION = re.compile(r"[ \t\r\n\v\f]*(north|east|south|west|stay)[ \t\r\n\v\f]*", re.IGNORECASE | re.ASCII)
PROCESS_FAULTS = [kind for kind in FaultKind if kind not in (FaultKind.GARBLED, FaultKind.ILLEGAL)]


def fuzz(seed: int, count: int) -> None:
    """Read ``count`` random, mutated and good answers in random games; assert that each is accepted exactly if it is
    one of the five words, and refused with a decent reason and nothing worse otherwise. All are played, and now and
    then an agent does not answer at all."""
    rng = random.Random(seed)
    game, watch = _fresh_game(rng), Watch()
    for number in range(count):
        if game.result() is not None:
            game, watch = _fresh_game(rng), Watch()
        seat = game.to_move()[0]
        answer = any_answer(rng)
        move = _checked_read(game, seat, answer)
        if move is None:
            kind = rng.choice(PROCESS_FAULTS) if rng.random() < 0.003 else FaultKind.GARBLED
            move = game.fallback(seat, Fault(kind))
        game.play({seat: move})
        if number % WATCHED == 0:
            watch = Watch()
        if number % WATCHED < 2:
            watch(game)


def _fresh_game(rng: random.Random) -> HeroesGame:
    preset = rng.choice(("contest", "vindinium"))
    return new_game(rng.randrange(1 << 30), preset=preset, rounds=rng.randrange(1, 400))


def _checked_read(game: HeroesGame, seat: int, answer: str) -> str | None:
    expected = DIRECTION.fullmatch(answer)
    try:
        text = game.read(seat, answer).text
    except IllegalMove as refused:
        assert expected is None, answer
        _check_reason(refused.reason, answer)
        return None
    assert expected is not None, answer
    assert text == expected[1].capitalize()
    assert game.read(seat, text).text == text
    return text


def _check_reason(reason: str, answer: str) -> None:
    assert reason.isprintable(), (answer, reason)
    assert 0 < len(reason) < 140, (answer, reason)


def any_answer(rng: random.Random) -> str:
    """Return an answer: half of them directions in odd spellings; the rest mutations, noise, and sometimes a flood."""
    kind = rng.random()
    word = rng.choice(WORDS)
    if kind < 0.3:
        return word
    if kind < 0.5:
        cased = "".join(rng.choice((letter.lower(), letter.upper())) for letter in word)
        return rng.choice(("", " ", "\t")) + cased + rng.choice(("", "\r", " \r", "\n", "  "))
    if kind < 0.8:
        return _mutated(list(word), rng)
    if kind < 0.9998:
        return "".join(rng.choices(ODD_CHARS, k=rng.randrange(0, 12)))
    return rng.choice((word, " ", "\x00", "\r\n", "x ", "\U0001f600")) * rng.randrange(1, 16_000)


def _mutated(letters: list[str], rng: random.Random) -> str:
    for _ in range(rng.randrange(1, 3)):
        place = rng.randrange(len(letters) + 1)
        if rng.random() < 0.5:
            letters.insert(place, rng.choice(ODD_CHARS))
        else:
            letters[place : place + 1] = [rng.choice(("", "", *ODD_CHARS))]
    return "".join(letters)
