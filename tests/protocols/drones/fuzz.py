"""A fuzzer for ``read``: answers of every kind, compared with an independent oracle."""

from __future__ import annotations

import json
import random

from arbiter.game import IllegalMove, Json
from protocols.drones.game import DronesGame

from .oracle import verdict
from .table import army, new_match, random_answer

PER_POSITION = 50
FIELDS = ("newProducers", "newSoldiers", "launchAttack", "newproducers", "note", "")
ODD_VALUES: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 0.5, 1.5, -0.0, 2.999999, 1e300, 10**15, 10**17, 10**400, -(10**400), "1", "0", "true", "",
    [], [1], {}, {"1": 1}, "\x00", "é", "\ud800",
)  # fmt: skip
ODD_NUMBERS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "1E5",
    "01",
    "+1",
    ".5",
    "1.",
    "0x1",
    "1_0",
    "9" * 700,
    "-0",
)
ODD_CHARS = " \n\r\t\x00\x0b\x1b\x85\xa0\u2028٣²−+-_.,;:'\"\\{}[]%0123456789eEtrufalsn\U0001f600\ufffd"
NESTS = ("[", "{", '{"a":', "[[", '"', "\\", " ", "9", "1e", "٣ ")


def fuzz(seed: int, count: int) -> None:
    """Read ``count`` random, mutated and sensible answers in random positions; assert that each is read as the rules
    say, or refused with a decent reason and nothing worse."""
    rng = random.Random(seed)
    for start in range(0, count, PER_POSITION):
        game = new_match(fractional_units=rng.random() < 0.5)
        _arrange(game, rng)
        for _ in range(min(PER_POSITION, count - start)):
            _check(game, _any_answer(game, rng))


def _arrange(game: DronesGame, rng: random.Random) -> None:
    producers = rng.choice((1, 2, rng.randrange(1, 20), 10**15))
    if game.settings.fractional_units and rng.random() < 0.7:
        army(game, 0, producers * rng.random(), rng.random())
    else:
        army(game, 0, producers, rng.randrange(9))


def _check(game: DronesGame, answer: str) -> None:
    expected = verdict(answer, game.position.producers[0], game.settings.fractional_units)
    text, reason = _read(game, answer)
    if expected is None:
        assert text is None, (answer, text)
        assert reason.isprintable(), (answer, reason)
        assert 0 < len(reason) < 140, (answer, reason)
        return
    assert text is not None, (answer, reason)
    producers, soldiers, attack = text.split()
    assert expected == (float(producers), float(soldiers), attack == "1"), (answer, text)
    assert _read(game, text)[0] == text, (answer, text)


def _read(game: DronesGame, answer: str) -> tuple[str | None, str]:
    """Return the canonical text, or the reason for refusing the answer."""
    try:
        return game.read(0, answer).text, ""
    except IllegalMove as refused:
        return None, refused.reason


def _any_answer(game: DronesGame, rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.2:
        return random_answer(game, 0, rng)
    if kind < 0.5:
        return _mutated(random_answer(game, 0, rng), rng)
    if kind < 0.8:
        return _odd_object(rng)
    if kind < 0.9:
        return _short_form(rng)
    if kind < 0.999:
        return "".join(rng.choices(ODD_CHARS, k=rng.randrange(0, 30)))
    return rng.choice(("", '{"newProducers": ')) + rng.choice(NESTS) * rng.randrange(1, 16_000)


def _odd_object(rng: random.Random) -> str:
    fields = []
    for _ in range(rng.randrange(0, 5)):
        value = _value(rng)
        text = rng.choice(ODD_NUMBERS) if rng.random() < 0.15 else json.dumps(value, ensure_ascii=rng.random() < 0.5)
        fields.append(f"{json.dumps(rng.choice(FIELDS))}:{rng.choice(('', ' '))}{text}")
    return "{" + ", ".join(fields) + "}" + rng.choice(("", "\r", "\n", " x", "}", "\x00"))[: rng.randrange(3)]


def _value(rng: random.Random) -> Json:
    return rng.choice((rng.choice(ODD_VALUES), rng.randrange(-2, 12), rng.random() * 5))


def _short_form(rng: random.Random) -> str:
    words = [str(_value(rng)) if rng.random() < 0.2 else repr(rng.randrange(9) / 2) for _ in range(3)]
    words[2] = rng.choice(("0", "1", "1", words[2]))
    return rng.choice((" ", "\t", "  ")).join(words) + rng.choice(("", "\r", "\n", " 0"))


def _mutated(text: str, rng: random.Random) -> str:
    letters = list(text)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(letters) + 1)
        change = rng.randrange(3)
        if change == 0:
            letters.insert(place, rng.choice(ODD_CHARS))
        elif change == 1:
            del letters[place : place + rng.randrange(1, 6)]
        else:
            letters[place : place + 1] = rng.choice(ODD_CHARS)
    return "".join(letters)
