"""Runs the adapter for contest bots as the arbiter does: messages in, answers out."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arbiter.game import Json
from tests.tools import ROOT, missing

ADAPTER = ROOT / "protocols" / "drones" / "adapter.mjs"

MATCH: Json = {"type": "matchStart", "rounds": 2, "drawAllowed": True, "seat": 0, "fieldTie": "coin"}
ROUND: Json = {"type": "roundStart", "turns": 10, "defenderBonus": 1, "round": 1}
END: Json = {
    "type": "roundEnd",
    "outcome": "LOSE",
    "turnsPlayed": 2,
    "you": {"producers": 4, "soldiers": 0, "launchedAttack": False},
    "them": {"producers": 2, "soldiers": 2, "launchedAttack": True},
    "round": 1,
}


def asks(producers: float = 1, soldiers: float = 0) -> Json:
    """A turn message."""
    return {"type": "turn", "producers": producers, "soldiers": soldiers}


OPENING = (MATCH, ROUND, asks())


@dataclass(frozen=True, slots=True)
class Said:
    """All output of a bot."""

    answers: list[Json]
    stderr: str
    code: int


def node() -> str:
    """Return the path of a program; skip the test if it is missing."""
    found = shutil.which("node")
    if not found:
        missing("node is not installed")
    return found


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Put these files into a folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run_bot(file: Path, messages: Iterable[Json] = OPENING) -> Said:
    """Run a bot through the adapter until its input ends."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    ran = subprocess.run(
        [node(), ADAPTER, file.name],
        cwd=file.parent,
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return Said([json.loads(line) for line in ran.stdout.splitlines()], ran.stderr, ran.returncode)


def run_source(folder: Path, source: str, messages: Iterable[Json] = OPENING, name: str = "bot.js") -> Said:
    """Run the source text of a bot through the adapter."""
    write_files(folder, {name: source})
    return run_bot(folder / name, messages)
