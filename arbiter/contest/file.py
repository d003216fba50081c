"""Match files: a contest in YAML, checked so that every mistake is one line that names the file and the line in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from arbiter.contest.definition import SET_ASIDE, Contest, Terms, Unfit, ask, check_name, make_contest, seats_of
from arbiter.contest.entries import check as check_agent
from arbiter.contest.entries import unpack
from arbiter.contest.schedules import registry as schedules
from arbiter.errors import UserError, out_of_range, unknown, wrong_type, wrong_value
from arbiter.limits import check_names
from arbiter.plan import make_plan
from arbiter.registry import choose_options
from arbiter.registry import find as find_protocol
from arbiter.workspace import Workspace

_KNOWN: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "title": (str,),
    "about": (str,),
    "protocol": (str,),
    "agents": (list,),
    "base": (str,),
    "names": (list,),
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

OWN = "contest.yaml"
"""In the folder of a contest: what it was run as, to look at it or to go on with it."""


def save_definition(contest: Contest) -> None:
    """Leave a match file with the games, from which the contest can be run again."""
    terms = contest.terms
    given: dict[str, object] = {
        "name": terms.name,
        **contest.labels,
        "protocol": terms.protocol,
        "agents": list(terms.agents),
        "base": str(Path(terms.base or ".").resolve()),
        "names": list(contest.names),
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


def load(path: Path, *, save: Path | None = None, to_look: bool = False) -> Contest:
    """The contest that a file describes; its games go to a folder of its name in ``save``. Raises UserError.

    ``to_look``: nothing is to be played, so that the agents of a contest which has been run need not be there any more.
    """
    if path.is_dir():
        path = path / OWN
        if not path.is_file():
            raise UserError(f"{path.parent} is a folder without {OWN}: name a match file, or the folder of a contest")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {getattr(error, 'strerror', None) or 'is not text'}") from None
    lines = _Lines(path, text)
    for name in ("protocol", "agents"):
        if name not in lines.data:
            raise UserError(f"{path}: it does not say {name!r}")
    own = path.absolute().parent if path.name == OWN and save is None else None
    name = own.name if own else lines.data.get("name", path.stem)
    with lines.about("name"):
        check_name(name)
    save = own.parent if own else save or Workspace().games
    labels = {label: lines.data[label] for label in ("title", "about") if label in lines.data}
    terms, schedule = _check(lines, path, name)
    if to_look and "names" in lines.data:
        made = schedules.make(schedule, {"seats": terms.seats})
        contest = Contest(terms, tuple(map(str, lines.data["names"])), made, save / name, labels=labels)
    else:
        contest = _gather(lines, terms, schedule, save, labels)
    with lines.about("until"):
        return ask(contest, lines.data.get("until", ""))


def _check(lines: _Lines, path: Path, name: str) -> tuple[Terms, Mapping[str, Any]]:
    """The terms and the schedule, all that can be wrong with them found; the agents apart."""
    data, workspace = lines.data, Workspace()
    with lines.about("protocol"):
        protocol = find_protocol(data["protocol"], workspace)
    with lines.about("seats"):
        seats = seats_of(protocol.name, data.get("seats"), workspace)
    given = data.get("schedule", "round_robin")
    schedule = {"kind": given} if isinstance(given, str) else given
    if isinstance(schedule.get("kind"), str):
        with lines.about("schedule", "kind"):
            schedules.find(schedule["kind"])
    options = dict(data.get("options", {}))
    limits = {limit: str(value) for limit, value in data.get("limits", {}).items()}
    lines.check("schedule", schedule, lambda some: schedules.make(some, {"seats": seats}))
    lines.check("options", options, lambda some: choose_options(protocol, [("options", dict(some))]))
    lines.check("limits", limits, lambda some: check_names(some, "limits"))
    for word in ("lifetime", "clock", "sandbox"):
        if word in data:
            with lines.about(word):
                make_plan(protocol.name, (), seats=seats, workspace=workspace, **{word: data[word]})
    factor = data.get("time_factor", 1.0)
    if not 0 < factor < 1e6:
        raise lines.error(["time_factor"], wrong_value("time_factor", factor, "a number above 0, such as 3"))
    for word, least in (("workers", 1), ("set_aside", 0)):
        if data.get(word, least) < least:
            raise lines.error([word], out_of_range(word, data[word], least))
    terms = Terms(
        name=name,
        protocol=protocol.name,
        agents=tuple(_agent(lines, index, entry) for index, entry in enumerate(data["agents"])),
        seats=seats,
        options=options,
        limits=dict(limits),
        lifetime=data.get("lifetime"),
        clock=data.get("clock"),
        sandbox=data.get("sandbox"),
        ponder=data.get("ponder"),
        time_factor=float(factor),
        base=str((path.parent / data.get("base", ".")).resolve()),
    )
    return terms, schedule


def _gather(lines: _Lines, terms: Terms, schedule: Mapping[str, Any], save: Path, labels: Mapping[str, str]) -> Contest:
    """The contest, its agents ready to play."""
    base, workspace = Path(terms.base), Workspace()
    for index, agent in enumerate(terms.agents):
        with lines.about("agents", index):
            for one in unpack([agent], base, workspace):
                check_agent(one, terms.protocol, base, workspace)
    try:
        return make_contest(
            terms,
            schedule,
            save,
            set_aside=lines.data.get("set_aside", SET_ASIDE),
            workers=lines.data.get("workers"),
            retry_technical=lines.data.get("retry_technical", False),
            labels=labels,
        )
    except UserError as error:
        raise lines.error(["schedule" if isinstance(error, Unfit) else "agents"], str(error)) from None


def _agent(lines: _Lines, index: int, entry: object) -> str:
    """``greedy``, ``mine=./bot.cpp``, or ``mine: ./bot.cpp``."""
    if isinstance(entry, str):
        return entry
    if isinstance(entry, dict) and len(entry) == 1:
        ((name, agent),) = entry.items()
        if isinstance(name, str) and isinstance(agent, str):
            return f"{name}={agent}"
    raise lines.error(
        ["agents", index], wrong_value("agent", entry, "a file, a folder, a command or a name, or 'NAME: AGENT'")
    )


class _About:
    """What goes wrong inside is said of a place in the file."""

    def __init__(self, lines: _Lines, path: Sequence[object]) -> None:
        self._lines, self._path = lines, path

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, UserError):
            raise self._lines.error(self._path, str(error)) from None


class _Lines:
    """A match file and where in it everything stands."""

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
            raise UserError(f"{path}: must be 'name: value' lines, with at least 'protocol' and 'agents'")
        self.data: dict[Any, Any] = data
        self._refuse_twice(self._root, set())
        for name, value in data.items():
            self._check_kind(name, value)

    def about(self, *path: object) -> _About:
        """For a ``with`` statement."""
        return _About(self, path)

    def check(self, name: str, values: Mapping[str, Any], check: Callable[[Mapping[str, Any]], object]) -> None:
        """Raise what ``check`` has against these values, said of the first without which it has nothing against them."""
        try:
            check(values)
        except UserError as error:
            raise self.error([name, *_culprit(values, check)], str(error)) from None

    def error(self, path: Sequence[object], what: UserError | str) -> UserError:
        """A mistake at this place, or at the nearest that there is."""
        node, line = self._root, None
        for step in path:
            found = self._below(node, step)
            if found is None:
                break
            node, line = found
        where = f", line {line}" if line else ""
        return UserError(f"{self._path}{where}: {what}")

    def _check_kind(self, name: object, value: object) -> None:
        if not isinstance(name, str) or name not in _KNOWN:
            raise self.error([name], unknown("entry", name, _KNOWN))
        wanted = _KNOWN[name]
        if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
            raise self.error([name], wrong_type(name, value, wanted))

    def _refuse_twice(self, node: yaml.Node | None, seen: set[int]) -> None:
        """YAML itself would take the last one and say nothing."""
        if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
            return
        seen.add(id(node))
        names: set[str] = set()
        for child in node.value:
            name, inner = child if isinstance(node, yaml.MappingNode) else (None, child)
            if name is not None and name.value in names:
                line = name.start_mark.line + 1
                raise UserError(f"{self._path}, line {line}: {name.value!r} stands there a second time")
            if name is not None and isinstance(name, yaml.ScalarNode):
                names.add(name.value)
            self._refuse_twice(inner, seen)

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


def _culprit(values: Mapping[str, Any], check: Callable[[Mapping[str, Any]], object]) -> list[str]:
    for name in values:
        try:
            check({other: value for other, value in values.items() if other != name})
        except UserError:
            continue
        return [name]
    return []
