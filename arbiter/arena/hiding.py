"""Results that are kept back until the organiser shows them."""

from __future__ import annotations

from dataclasses import replace

from arbiter.arena.hall import Hall
from arbiter.arena.making import HIDDEN

HIDE = "hide results"
"""A fact of the store: whether official games are hidden when they start."""


def hide(hall: Hall) -> None:
    """Hide the official games that start from now on, also after a restart."""
    hall.use(replace(hall.making, hide_results=True))
    hall.store.set_fact(HIDE, "yes")


def stop_hiding(hall: Hall) -> None:
    """Hide no game that starts from now on."""
    hall.use(replace(hall.making, hide_results=False))
    hall.store.set_fact(HIDE, "")


def publish(hall: Hall) -> list[str]:
    """Show the games that are over and have been hidden so far; return their ids."""
    making, shown = hall.making, []
    for row in hall.store.games(["official", "queue"], ["finished", "aborted"], most=100_000):
        if row.record.startswith(f"{HIDDEN}/"):
            path = making.publish(making.records / row.record)
            public = replace(row, record=str(path.relative_to(making.records)))
            hall.store.save(public)
            if game := hall.find(row.id):
                game.row, game.record = public, path
            shown.append(row.id)
    return shown
