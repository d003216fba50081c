"""Small maps and games for the tests: drawn as text, played with answers as agents write them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from arbiter.game import Chance, Fault, FaultKind, Game, IllegalMove, Json, Result
from arbiter.testing import defaults
from protocols.rails import protocol

SEATS = (0, 1)


def drawn(picture: str, wishes: dict[int, list[int]], regions: list[str] | None = None) -> Json:
    """Return a setup from a picture: terrain digits, ``.`` for plain, capitals for towns (A is town 0).

    Without ``regions`` every cell is a region of its own, numbered row by row.
    """
    rows = [row.strip() for row in picture.strip().splitlines()]
    width = len(rows[0])
    found = {ord(mark) - ord("A"): (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark.isalpha()}
    return {
        "terrain": ["".join(mark if mark.isdigit() else "0" for mark in row) for row in rows],
        "regions": regions or [" ".join(str(y * width + x) for x in range(width)) for y in range(len(rows))],
        "towns": [{"x": found[t][0], "y": found[t][1], "wishes": wishes.get(t, [])} for t in sorted(found)],
    }


LINE = drawn("A...B", {0: [1]})
"""Two towns with three plain cells between them."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of a turn's block."""

    owner: int
    instability: int
    inked: int
    connections: str


def start(setup: Json, **options: object) -> Game:
    return protocol.start(2, defaults(protocol, options), setup, Chance(0))


def new_map(seed: int, **options: object) -> Json:
    return protocol.setup(2, defaults(protocol, options), Chance(seed, "setup"))


def ruling(game: Game, seat: int, answer: str) -> str:
    """Return the referee's ruling on an answer."""
    try:
        return game.read(seat, answer).text
    except IllegalMove as refused:
        return game.fallback(seat, Fault(refused.kind, refused.reason, refused.salvage))


def turn(game: Game, first: str = "WAIT", second: str = "WAIT") -> None:
    game.play({0: ruling(game, 0, first), 1: ruling(game, 1, second)})


def lose(game: Game, kind: FaultKind, seat: int = 0, other: str = "WAIT") -> Result:
    """Play a turn in which a seat faults without an answer; the game is then over."""
    game.play({seat: game.fallback(seat, Fault(kind)), 1 - seat: ruling(game, 1 - seat, other)})
    result = game.result()
    assert result is not None
    return result


def result_of(game: Game) -> Result:
    result = game.result()
    assert result is not None
    return result


def scores(game: Game) -> tuple[int, int]:
    """Return the scores as seat 0 reads them."""
    mine, other = game.prompt(0).split("\n", 2)[:2]
    return int(mine), int(other)


def cells(game: Game) -> list[Cell]:
    """As both seats read them."""
    lines = game.prompt(0).splitlines()[2:]
    return [Cell(int(a), int(b), int(c), d) for a, b, c, d in (line.split(" ") for line in lines)]


def owners(game: Game) -> str:
    """Return the owners of all cells, one character each: ``.`` where there is no track."""
    return "".join("." if cell.owner < 0 else str(cell.owner) for cell in cells(game))


def any_answer(setup: Json, rng: random.Random, bad: float = 0.0) -> str:
    """Return a varied answer: building, disrupting, messages; with probability ``bad`` one that loses the game."""
    width, height = len(setup["terrain"][0]), len(setup["terrain"])

    def place() -> str:
        return f"{rng.randrange(width + 1)} {rng.randrange(height + 1)}"

    def town() -> str:
        chosen = rng.choice(setup["towns"])
        return f"{chosen['x']} {chosen['y']}"

    makers: list[Callable[[], str]] = [
        lambda: f"AUTOPLACE {town()} {town()}",
        lambda: f"autoplace {place()} {place()}",
        lambda: f" PLACE_TRACKS {place()} ",
        lambda: f"PLACE_TRACKS {place()}",
        lambda: f"DISRUPT {rng.randrange(width * height)}",
        lambda: f"DISRUPT {rng.randrange(12)}",
        lambda: f"Disrupt {place()}",
        lambda: "MESSAGE choo choo",
        lambda: "WAIT",
    ]
    parts = [rng.choice(makers)() for _ in range(rng.randint(1, 5))]
    if rng.random() < bad:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(["", "WAIT now", "PLACE_TRACKS -1 2", "JUMP", "x"]))
    return ";".join(parts) + rng.choice(["", ";"])
