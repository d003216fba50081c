"""A fuzzer for ``read``: random answers and mutations of legal ones, in positions of real games.

Every answer is also read by a second reader of a line or two, and the two must agree.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from weakref import WeakKeyDictionary

from arbiter.game import Chance, Game, IllegalMove
from protocols.green_circle import protocol
from protocols.green_circle.answers import NUMBERS_AFTER
from protocols.green_circle.cards import NAMES

_WORDS = [*NUMBERS_AFTER, "BONUS", "defeat late", "move", ""]
_BITS = [*" \t\r\n\0\x1b\u00a0é😀-+.,", "  ", "0", "00", "9", "10", "99999999999999999999", "MOVE ", " 5", "\ufffd"]
_BLANKS = " \t\n\r\x0b\x0c"
_ANSWERS_PER_POSITION = 20
_STRICT: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()
"""Which games are played with strict_skills."""


def fuzz(seed: int, count: int) -> None:
    """Read this many hostile answers; assert that each is parsed correctly or refused."""
    rng = random.Random(seed)
    positions = _positions(rng)
    for number in range(count):
        if number % _ANSWERS_PER_POSITION == 0:
            game = next(positions)
            (seat,) = game.to_move()
            actions = accepted(game)
        answer = _answer(actions, rng)
        _check(game, seat, actions, answer)


def _positions(rng: random.Random) -> Iterator[Game]:
    while True:
        options = {"level": rng.choice((1, 2, 3, 4)), "strict_skills": rng.random() < 0.3}
        setup = protocol.setup(2, options, Chance(rng.getrandbits(32), "setup"))
        game = protocol.start(2, options, setup, Chance(rng.getrandbits(32)))
        _STRICT[game] = bool(options["strict_skills"])
        while game.result() is None:
            yield game
            game.play({game.to_move()[0]: rng.choice(accepted(game))})


def accepted(game: Game) -> list[str]:
    """Return the actions offered, and those that are carried out although they are not."""
    view = game.view()
    actions: list[str] = view["actions"]
    if view["phase"] != "PLAY_CARD" or _STRICT[game]:
        return actions
    hand = view["teams"][view["seat"]]["hand"]
    for card in {card for card in hand if card < 8}:
        others = sorted(hand)
        others.remove(card)
        given = {other for other in others if other < 9}
        needs = {3: [f" {a} {b}" for a in given for b in range(9)], 5: [f" {a}" for a in given]}
        actions += sorted({NAMES[card] + rest for rest in needs.get(card, [""])} - set(actions))
    return actions


def _answer(actions: list[str], rng: random.Random) -> str:
    kind = rng.randrange(4)
    if kind == 0:
        return f"{rng.choice(_WORDS)} {rng.randrange(-2, 30)} {rng.randrange(-2, 12)}"
    if kind == 1:
        return "".join(chr(rng.choice((rng.randrange(128), rng.randrange(0x3000)))) for _ in range(rng.randrange(30)))
    answer = rng.choice(actions)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(answer) + 1)
        kept = place + rng.randrange(2)
        answer = answer[:place] + rng.choice(_BITS) * rng.randrange(2) + answer[kept:]
    return answer


def reason_for_refusing(game: Game, seat: int, answer: str) -> str | None:
    """Return why the answer is refused; None if it is not."""
    try:
        game.read(seat, answer)
    except IllegalMove as refused:
        return refused.reason
    return None


def is_one_short_line(reason: str) -> bool:
    """Assert that a reason is one short printable line."""
    return 0 < len(reason) < 250 and "\n" not in reason


def _check(game: Game, seat: int, actions: list[str], answer: str) -> None:
    reason = reason_for_refusing(game, seat, answer)
    expected = _plainly(actions, answer)
    # The plain reader knows nothing of leading zeros.
    has_zeros = re.search(r" 0[0-9]", answer) is not None
    if reason is not None:
        assert is_one_short_line(reason), repr(answer)
        assert expected is None or has_zeros, repr(answer)
        return
    move = game.read(seat, answer)
    assert move.text == expected or has_zeros, repr(answer)
    assert move.text in actions, repr(answer)
    assert game.read(seat, move.text).text == move.text, repr(answer)
    assert move.message == move.message.strip(), repr(answer)
    assert move.message in answer, repr(answer)


def _plainly(actions: list[str], answer: str) -> str | None:
    """Return the longest action that starts the answer and ends with it or before a blank."""
    fitting = [each for each in actions if answer.startswith(each) and (answer + " ")[len(each)] in _BLANKS]
    return max(fitting, key=len, default=None)
