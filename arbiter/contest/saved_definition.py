"""The match file in the folder of a contest: what it was run as, to look at it or to run it again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import yaml

from arbiter.contest.definition import Contest
from arbiter.contest.schedules import registry as schedules
from arbiter.errors import UserError
from arbiter.output_files import replace_file
from arbiter.records.reader import read_file

CONTEST_FILE = "contest.yaml"


def save_definition(contest: Contest, commitments: Iterable[str] = ()) -> None:
    """Write the match file of a contest, in one step, so that a crash leaves the old one or the new one."""
    definition = contest.definition
    schedule = schedules.schedule_as_data(contest.schedule)
    if not contest.seeded:  # a schedule with a seed is one whose deals follow from it
        del schedule["seed"]
    given: dict[str, object] = {
        "name": definition.name,
        **contest.labels,
        "protocol": definition.protocol,
        "agents": list(definition.agents),
        "given": list(definition.given),
        "base": str(Path(definition.base or ".").resolve()),
        "names": list(contest.names),
        "schedule": schedule,
        "commitments": list(commitments),
        **msgspec.to_builtins(definition.settings),
        "until": contest.question,
        "set_aside": contest.set_aside,
        **({"pause": True} if contest.pause else {}),
    }
    text = yaml.safe_dump(
        {name: value for name, value in given.items() if value not in ({}, [], "")}, sort_keys=False, allow_unicode=True
    )
    file = contest.folder / CONTEST_FILE
    text = f"# Written by 'arbiter'; run it again with: arbiter run {CONTEST_FILE}\n{text}"
    try:
        replace_file(file, text.encode())
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from None


def saved_definition(folder: Path) -> dict[str, Any]:
    """The keys of the match file in the folder of a contest; empty if there is none, or none that can be read."""
    with contextlib.suppress(UserError, ValueError, yaml.YAMLError):
        data = yaml.safe_load(read_file(folder / CONTEST_FILE).decode())
        return data if isinstance(data, dict) else {}
    return {}


def saved_texts(folder: Path, key: str) -> list[str]:
    """The texts in a list of the match file in the folder of a contest: its ``names``, or the ``commitments`` it has published."""
    found = saved_definition(folder).get(key)
    return [text for text in found if isinstance(text, str)] if isinstance(found, list) else []
