"""A game with people at browsers, played in a thread of this process."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arbiter.agents.ask.human import Abandoned
from arbiter.config.game_settings import GameSettings
from arbiter.playing.plan import Plan
from arbiter.playing.planning import make_plan
from arbiter.playing.report import PlayReport
from arbiter.playing.series import play_series
from arbiter.web.person import People, people_at_browsers


@dataclass(slots=True)
class Playing:
    """A series that is being played."""

    people: People
    addresses: dict[str, str]
    reports: list[PlayReport] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The page of the first person."""
        return next(iter(self.addresses.values()))

    def request(
        self, path: str = "", said: object = None, headers: dict[str, str] | None = None, url: str = ""
    ) -> tuple[int, Any]:
        """Send one request to the data of the first person's page; JSON is posted."""
        parts = urlsplit(url or self.url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=600)
        try:
            if said is None:
                connection.request("GET", f"/data{parts.path}{path}")
            else:
                sent = {"content-type": "application/json", **(headers or {})}
                body = said if isinstance(said, bytes) else json.dumps(said).encode()
                connection.request("POST", f"/data{parts.path}{path}", body, sent)
            response = connection.getresponse()
            body = response.read()
            with contextlib.suppress(ValueError):
                return response.status, json.loads(body)
            return response.status, body.decode()
        finally:
            connection.close()


@contextlib.contextmanager
def playing(
    protocol: str,
    agents: Sequence[str],
    save: Path,
    *,
    options: Mapping[str, Any] | None = None,
    games: int = 1,
    seed: int = 1,
) -> Iterator[Playing]:
    """Play for the time of the block; the people leave at its end if the games still go on."""
    plan = make_plan(protocol, agents, GameSettings(options=options or {}, sandbox="none"), save=save)
    names = [entrant.agent.name for entrant in plan.entrants if entrant.agent.is_human]
    with people_at_browsers(names) as (people, addresses):
        run = Playing(people, addresses)
        thread = threading.Thread(target=_play, args=(run, plan, games, seed), daemon=True)
        thread.start()
        try:
            yield run
        finally:
            while thread.is_alive():
                for key in people.keys.values():
                    if played := people.person_game(key):
                        played.seat.leave()
                thread.join(0.05)


def _play(run: Playing, plan: Plan, games: int, seed: int) -> None:
    try:
        run.reports.append(
            play_series(
                plan,
                games=games,
                seed=seed,
                on_record=run.people.begin,
                person=lambda game, seat, name: run.people.sit(game, seat, name, plan.protocol.help),
            )
        )
    except Abandoned as left:
        run.left.append(str(left))
