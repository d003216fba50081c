"""Games in the format of the contest site's replays (see :mod:`arbiter.game.site_replay`).

A replay contains both teams' answers, but not the cards they drew. So two keys are added to the object: ``options``, those of
the protocol, and ``setup``, the applications, the first draw piles, and the order of the cards in every reshuffle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from arbiter.game import BadSetup, ExternalGame, ExternalGameFormat, ExternalMove
from arbiter.game.site_replay import SiteAnswer, SiteReplay, is_site_replay, read_site_replay, write_site_replay

from .actions import RANDOM
from .setup import SEATS

if TYPE_CHECKING:
    from arbiter.game import Game

    from .office import Office

_FIRST_ANSWER: Final = re.compile(r"(?:MOVE \d|RANDOM)")
_PICKED: Final = re.compile(r"chance picks ([^:]+):")


class SiteFormat(ExternalGameFormat):
    """Reads and writes these files."""

    def recognises(self, text: str) -> bool:
        return is_site_replay(text, _FIRST_ANSWER)

    def read(self, text: str) -> ExternalGame:
        replay = read_site_replay(text, SEATS)
        if "setup" not in replay.added:
            raise BadSetup(
                'the replay does not say which cards were drawn: add "setup", an object with applications, piles and draws as '
                "'arbiter export --format original' writes it"
            )
        options = replay.added.get("options", {})
        if not isinstance(options, dict):
            raise BadSetup("options must be an object")
        turns = tuple((_move(answer),) for answer in replay.answers)
        return ExternalGame(replay.names, replay.added["setup"], turns, options=options, scores=replay.scores)

    def write(self, game: Game, saved: ExternalGame) -> str:
        office: Office = game.office  # type: ignore[attr-defined]
        answers = []
        for (move,) in saved.turns:
            answers.append(SiteAnswer(move.seat, "" if move.fault else move.move, "\n".join(move.kibitz)))
            game.play({move.seat: move.move})
            if move.move == RANDOM and (picked := _PICKED.match(office.news[0])):
                answers[-1] = SiteAnswer(move.seat, picked[1], answers[-1].stderr)
        setup: dict[str, Any] = {**saved.setup, "draws": [team.reshuffled for team in office.teams]}
        result = game.result()
        added = {"options": dict(saved.options), "setup": setup}
        scores, ranks = (result.scores, result.ranks) if result else ((), ())
        return write_site_replay(SiteReplay(saved.names, tuple(answers), tuple(scores), added), ranks)


def _move(answer: SiteAnswer) -> ExternalMove:
    kibitz = tuple(answer.stderr.splitlines())
    fault = "" if answer.stdout else "the replay has no output of this player"
    return ExternalMove(answer.seat, answer.stdout, fault, kibitz)
