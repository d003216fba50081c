"""Results that are hidden until the organiser publishes them."""

from __future__ import annotations

from dataclasses import replace

from arbiter.arena.config import CONTESTS, HIDDEN
from arbiter.arena.lobby import Lobby

HIDE = "hide results"
"""The key in the store of whether official games are hidden when they start."""


def hide(lobby: Lobby) -> None:
    """Hide official games that start from now on, even after a restart."""
    lobby.use(replace(lobby.config, hide_results=True))
    lobby.store.set_setting(HIDE, "yes")


def stop_hiding(lobby: Lobby) -> None:
    """Stop hiding games that start from now on."""
    lobby.use(replace(lobby.config, hide_results=False))
    lobby.store.set_setting(HIDE, "")


def publish(lobby: Lobby) -> list[str]:
    """Publish the finished games that are hidden; return their ids."""
    config, shown = lobby.config, []
    for row in lobby.store.games(["official", "queue"], ["finished", "aborted"], most=100_000):
        if row.record.startswith((f"{HIDDEN}/", f"{CONTESTS}/")):
            path = config.publish(config.records / row.record)
            path = config.put_away(path) if row.status == "aborted" else path
            public = replace(row, record=str(path.relative_to(config.records)))
            lobby.store.save(public)
            if game := lobby.find(row.id):
                game.row, game.record = public, path
            shown.append(row.id)
    return shown
