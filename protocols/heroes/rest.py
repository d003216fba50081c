"""The contest's HTTP API: what its clients send and receive."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, ClassVar, Final

from arbiter.game import BadSetup, RestWire, quoted

from .game import HeroesGame
from .library import NAMES
from .wire import addresses_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arbiter.game import Game, Json, OptionValue

_MOST_TURNS: Final = 600
_LARGEST_MAP: Final = 64
_LONGEST_S: Final = 3600
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_MAP: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{delay}"><link rel="stylesheet" href="/static/page.css">
<title>A map</title><pre>{board}</pre></html>
"""
_PLAIN_MAPS: Final = tuple(name for name in NAMES if name != "seed")
"""Maps without spikes, which clients of Vindinium do not know."""


class HeroesRest(RestWire):
    """The API of the contest's server."""

    prefix = "Blitz - "
    training_path = "/api/training"
    join_path = "/api/arena"
    play_path = "/api/{game}/{token}/play"
    id_key = "gameId"
    move_key = "dir"
    streams: ClassVar[Mapping[str, str]] = {
        "events": "/events/{game}",
        "playing": "/now-playing",
        "available": "/now-available",
        "team_playing": "/ai/{team}/now-playing",
    }
    redirects: ClassVar[Mapping[str, str]] = {"/tv": "/newest", "/ai": "/", "/ai/{team}": "/team?name={team}"}
    drawings: ClassVar[Sequence[str]] = ("/map/{delay}",)

    def options(self, wanted: Mapping[str, object], pick: Callable[[Sequence[str]], str]) -> dict[str, OptionValue]:
        chosen: dict[str, OptionValue] = {}
        if (turns := _number(wanted.get("turns"))) is not None:
            chosen["rounds"] = min(max(turns, 1), _MOST_TURNS)
        chart = wanted.get("map")
        if isinstance(chart, dict):
            chosen["map"] = _drawn(chart)
        else:
            name = str(chart if chart is not None else "").strip()
            if name and name not in NAMES:
                raise BadSetup(f"unknown map {quoted(name)}; choose from {', '.join(NAMES)}")
            chosen["map"] = name or pick(_PLAIN_MAPS)
        return chosen

    def finished(self, options: Mapping[str, object]) -> str:
        # Clients of the ancestor end with exactly this sentence.
        return "Vindinium - The game is finished" if options.get("preset") == "vindinium" else super().finished(options)

    def opening(self, setup: Json, game_id: str, absent: Sequence[int]) -> Json:
        if not isinstance(setup, dict):
            raise BadSetup("the setup must be an object")
        own: dict[str, Json] = {**setup, "id": game_id}
        if absent:
            own["absent"] = [seat + 1 for seat in sorted(absent)]
        return own

    def addressed(self, prompt: str, token: str, view_url: str, play_url: str) -> str:
        # Quotes inside strings are escaped, so the text of this key occurs once.
        state, _, _ = prompt.rpartition('"token":')
        return state + addresses_of(token, view_url, play_url)

    def drawn(self, given: Mapping[str, str], game: Callable[[], Game]) -> str:
        """Show a random map, and another one every ``delay`` seconds."""
        delay = given["delay"]
        if not delay.isdecimal() or not 1 <= int(delay[:6]) <= _LONGEST_S:
            raise BadSetup(f"{quoted(delay)}: must be a number of seconds, from 1 to {_LONGEST_S}")
        board = _COLOUR.sub("", game().display().board())
        return _MAP.format(delay=int(delay), board=html.escape(board))

    def spectate(self, game: Game, see: Callable[[str], None]) -> None:
        if not isinstance(game, HeroesGame):
            raise TypeError("not a game of Heroes")
        game.after_ply = lambda: see(_public(game))
        # Plies of heroes that are absent from the start have already been played, before spectators could watch.


def _public(game: HeroesGame) -> str:
    state, _, _ = game.writer.state(0, "}").partition(',"hero":')
    return state.removeprefix('{"game":')


def _number(value: object) -> int | None:
    """Read a number as leniently as the contest's server; None if there is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return int(max(-1, min(value, _MOST_TURNS))) if value == value else None  # noqa: PLR0124 - not for NaN
    text = str(value).strip()
    return int(text[:10]) if re.fullmatch(r"[+-]?[0-9]+", text) else None


def _drawn(chart: Mapping[str, object]) -> str:
    """Return the text of a map that was sent as its size and tiles."""
    size, tiles = chart.get("size"), chart.get("tiles")
    if not isinstance(size, int) or not isinstance(tiles, str) or not 0 < size <= _LARGEST_MAP:
        raise BadSetup("a map must be the name of one, or an object with size and tiles")
    if len(tiles) != 2 * size * size:
        raise BadSetup(f"a map of size {size} must have {2 * size * size} characters of tiles, not {len(tiles)}")
    return "\n".join(tiles[start : start + 2 * size] for start in range(0, len(tiles), 2 * size)) + "\n"
