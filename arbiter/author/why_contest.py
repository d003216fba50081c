"""Why an agent loses games of a contest: by seat, opponent, opening and kind of fault, with the games to look at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import sqrt

import msgspec

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import Record
from arbiter.records.replay import Replay
from arbiter.records.scoring import SeatResult, points, seat_result
from arbiter.registry import find_protocol
from arbiter.seat_names import seat_label

OPENING_MOVES = 2
_FEWEST = 3
"""Games that an opening must occur in to be listed."""
_NOTABLE = 2.0
"""Standard errors by which a share must lie below that of all games to be marked."""
_LOOK_AT = 5
_IN_WORDS = 10
"""Openings that are described in words, for which a game with each is replayed."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """How an agent does in some of its games."""

    what: str
    games: int
    lost: int
    points: float
    """From 0 to 1, per game."""
    notable: bool
    """Whether it does worse here than in all games by more than chance explains."""
    example: str
    """The record of a lost game; empty if there is none."""


class LostGame(msgspec.Struct, frozen=True, kw_only=True):
    """A lost game to look at, and why that one."""

    record: str
    because: str


class AgentStory(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent loses in games of one protocol."""

    name: str
    protocol: str
    games: int
    won: int
    drew: int
    lost: int
    seats: list[Share]
    opponents: list[Share]
    openings: list[Share]
    """By its own first moves."""
    faults: list[Share]
    """Games with at least one fault of a kind."""
    look_at: list[LostGame]


class _Seen(msgspec.Struct, frozen=True):
    """One game from the seat of the agent."""

    record: Record
    seat: int

    @property
    def ranks(self) -> Sequence[int]:
        if self.record.result is None:
            raise AssertionError("only finished games are looked at")
        return self.record.result.ranks

    @property
    def points(self) -> float:
        return points(self.ranks, self.seat, "places")

    @property
    def ending(self) -> SeatResult:
        return seat_result(self.ranks, self.seat)

    @property
    def margin(self) -> float:
        """How far behind the best other seat it ended."""
        scores = self.record.result.scores if self.record.result else []
        return max((score for seat, score in enumerate(scores) if seat != self.seat), default=0.0) - scores[self.seat]

    @property
    def fault_kinds(self) -> list[str]:
        own = (line for line in self.record.answers if line.seat == self.seat and line.fault)
        return list(dict.fromkeys(line.fault.kind for line in own if line.fault))


def stories(records: Iterable[Record], agent: str | None = None) -> list[AgentStory]:
    """Return the stories of an agent, or of all agents, one for each protocol; those with the fewest points come first.

    Only finished games count.
    """
    seen: dict[tuple[str, str], list[_Seen]] = defaultdict(list)
    for record in records:
        if record.result is not None and record.annulled is None:
            for seat, name in enumerate(record.names):
                if agent in (None, name):
                    seen[name, record.header.protocol].append(_Seen(record, seat))
    workspace = Workspace()
    found = [_story(name, protocol, games, workspace) for (name, protocol), games in seen.items()]
    return sorted(found, key=lambda story: (story.won + story.drew / 2) / story.games)


def _story(name: str, protocol: str, games: list[_Seen], workspace: Workspace) -> AgentStory:
    endings = [game.ending for game in games]
    return AgentStory(
        name=name,
        protocol=protocol,
        games=len(games),
        won=endings.count(SeatResult.WON),
        drew=endings.count(SeatResult.DREW),
        lost=endings.count(SeatResult.LOST),
        seats=_shares(games, lambda game: [_seat(game, workspace)]),
        opponents=_shares(games, lambda game: dict.fromkeys(other for other in game.record.names if other != name)),
        openings=_in_words(_shares(games, _opening, fewest=_FEWEST), games, workspace),
        faults=_shares(games, lambda game: game.fault_kinds),
        look_at=_look_at(games),
    )


def _in_words(openings: list[Share], games: Sequence[_Seen], workspace: Workspace) -> list[Share]:
    """Describe the first of the openings as the protocol does, from a game with each."""
    examples = {opening: game for game in games for opening in _opening(game)}
    shown = [
        msgspec.structs.replace(share, what=_described(examples[share.what], workspace) or share.what)
        for share in openings[:_IN_WORDS]
    ]
    return [*shown, *openings[_IN_WORDS:]]


def _described(game: _Seen, workspace: Workspace) -> str:
    """Return the first moves of a seat in words; empty if the game cannot be replayed here."""
    words: list[str] = []
    try:
        replay = Replay(game.record, find_protocol(game.record.header.protocol, workspace))
        for _, lines in replay:
            words += [replay.describe(line) for line in lines if line.seat == game.seat]
            if len(words) >= OPENING_MOVES:
                break
    except UserError:
        return ""
    return " / ".join(words)


def _seat(game: _Seen, workspace: Workspace) -> str:
    try:
        return seat_label(find_protocol(game.record.header.protocol, workspace), game.seat)
    except UserError:  # a protocol that is not installed here
        return f"seat {game.seat}"


def _opening(game: _Seen) -> list[str]:
    own = [line.move for line in game.record.answers if line.seat == game.seat]
    return [" / ".join(own[:OPENING_MOVES])] if own else []


def _shares(games: Sequence[_Seen], keys: Callable[[_Seen], Iterable[str]], fewest: int = 1) -> list[Share]:
    groups: dict[str, list[_Seen]] = defaultdict(list)
    for game in games:
        for key in keys(game):
            groups[key].append(game)
    overall = sum(game.points for game in games) / len(games)
    found = [_share(what, members, overall) for what, members in groups.items() if len(members) >= fewest]
    return sorted(found, key=lambda share: (share.points, -share.games, share.what))


def _share(what: str, games: Sequence[_Seen], overall: float) -> Share:
    mean = sum(game.points for game in games) / len(games)
    # With few games of one result the sample tells nothing about the spread: use that of a coin with the overall share.
    error = sqrt(max(overall * (1 - overall), 0.01) / len(games))
    lost = [game for game in games if game.ending is SeatResult.LOST]
    return Share(
        what=what,
        games=len(games),
        lost=len(lost),
        points=mean,
        notable=overall - mean > _NOTABLE * error,
        example=str(max(lost, key=lambda game: game.margin).record.path) if lost else "",
    )


def _look_at(games: Sequence[_Seen]) -> list[LostGame]:
    """Choose a few lost games: those with faults, then the clearest, the shortest and the closest."""
    lost = [game for game in games if game.ending is SeatResult.LOST]
    faulty = [game for game in lost if game.fault_kinds]
    chosen: dict[str, str] = {}
    for game in faulty[:2]:
        chosen.setdefault(str(game.record.path), f"lost with a fault: {', '.join(game.fault_kinds)}")
    if lost:
        clearest, closest = max(lost, key=lambda game: game.margin), min(lost, key=lambda game: game.margin)
        shortest = min(lost, key=lambda game: len(game.record.answers))
        chosen.setdefault(str(clearest.record.path), "the clearest loss")
        chosen.setdefault(str(shortest.record.path), "the quickest loss")
        chosen.setdefault(str(closest.record.path), "the closest loss")
    return [LostGame(record=record, because=because) for record, because in list(chosen.items())[:_LOOK_AT]]
