"""Match files: a contest in YAML. The folder of each contest has one as well, from which it can be run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arbiter.config import game_settings
from arbiter.config.workspace import Workspace
from arbiter.config.yaml_file import YamlFile
from arbiter.contest.definition import SET_ASIDE, Contest, Definition
from arbiter.contest.making import (
    check_contest_name,
    contest_protocol,
    make_contest,
    make_schedule,
    stop_when,
)
from arbiter.contest.match_keys import KEYS
from arbiter.contest.saved_definition import CONTEST_FILE, saved_names
from arbiter.contest.schedules.parameters import parameter_names
from arbiter.contest.schedules.registry import kinds
from arbiter.errors import FieldError, UserError, in_field, out_of_range, unknown, wrong_value
from arbiter.playing.outside_referee import settings as outside
from arbiter.records.scoring import SCORINGS

_LONGEST_NAME = 200
"""The most characters of an agent's name; names that the arbiter writes are far shorter."""


def load_contest(
    path: Path,
    *,
    save: Path | None = None,
    only_look: bool = False,
    adapt: Callable[[Definition], Definition] | None = None,
) -> Contest:
    """Read the contest that a match file, or the folder of a contest, describes. Raises UserError.

    Its games are saved in a folder of its name in ``save``. With ``only_look`` nothing will be played: the contest must have
    been run before. Its agents need not exist, none of them is built or run, and the contest has no plan. ``adapt`` may change
    the definition before anything is made of it.
    """
    if path.is_dir():
        path = path / CONTEST_FILE
        if not path.is_file():
            raise UserError(
                f"{path.parent} is a folder without {CONTEST_FILE}: name a match file, or the folder of a contest"
            )
    file = YamlFile(path, KEYS, required=("protocol", "agents"), instead={"protocol": "referee"}, advise=_advise)
    with file.located_errors():
        return _contest(file.data, path, save, adapt or (lambda definition: definition), only_look=only_look)


def _contest(
    data: Mapping[str, Any],
    path: Path,
    save: Path | None,
    adapt: Callable[[Definition], Definition],
    *,
    only_look: bool,
) -> Contest:
    own = path.absolute().parent if path.name == CONTEST_FILE and save is None else None
    name = own.name if own else data.get("name", path.stem)
    with in_field("name"):
        check_contest_name(name)
    save = own.parent if own else save or Workspace().games
    for key, least in (("workers", 1), ("set_aside", 0)):
        if data.get(key, least) < least:
            raise FieldError(out_of_range(key, data[key], least), key)
    base = (path.parent / data.get("base", ".")).resolve()
    protocol, settings = data.get("protocol", outside.PROTOCOL), game_settings.from_file(data)
    if "referee" in data:
        with in_field("referee"):
            if protocol != outside.PROTOCOL:
                raise UserError(f"referee and protocol {protocol!r} exclude each other; give one of them")
            settings = outside.with_referee(data["referee"], base, settings)
    definition = Definition(
        name=name,
        protocol=protocol,
        agents=tuple(agent_text(index, entry) for index, entry in enumerate(data["agents"])),
        given=tuple(map(str, data.get("given", ()))),
        seats=data.get("seats"),
        settings=settings,
        base=str(base),
    )
    with in_field("agents"):
        definition = adapt(definition)
    labels = {label: data[label] for label in ("title", "about") if label in data}
    given = data.get("schedule", "round_robin")
    schedule = {"kind": given} if isinstance(given, str) else given
    if "scoring" in data:
        schedule = {"scoring": checked_scoring(data["scoring"]), **schedule}
    if only_look:
        made = make_schedule(schedule, contest_protocol(definition), definition.seats)
        # Finding out would require building the agents, and the folder may be untrusted.
        names = checked_names(tuple(map(str, data.get("names", ()))) or saved_names(save / name))
        if not names:
            raise UserError(f"{path}: this contest has not been run yet; 'arbiter run {path}' does that")
        contest = Contest(
            definition,
            names,
            made,
            save / name,
            seeded="seed" in schedule,
            labels=labels,
            pause=data.get("pause", False),
        )
    else:
        contest = make_contest(
            definition,
            schedule,
            save,
            origin="",
            set_aside=data.get("set_aside", SET_ASIDE),
            workers=data.get("workers"),
            retry_technical=data.get("retry_technical", False),
            pause=data.get("pause", False),
            labels=labels,
        )
    with in_field("until"):
        return stop_when(contest, data.get("until", ""))


def _advise(key: str) -> str:
    """Return what to do about an unknown key that is a parameter of some kind of contest."""
    if key == "kind":
        return "it belongs to the schedule: write 'schedule: {kind: NAME}'"
    if any(key in parameter_names(kind) for kind in kinds().values()):
        return f"it belongs to the schedule: write 'schedule: {{kind: NAME, {key}: …}}'"
    return ""


def checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of agents in a file that may be untrusted. Raises FieldError."""
    for name in names:
        if len(name) > _LONGEST_NAME:  # a crosstable links to every pair of names
            raise FieldError(f"the name {name[:40]!r}… has {len(name):,} characters; at most {_LONGEST_NAME}", "names")
    return names


def checked_scoring(text: str) -> str:
    """Return the scoring of a match file. Raises FieldError."""
    if text not in SCORINGS:
        raise FieldError(unknown("scoring", text, SCORINGS), "scoring")
    return text


def agent_text(index: int, entry: object, key: str = "agents") -> str:
    """Return the text of an agent: ``greedy``, ``mine=./bot.cpp``, or ``mine: ./bot.cpp``. Raises FieldError."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, dict) and len(entry) == 1:
        ((name, agent),) = entry.items()
        if isinstance(name, str) and isinstance(agent, str):
            return f"{name}={agent}"
    wanted = "a file, a folder, a command or a name, or 'NAME: AGENT'"
    raise FieldError(wrong_value("agent", entry, wanted), key, index)
