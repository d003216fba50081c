"""Match files: a contest in YAML. The folder of each contest has one as well, from which it can be run again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from arbiter.config.game_settings import GameSettings, settings_in
from arbiter.config.plain_data import read_struct
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
from arbiter.contest.saved_definition import CONTEST_FILE, saved_texts
from arbiter.contest.schedules.registry import kinds
from arbiter.errors import FieldError, UserError, in_field, out_of_range, unknown, wrong_value
from arbiter.playing.outside_referee import settings as outside
from arbiter.records.scoring import SCORINGS


class MatchFile(GameSettings, frozen=True, kw_only=True):
    """What is played, and with which settings. ``agents`` and ``protocol`` or ``referee`` are required."""

    name: str | None = None
    """Name of the folder that the games are saved in; by default, the name of the file."""
    title: str = ""
    """Shown above the standings."""
    about: str = ""
    """A description for readers."""
    protocol: str = ""
    """The game to play, by the name of its protocol."""
    referee: str = ""
    """The command of a referee program, in place of ``protocol``; see ``docs/referees.md``."""
    agents: list[Any]
    """The agents, as on the command line: a name, a file, a folder or a command; ``name: agent`` sets its name in the
    standings."""
    base: str = "."
    """The folder that paths of agents are relative to; by default, the folder of the file."""
    names: tuple[str, ...] = ()
    """Names of the agents in tables. The arbiter writes it into the ``contest.yaml`` of a folder."""
    given: tuple[str, ...] = ()
    """Agents as typed on the command line. The arbiter writes it, to recognise the contest when the command is repeated."""
    schedule: str | dict[str, Any] = "round_robin"
    """The kind of contest and its parameters, or the kind alone."""
    scoring: str = "places"
    """How a game is scored: ``places`` (the share of opponents ranked behind) or ``winner`` (the winner takes the
    point)."""
    commitments: tuple[str, ...] = ()
    """SHA-256 of each secret of the contest. The arbiter writes it, and ignores it when it reads the file."""
    seats: int | None = None
    """Agents per table; by default, two or as many as the protocol needs."""
    until: str = ""
    """The stopping rule: a question that ends the contest when it is settled, such as ``better(new,old)``."""
    workers: int | None = None
    """Games played at the same time; by default, one per core."""
    set_aside: int = SET_ASIDE
    """The number of games without a single valid answer after which an agent is set aside; 0 for never."""
    retry_technical: bool = False
    """Whether to play games again that failed for technical reasons."""
    pause: bool = False
    """Whether to stop after every round or stage, until the contest is run again."""


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
    file = YamlFile(path)
    with file.located_errors():
        read = _read(file.data)
        return _contest(read, path, save, adapt or (lambda definition: definition), only_look=only_look)


def _read(data: Mapping[Any, Any]) -> MatchFile:
    for key in data:
        if key not in MatchFile.__struct_fields__ and (advice := _advise(key)):
            raise FieldError(f"unknown key {key!r}; {advice}", key)
    file = read_struct(data, MatchFile)
    if not file.protocol and not file.referee:
        raise FieldError("'protocol' is missing")
    for name, value, least in (("workers", file.workers, 1), ("set_aside", file.set_aside, 0)):
        if value is not None and value < least:
            raise FieldError(out_of_range(name, value, least), name)
    return file


def _contest(
    file: MatchFile,
    path: Path,
    save: Path | None,
    adapt: Callable[[Definition], Definition],
    *,
    only_look: bool,
) -> Contest:
    own = path.absolute().parent if path.name == CONTEST_FILE and save is None else None
    name = own.name if own else path.stem if file.name is None else file.name
    with in_field("name"):
        check_contest_name(name)
    save = own.parent if own else save or Workspace().games
    base = (path.parent / file.base).resolve()
    protocol, settings = file.protocol or outside.PROTOCOL, settings_in(file)
    if file.referee:
        with in_field("referee"):
            if protocol != outside.PROTOCOL:
                raise UserError(f"referee and protocol {protocol!r} exclude each other; give one of them")
            settings = outside.with_referee(file.referee, base, settings)
    definition = Definition(
        name=name,
        protocol=protocol,
        agents=tuple(agent_text(index, entry) for index, entry in enumerate(file.agents)),
        given=tuple(file.given),
        seats=file.seats,
        settings=settings,
        base=str(base),
    )
    with in_field("agents"):
        definition = adapt(definition)
    labels = {label: text for label, text in (("title", file.title), ("about", file.about)) if text}
    schedule = {"kind": file.schedule} if isinstance(file.schedule, str) else file.schedule
    schedule = {"scoring": checked_scoring(file.scoring), **schedule}
    if only_look:
        made = make_schedule(schedule, contest_protocol(definition), definition.seats)
        # Finding out would require building the agents, and the folder may be untrusted.
        names = checked_names(tuple(file.names) or tuple(saved_texts(save / name, "names")))
        if not names:
            raise UserError(f"{path}: this contest has not been run yet; 'arbiter run {path}' does that")
        contest = Contest(
            definition,
            names,
            made,
            save / name,
            seeded="seed" in schedule,
            labels=labels,
            pause=file.pause,
        )
    else:
        contest = make_contest(
            definition,
            schedule,
            save,
            origin="",
            set_aside=file.set_aside,
            workers=file.workers,
            retry_technical=file.retry_technical,
            pause=file.pause,
            labels=labels,
        )
    with in_field("until"):
        return stop_when(contest, file.until)


def _advise(key: str) -> str:
    """Return what to do about an unknown key that is a parameter of some kind of contest."""
    if key == "kind":
        return "it belongs to the schedule: write 'schedule: {kind: NAME}'"
    if any(key in kind.__struct_fields__ for kind in kinds().values()):
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
