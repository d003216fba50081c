"""The games of OpenSpiel that can be played here, and a protocol for each."""

from __future__ import annotations

import functools
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyspiel

from arbiter.game import BadSetup, Chance, Game, GameLibrary, Json, Option, Options, Protocol

from .game import SpielGame

_PLAYERS = ("players", "num_players", "numPlayers")
"""What OpenSpiel's games call the number of players."""
_SEED = "rng_seed"
"""The seed of games that draw by a generator of their own."""
_TYPES = (bool, int, float, str)
_FOR_PROGRAMS = re.compile("egocentric|tensor|ansi_color")
"""Parameters of what OpenSpiel shows to learning programs, which nobody sees here."""
_TRIAL_S = 20
_TRIAL = """
import json, sys, pyspiel
state = pyspiel.load_game(sys.argv[1], json.loads(sys.argv[2])).new_initial_state()
while state.is_chance_node():
    state.apply_action(state.chance_outcomes()[0][0])
str(state)
for seat in range(state.get_game().num_players()):
    for action in state.legal_actions(seat):
        state.action_to_string(seat, action)
"""
"""Loads a game and looks at its first position."""
UNPLAYABLE: Mapping[str, str] = {
    "add_noise": "wraps another game",
    "cached_tree": "wraps another game",
    "efg_game": "is read from a file",
    "misere": "wraps another game",
    "nfg_game": "is read from a file",
    "normal_form_extensive_game": "wraps another game",
    "repeated_game": "wraps another game",
    "repeated_poker": "needs the definition of a poker game",
    "restricted_nash_response": "wraps another game",
    "start_at": "wraps another game",
    "turn_based_simultaneous_game": "wraps another game",
    "zerosum": "wraps another game",
}
"""Games for two or more players that cannot be played here, with the reason."""


class SpielProtocol(Protocol):
    """One game of OpenSpiel; :func:`_protocol` makes a subclass of it for each."""

    version = 1
    lifetime = "game"
    seat_word = "player"
    limits: ClassVar[Mapping[str, str]] = {"move": "1s", "first_move": "3s", "memory": "1GB"}
    on_fault = "the player forfeits, and the game is over"
    help = "one of the legal moves, as it is listed, or its number"
    fixed: ClassVar[Sequence[str]] = ()
    """The parameters that the arbiter sets: the number of players and the seed, where the game has them."""

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        """Draw what is dealt before the first move, and the seed of a game with a generator of its own."""
        seed = 1 + chance.below(2**31 - 2)
        return {"seed": seed, "dealt": SpielGame.deal(self._load(seats, options, seed), chance)}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        """Open a game."""
        if not isinstance(setup, dict) or type(setup.get("seed")) is not int or not 0 < setup["seed"] < 2**31:
            raise BadSetup('a setup must be an object such as {"seed": 1, "dealt": []}')
        return SpielGame(self._load(seats, options, setup["seed"]), setup.get("dealt"), chance)

    def _load(self, seats: int, options: Options, seed: int) -> Any:
        # Not the defaults: some games refuse what they list as theirs, such as an empty FEN.
        defaults = {option.name: option.default for option in self.options}
        chosen = {name: value for name, value in options.items() if value != defaults[name]}
        parameters = chosen | {name: seed if name == _SEED else seats for name in self.fixed}
        if chosen and (
            problem := _tried(self.name, json.dumps(parameters | dict.fromkeys({_SEED} & parameters.keys(), 1)))
        ):
            raise BadSetup(f"OpenSpiel cannot play with {', '.join(f'{k}={v}' for k, v in chosen.items())}: {problem}")
        return pyspiel.load_game(self.name, parameters)


class OpenSpiel(GameLibrary):
    """All its games with two or more seats."""

    title = "OpenSpiel"

    def names(self) -> Sequence[str]:
        return sorted(_types())

    def find(self, name: str) -> Protocol | None:
        found = _types().get(name)
        return found and _protocol(found)


@functools.cache
def _types() -> Mapping[str, Any]:
    several = (each for each in pyspiel.registered_games() if each.max_num_players > 1)
    return {each.short_name: each for each in several if each.default_loadable and each.short_name not in UNPLAYABLE}


def _protocol(kind: Any) -> Protocol:
    parameters: Mapping[str, Any] = kind.parameter_specification
    counted = [name for name in _PLAYERS if name in parameters]
    seats = (max(2, kind.min_num_players), kind.max_num_players)
    if not counted:
        seats = (pyspiel.load_game(kind.short_name).num_players(),) * 2
    fixed = [*counted, *([_SEED] if _SEED in parameters else [])]
    options = [
        Option(name, value, "a parameter of OpenSpiel", minimum=min(value, 1) if type(value) is int else None)
        for name, value in sorted(parameters.items())
        if name not in fixed and name.isidentifier() and isinstance(value, _TYPES) and not _FOR_PROGRAMS.search(name)
    ]
    attributes = {
        "__module__": __name__,
        "name": kind.short_name,
        "title": kind.long_name,
        "summary": f"{kind.long_name}: {_described(kind)}",
        "seats": seats,
        "simultaneous": kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
        "options": tuple(options),
        "fixed": fixed,
    }
    made: Protocol = type("SpielProtocolOf" + kind.short_name, (SpielProtocol,), attributes)()
    return made


@functools.cache
def _tried(name: str, parameters: str) -> str:
    """Return why OpenSpiel cannot play a game with these parameters, which are JSON; empty if it can. Some values are refused only by
    the first position, and others end the process, so this is tried in another one."""
    command = [sys.executable, "-c", _TRIAL, name, parameters]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_TRIAL_S, check=False)
    except subprocess.TimeoutExpired:
        return f"its first position takes more than {_TRIAL_S} s"
    if not done.returncode:
        return ""
    said = done.stderr.strip().splitlines()
    return said[-1][:300] if said else f"it ends with signal {-done.returncode}"


def _described(kind: Any) -> str:
    """Return what a game is like, such as ``hidden information, chance``."""
    hidden = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    words = ["hidden information" if hidden else "open information"]
    if kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC:
        words.append("chance")
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        words.append("moves at the same time")
    return ", ".join(words)


library = OpenSpiel()
