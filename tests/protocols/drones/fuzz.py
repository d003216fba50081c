"""Answers of every kind thrown at ``read``, each judged by a second opinion."""

from __future__ import annotations

import json
import random

from arbiter.game import IllegalMove, Json
from arbiter.protocols.drones.game import DronesGame

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
    whims = random.Random(seed)
    for start in range(0, count, PER_POSITION):
        game = new_match(fractional_units=whims.random() < 0.5)
        _arrange(game, whims)
        for _ in range(min(PER_POSITION, count - start)):
            _check(game, _any_answer(game, whims))


def _arrange(game: DronesGame, whims: random.Random) -> None:
    producers = whims.choice((1, 2, whims.randrange(1, 20), 10**15))
    if game.settings.fractional_units and whims.random() < 0.7:
        army(game, 0, producers * whims.random(), whims.random())
    else:
        army(game, 0, producers, whims.randrange(9))


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
    """The canonical text, or the reason for refusing the answer."""
    try:
        return game.read(0, answer).text, ""
    except IllegalMove as refused:
        return None, refused.reason


def _any_answer(game: DronesGame, whims: random.Random) -> str:
    kind = whims.random()
    if kind < 0.2:
        return random_answer(game, 0, whims)
    if kind < 0.5:
        return _mutated(random_answer(game, 0, whims), whims)
    if kind < 0.8:
        return _odd_object(whims)
    if kind < 0.9:
        return _short_form(whims)
    if kind < 0.999:
        return "".join(whims.choices(ODD_CHARS, k=whims.randrange(0, 30)))
    return whims.choice(("", '{"newProducers": ')) + whims.choice(NESTS) * whims.randrange(1, 16_000)


def _odd_object(whims: random.Random) -> str:
    fields = []
    for _ in range(whims.randrange(0, 5)):
        value = _value(whims)
        text = (
            whims.choice(ODD_NUMBERS) if whims.random() < 0.15 else json.dumps(value, ensure_ascii=whims.random() < 0.5)
        )
        fields.append(f"{json.dumps(whims.choice(FIELDS))}:{whims.choice(('', ' '))}{text}")
    return "{" + ", ".join(fields) + "}" + whims.choice(("", "\r", "\n", " x", "}", "\x00"))[: whims.randrange(3)]


def _value(whims: random.Random) -> Json:
    return whims.choice((whims.choice(ODD_VALUES), whims.randrange(-2, 12), whims.random() * 5))


def _short_form(whims: random.Random) -> str:
    words = [str(_value(whims)) if whims.random() < 0.2 else repr(whims.randrange(9) / 2) for _ in range(3)]
    words[2] = whims.choice(("0", "1", "1", words[2]))
    return whims.choice((" ", "\t", "  ")).join(words) + whims.choice(("", "\r", "\n", " 0"))


def _mutated(text: str, whims: random.Random) -> str:
    letters = list(text)
    for _ in range(whims.randrange(1, 4)):
        place = whims.randrange(len(letters) + 1)
        change = whims.randrange(3)
        if change == 0:
            letters.insert(place, whims.choice(ODD_CHARS))
        elif change == 1:
            del letters[place : place + whims.randrange(1, 6)]
        else:
            letters[place : place + 1] = whims.choice(ODD_CHARS)
    return "".join(letters)
