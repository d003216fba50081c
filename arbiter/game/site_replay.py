"""Replays of the contest site CodinGame, as its API returns them for a game.

One JSON object, perhaps as the value of ``success``: ``frames``, ``agents``, ``scores``, ``ranks``, ``gameId``, ``refereeInput``. A frame has
``agentId``, -1 for the referee; ``stdout`` and ``stderr`` of that agent, each only if it printed something; ``gameInformation`` and
``summary``, texts about what happened; ``view``, what the site's viewer draws; ``keyframe``. An agent has ``index`` and either
``codingamer`` with a ``pseudo`` or ``arenaboss`` with a ``nickname``. A user only gets the ``stderr`` of their own agent.

A replay has no setup, so a format that is based on this one takes it from keys that were added to the object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arbiter.game.options import BadSetup
from arbiter.game.text import quoted

_STDOUT = re.compile(r'"stdout"\s*:\s*"((?:[^"\\]|\\.){0,2000})')


class SiteAnswer(msgspec.Struct, frozen=True):
    """What one agent printed when it was asked."""

    seat: int
    stdout: str
    """Without the line end; empty if the agent printed nothing, for which the site declares it defeated."""
    stderr: str = ""


class SiteReplay(msgspec.Struct, frozen=True):
    """The part of a replay that says what agents did."""

    names: tuple[str, ...]
    answers: tuple[SiteAnswer, ...]
    scores: tuple[float, ...]
    """By seat; empty if the file has none."""
    added: Mapping[str, Any]
    """The whole object, for keys that the site does not write."""


def json_object(text: str, lists: Sequence[str] = ()) -> dict[str, Any]:
    """Return a JSON object in which these keys are lists. Raises BadSetup."""
    try:
        import json  # slow to import, and few games are converted

        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSetup(f"not a JSON object: {error}") from None
    if not isinstance(data, dict) or not all(isinstance(data.get(key), list) for key in lists):
        raise BadSetup(f"must be an object with the lists {', '.join(lists)}" if lists else "must be an object")
    return data


def has_keys(text: str, keys: Sequence[str]) -> bool:
    """Return whether a text looks like a JSON object with these keys, without parsing it."""
    return text.lstrip()[:1] == "{" and all(f'"{key}"' in text for key in keys)


def is_site_replay(text: str, answer: re.Pattern[str]) -> bool:
    """Return whether a text looks like a replay in which the first output of an agent matches ``answer``."""
    if not has_keys(text, ("frames", "agentId")):
        return False
    first = _STDOUT.search(text)
    return first is not None and answer.match(first[1]) is not None


def read_site_replay(text: str, seats: int) -> SiteReplay:
    """Parse a replay. Raises BadSetup with the reason."""
    data = json_object(text)
    inner = data.get("success")
    data = inner if isinstance(inner, dict) else data
    frames = data.get("frames")
    if not isinstance(frames, list):
        raise BadSetup("must be an object with the list frames")
    answers = [answer for number, frame in enumerate(frames) if (answer := _answer(frame, number, seats))]
    return SiteReplay(_names(data.get("agents"), seats), tuple(answers), _scores(data.get("scores"), seats), data)


def write_site_replay(replay: SiteReplay, ranks: Sequence[int] = ()) -> str:
    """Return a replay as the site writes it, without a view; ``replay.added`` is written first."""
    frames: list[dict[str, Any]] = [{"agentId": -1, "gameInformation": "", "keyframe": True, "view": ""}]
    for answer in replay.answers:
        frame: dict[str, Any] = {"agentId": answer.seat, "gameInformation": "", "keyframe": True, "view": ""}
        frame |= {"stdout": f"{answer.stdout}\n"} if answer.stdout else {}
        frame |= {"stderr": answer.stderr} if answer.stderr else {}
        frames.append(frame)
    document = {
        **replay.added,
        "agents": [{"index": seat, "codingamer": {"pseudo": name}} for seat, name in enumerate(replay.names)],
        "scores": list(replay.scores),
        "ranks": [rank - 1 for rank in ranks],
        "frames": frames,
    }
    import json

    return json.dumps(document, separators=(",", ":")) + "\n"


def _answer(frame: Any, number: int, seats: int) -> SiteAnswer | None:
    """Return what an agent did in a frame; None for a frame of the referee."""
    if not isinstance(frame, dict):
        raise BadSetup(f"frame {number} must be an object, not {quoted(frame)}")
    seat, stdout, stderr = frame.get("agentId", -1), frame.get("stdout") or "", frame.get("stderr") or ""
    if type(seat) is not int or not -1 <= seat < seats:
        raise BadSetup(f"frame {number}: agentId must be -1 to {seats - 1}, not {quoted(seat)}")
    if not isinstance(stdout, str) or not isinstance(stderr, str):
        raise BadSetup(f"frame {number}: stdout and stderr must be strings")
    return None if seat < 0 else SiteAnswer(seat, stdout.strip("\r\n"), stderr)


def _names(agents: Any, seats: int) -> tuple[str, ...]:
    names = [f"player {seat}" for seat in range(seats)]
    for place, agent in enumerate(agents if isinstance(agents, list) else []):
        index = agent.get("index", place) if isinstance(agent, dict) else None
        if type(index) is not int or not 0 <= index < seats:
            raise BadSetup(f"agents: {quoted(agent)} is not one of {seats} agents")
        for kind, key in (("codingamer", "pseudo"), ("arenaboss", "nickname")):
            who = agent.get(kind)
            if isinstance(who, dict) and isinstance(who.get(key), str):
                names[index] = who[key]
    return tuple(names)


def _scores(scores: Any, seats: int) -> tuple[float, ...]:
    if scores is None or scores == []:
        return ()
    if not isinstance(scores, list) or len(scores) != seats or not all(type(score) in (int, float) for score in scores):
        raise BadSetup(f"scores must be {seats} numbers, not {quoted(scores)}")
    return tuple(map(float, scores))
