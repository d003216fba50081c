"""Match files: a contest in YAML, checked so that every mistake is one line that names the file and the line in it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from arbiter.contest.definition import SET_ASIDE, Contest, Terms, ask, make_contest, seats_of
from arbiter.contest.schedules import registry as schedules
from arbiter.errors import UserError
from arbiter.limits import check_names
from arbiter.registry import find as find_protocol
from arbiter.workspace import Workspace

_KNOWN: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "title": (str,),
    "about": (str,),
    "protocol": (str,),
    "agents": (list,),
    "schedule": (str, dict),
    "seats": (int,),
    "options": (dict,),
    "limits": (dict,),
    "lifetime": (str,),
    "clock": (str,),
    "sandbox": (str,),
    "ponder": (bool,),
    "time_factor": (int, float),
    "until": (str,),
    "workers": (int,),
    "set_aside": (int,),
    "retry_technical": (bool,),
}
"""What a match file may say, and what each is written as."""
_WORDS = {
    str: "a text",
    list: "a list",
    dict: "names with values",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}


OWN = "contest.yaml"
"""In the folder of a contest: what it was run as, to look at it or to go on with it."""


def save_definition(contest: Contest) -> None:
    """Leave a match file with the games, from which the contest can be run again."""
    terms = contest.terms
    given: dict[str, object] = {
        "name": terms.name,
        **contest.labels,
        "protocol": terms.protocol,
        "agents": [_absolute(agent, Path(terms.base or Path.cwd())) for agent in terms.agents],
        "schedule": schedules.describe(contest.schedule),
        "options": dict(terms.options),
        "limits": dict(terms.limits),
        "lifetime": terms.lifetime,
        "clock": terms.clock,
        "sandbox": terms.sandbox,
        "ponder": terms.ponder,
        "time_factor": terms.time_factor,
        "until": contest.question,
        "set_aside": contest.set_aside,
    }
    text = yaml.safe_dump(
        {name: value for name, value in given.items() if value not in (None, {}, "")},
        sort_keys=False,
        allow_unicode=True,
    )
    file = contest.folder / OWN
    scratch = file.with_name(f".{OWN}.new")
    scratch.write_text(f"# Written by 'arbiter'; run it again with: arbiter run {OWN}\n{text}", encoding="utf-8")
    scratch.replace(file)


def _absolute(agent: str, base: Path) -> str:
    """An agent as it can be found from anywhere."""
    name, equals, what = agent.rpartition("=")
    path = base / Path(what)
    return f"{name}{equals}{path.resolve()}" if what and path.exists() else agent


def load(path: Path, *, save: Path | None = None) -> Contest:
    """The contest that a file describes; its games go to a folder of its name in ``save``. Raises UserError."""
    if path.is_dir():
        path = path / OWN
    if path.name == OWN and save is None:
        save = path.absolute().parent.parent
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or 'is not text'}") from None
    lines = _Lines(path, text)
    data = lines.data
    for name in data:
        if name not in _KNOWN:
            close = difflib.get_close_matches(str(name), _KNOWN, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(_KNOWN)}"
            raise lines.error([name], f"there is no {name!r} in a match file; {hint}")
        wanted = _KNOWN[name]
        value = data[name]
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            raise lines.error([name], f"{name} {value!r}: write {' or '.join(_WORDS[kind] for kind in wanted)}")
    for name in ("protocol", "agents"):
        if name not in data:
            raise UserError(f"{path}: it does not say {name!r}")
    return _contest(lines, data, path, save)


def _contest(lines: _Lines, data: Mapping[str, Any], path: Path, save: Path | None) -> Contest:
    workspace = Workspace()
    with lines.about(["protocol"]):
        find_protocol(data["protocol"], workspace)
    agents = tuple(_agent(lines, index, entry) for index, entry in enumerate(data["agents"]))
    with lines.about(["seats"]):
        seats = seats_of(data["protocol"], data.get("seats"), workspace)
    given = data.get("schedule", "round_robin")
    schedule = {"kind": given} if isinstance(given, str) else given
    with lines.about(["schedule"]):
        schedules.make(schedule, {"seats": seats})
    with lines.about(["limits"]):
        check_names(data.get("limits", {}), "limits")
    for name in ("workers", "set_aside"):
        if data.get(name, 1) < (name == "workers"):
            raise lines.error([name], f"{name} {data[name]}: write a whole number from {int(name == 'workers')} up")
    name = data.get("name", path.stem)
    if not name or "/" in name or name.startswith("."):
        raise lines.error(["name"], f"name {name!r}: it is the name of a folder, so write one without a slash")
    terms = Terms(
        name=name,
        protocol=data["protocol"],
        agents=agents,
        seats=data.get("seats"),
        options=data.get("options", {}),
        limits=data.get("limits", {}),
        lifetime=data.get("lifetime"),
        clock=data.get("clock"),
        sandbox=data.get("sandbox"),
        ponder=data.get("ponder"),
        time_factor=float(data.get("time_factor", 1.0)),
        base=str(path.parent.resolve()),
    )
    with lines.about(["agents"]):
        contest = make_contest(
            terms,
            schedule,
            save or workspace.games,
            set_aside=data.get("set_aside", SET_ASIDE),
            workers=data.get("workers"),
            retry_technical=data.get("retry_technical", False),
            labels={label: data[label] for label in ("title", "about") if label in data},
        )
    with lines.about(["until"]):
        return ask(contest, data.get("until", ""))


def _agent(lines: _Lines, index: int, entry: object) -> str:
    """``greedy``, ``mine=./bot.cpp``, or ``mine: ./bot.cpp``."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, dict) and len(entry) == 1:
        ((name, agent),) = entry.items()
        if isinstance(name, str) and isinstance(agent, str):
            return f"{name}={agent}"
    raise lines.error(
        ["agents", index], f"agent {entry!r}: write a file, a folder, a command or a name, or 'NAME: AGENT'"
    )


class _About:
    """What goes wrong inside is said of a place in the file."""

    def __init__(self, lines: _Lines, path: list[object]) -> None:
        self._lines, self._path = lines, path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, UserError):
            raise self._lines.error(self._path, str(error)) from None


class _Lines:
    """A YAML document and where in it everything stands."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        try:
            self._root = yaml.compose(text, Loader=yaml.SafeLoader)
            data = yaml.safe_load(text)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = f", line {mark.line + 1}" if mark else ""
            raise UserError(f"{path}{line}: {error.problem or error.context}") from None
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise UserError(f"{path}: {' '.join(str(error).split())}") from None
        if not isinstance(data, dict):
            raise UserError(f"{path}: write 'name: value' lines, with at least 'protocol' and 'agents'")
        self.data: dict[Any, Any] = data

    def about(self, path: list[object]) -> _About:
        """For a ``with`` statement."""
        return _About(self, path)

    def error(self, path: list[object], what: str) -> UserError:
        """A mistake at this place, or at the nearest that there is."""
        node, line = self._root, None
        for step in path:
            found = self._below(node, step)
            if found is None:
                break
            node, line = found
        where = f", line {line}" if line else ""
        return UserError(f"{self._path}{where}: {what}")

    @staticmethod
    def _below(node: yaml.Node | None, step: object) -> tuple[yaml.Node, int] | None:
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == str(step):
                    return value, key.start_mark.line + 1
        if isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            child = node.value[step]
            return child, child.start_mark.line + 1
        return None
