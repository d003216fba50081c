"""What agents legitimately need, in the same form as the attacks: it works at every level and in every language."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.game import Lifetime

from .rows import OK, Ladder, Row, by, each

EXTENSIONS = ("c", "cpp", "rs", "py", "js", "java", "cs", "pl")
COMPILED = ("c", "cpp", "rs")
"""Compiled once, as the user who has the compiler, and run by every user."""

_USES: Mapping[str, Ladder] = {**each(by(OK), "threads", "temporary", "data", "large"), "state": by("2")}
_PYTHON = {
    **_USES,
    # A fresh folder for every game of a protocol that does not allow agents to remember the last one.
    "state": by("4", rlimits="2"),
    "home": by("elsewhere", rlimits=OK),
}
_LEAVES = {"program": by("changed", rlimits="same"), "temporary": by("litter|-", rlimits="-")}
"""Without a sandbox it runs in the folder of its program and is responsible for its temporary files."""


_SLOW_STARTERS = ("js", "java", "cs")


def _needs(agent: str, saw: Mapping[str, Ladder], variant: str, games: int = 1) -> Row:
    lifetime: Lifetime = "game" if variant[1:] in _SLOW_STARTERS else "move"
    limits = {"move": "30s", "first_move": "30s"}
    return Row(
        0, "uses what it may", agent, saw=saw, after=_LEAVES, limits=limits, lifetime=lifetime, turns=4,
        games=games, source="needs", variant=variant, lowest="none" if agent.endswith(".py") else "landlock",
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *(_needs(f"needs.{name}", _USES, f"_{name}") for name in EXTENSIONS if name != "py"),
    _needs("needs.py", {**_PYTHON, "package": by("absent")}, "_py", games=2),
    _needs("needs.py", {**_PYTHON, "package": by(OK)}, "_virtual_environment", games=2),
    _needs("needs.py", {**_PYTHON, "package": by("absent")}, "_private_folder", games=2),
    Row(
        0, "remembers, as Splendor allows", "notes.py", saw={"state": by("4")}, after=_LEAVES, lifetime="move",
        games=2, source="needs", protocol="splendor",
    ),
)  # fmt: skip
VIRTUAL = next(row for row in ROWS if row.variant == "_virtual_environment")
PRIVATE = next(row for row in ROWS if row.variant == "_private_folder")
