"""Random play for ``arbiter check``, and what is unusual in a position."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Corpus, Variant

from .actions import RANDOM
from .levels import LEVELS

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from arbiter.game import Game


class GreenCircleCorpus(Corpus):
    """Games of all four levels."""

    variants: ClassVar[Sequence[Variant]] = (Variant(2), *(Variant(2, {"level": level}) for level in LEVELS))

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Release when possible in half of all cases, so that games end late but do end."""
        actions = game.view()["actions"]
        releases = [action for action in actions if action.startswith("RELEASE")]
        return game.read(seat, rng.choice(releases if releases and rng.random() < 0.5 else actions)).text

    def features(self, game: Game, seat: int) -> Iterator[str]:
        view = game.view()
        own, other = view["teams"][seat], view["teams"][1 - seat]
        yield f"level {view['level']}: {view['phase']}"
        yield f"phase {view['phase']}"
        yield from sorted({f"{action.split()[0]} is possible" for action in view["actions"] if action != RANDOM})
        if len(view["actions"]) > 50:
            yield "more than 50 possible actions"
        if own["score"] >= 4:
            yield "one release short of the end"
        if other["score"] >= 4:
            yield "the opponent is one release short of the end"
        if own["technical_debt"] >= 10:
            yield "ten technical debts"
        if not own["draw"]:
            yield "an empty draw pile"
        if own["automated"]:
            yield "an automated card"
        if own["daily_routine"]:
            yield "a daily routine"
        if not all(view["desks"]):
            yield "an empty desk"
        if not view["bonus_pool"]:
            yield "no bonus cards left"
        if view["phases"] >= view["max_phases"] - 4:
            yield "the last phases"
