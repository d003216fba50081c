"""The drawings of the bundled protocols, by name: :mod:`arbiter.testing.drawing`, for positions of games and samples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from arbiter.game import Chance, Game, OptionValue, Protocol
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay
from arbiter.testing import drawing
from arbiter.testing.drawing import DrawnPosition, Tree, elements, node, texts
from tests.tools import ROOT, missing

__all__ = [
    "DrawnPosition",
    "draw_all",
    "keyed",
    "marked",
    "opened",
    "played",
    "reach_request",
    "reachable",
    "recorded",
    "run",
    "spread",
    "texts",
]


def opened(name: str, seats: int, seed: int = 1, **options: OptionValue) -> Game:
    """Open a game of a protocol with the setup of this seed."""
    protocol = protocol_of(name)
    return protocol.start(seats, options, protocol.setup(seats, options, Chance(seed, "setup")), Chance(seed))


def protocol_of(name: str) -> Protocol:
    found = import_module(f"protocols.{name}").protocol
    assert isinstance(found, Protocol)
    return found


def recorded(name: str) -> tuple[list[str], list[DrawnPosition]]:
    """Return the seats' names and the positions of the bundled sample game."""
    record = load_record(ROOT / "matches" / "samples" / f"{name}.jsonl")
    replay = Replay(record, protocol_of(name))
    positions = [DrawnPosition(replay.game.view(), None, 0, {})]
    answered: dict[int, str] = {}
    for turn, lines in replay:
        if turn > 1:
            positions.append(DrawnPosition(replay.game.view(), positions[-1].view, turn - 1, answered))
        answered = {line.seat: line.move for line in lines}
    positions.append(DrawnPosition(replay.game.view(), positions[-1].view, len(positions), answered))
    return [seat.name for seat in record.header.seats], positions


def drawing_of(name: str) -> Path:
    """Return the drawing of a protocol; skip the test if there is no Node to run it with."""
    if node() is None:
        missing("node is not installed: drawings are JavaScript")
    return ROOT / "protocols" / name / "drawing.js"


def run(name: str, requests: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Send requests to draw.mjs and return its answers."""
    return drawing.run_drawing(drawing_of(name), requests)


def spread(positions: Sequence[DrawnPosition], most: int = 12) -> Sequence[DrawnPosition]:
    """Return positions from the whole of a game, the first and the last among them; every one is drawn four times.

    About ``most`` of them, since neighbouring positions differ in one move only.
    """
    return [*positions[:: max(1, len(positions) // most)], positions[-1]]


def draw_all(name: str, positions: Sequence[DrawnPosition], names: Sequence[str], **more: Any) -> list[Tree]:
    """Draw every position in both layouts and check each drawing; return the wide ones, then the narrow ones."""
    return drawing.draw_games(drawing_of(name), [(positions, names)], **more)


def reachable(name: str, game: Game, choices: Sequence[str], most: int = 3000) -> set[str]:
    """Return the answers that a person can give by clicking, in this position."""
    (found,) = run(name, [reach_request(game, choices, most)])
    return set(found["answers"])


def reach_request(game: Game, choices: Sequence[str], most: int = 3000) -> dict[str, Any]:
    """Return the request for the answers that a person can give in this position; several take one run of Node."""
    position = DrawnPosition(game.view(), None, 1, {})
    context = position.context(["a"] * 4, choices=list(choices), person=game.to_move()[0], most=most)
    return {"view": position.view, "context": context, "reach": True}


def played(game: Game, choose: Callable[[int], str], most: int = 400) -> list[DrawnPosition]:
    """Play a game and return its positions."""
    positions = [DrawnPosition(game.view(), None, 0, {})]
    while game.result() is None and len(positions) < most:
        moves = {seat: choose(seat) for seat in game.to_move()}
        game.play(moves)
        positions.append(DrawnPosition(game.view(), positions[-1].view, len(positions), moves))
    return positions


def marked(tree: Tree, kind: str) -> list[Tree]:
    """Return the elements of a class."""
    return [node for node in elements(tree) if kind in str(node["attributes"].get("class", "")).split()]


def keyed(tree: Tree) -> dict[str, str]:
    """Return the positions of the elements that have a key."""
    return {
        node["attributes"]["key"]: node["attributes"]["transform"]
        for node in elements(tree)
        if "key" in node["attributes"]
    }
