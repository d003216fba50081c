"""An agent with parameters, as a tuning file describes it: ``tuned:FILE``, or ``tuned:FILE:depth=4,weight=0.5``.

Values reach the agent where the file says ``{depth}``: in a word of its command, in an environment variable, or in a file
generated next to its program. No shell sees them, and a value in a command stays inside its word. An agent with generated
files is a copy in the cache; nothing is written to the author's folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from arbiter.agents.prepare.agent import Agent, check_environment, clean_name
from arbiter.agents.prepare.cache import Cache
from arbiter.agents.prepare.command_line import split_words
from arbiter.agents.prepare.fingerprint import file_hashes, identifying_bytes
from arbiter.agents.prepare.manifest import MANIFEST
from arbiter.agents.prepare.parameters import Parameter, Value, Values, described, read_parameters, show_value
from arbiter.config.plain_data import read_struct
from arbiter.errors import FieldError, UserError, in_field, unknown, wrong_value

PREFIX = "tuned:"
_PLACE = re.compile(r"\{([A-Za-z_]\w*)\}")
_LONGEST_NAME = 40
_MOST_BYTES = 1 << 20

Find = Callable[[str, Path], Agent]
"""Resolves a file, a folder, a command or a name, relative to a folder."""


class TunedAgent(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of a tuning file that describe the agent; the others describe the search."""

    agent: str
    environment: dict[str, str | int | float | bool] = {}
    files: dict[str, str | int | float | bool] = {}
    """Files to generate, by path relative to the agent's folder."""
    parameters: dict[Any, Any]


class Template(msgspec.Struct, frozen=True):
    """An agent with placeholders for values."""

    agent: str
    environment: Mapping[str, str]
    files: Mapping[str, str]
    """Files to generate, by path relative to the agent's folder."""
    parameters: Mapping[str, Parameter]
    folder: Path
    """The folder of the tuning file, which ``agent`` is relative to."""

    def defaults(self) -> dict[str, Value]:
        """Return the values that the agent has today."""
        return {name: parameter.default for name, parameter in self.parameters.items()}


def read_template(data: Mapping[str, Any], folder: Path) -> Template:
    """Return the agent that a tuning file describes. Raises FieldError."""
    file = read_struct({name: data[name] for name in TunedAgent.__struct_fields__ if name in data}, TunedAgent)
    parameters = read_parameters(file.parameters)
    environment = {name: show_value(value) for name, value in file.environment.items()}
    with in_field("environment"):
        check_environment(environment, "")
    files = {name: show_value(value) for name, value in file.files.items()}
    for name in files:
        _check_path(name)
    used = {place for text in (file.agent, *environment.values(), *files.values()) for place in _PLACE.findall(text)}
    for name in parameters:
        if name not in used:
            raise FieldError(
                f"parameter {name!r} is not used: write {{{name}}} in 'agent', 'environment' or 'files'",
                "parameters",
                name,
            )
    return Template(file.agent, environment, files, parameters, folder)


def _check_path(name: str) -> None:
    path = PurePosixPath(name)
    if (
        not name
        or path.is_absolute()
        or ".." in path.parts
        or not name.isprintable()
        or path == PurePosixPath(MANIFEST)
    ):
        wanted = f"a path inside the agent's folder, other than {MANIFEST}"
        raise FieldError(wrong_value("files", name, wanted), "files", name)


def resolve_tuned(text: str, base: Path, find: Find) -> Agent:
    """Return the agent that ``tuned:FILE:NAME=VALUE,…`` stands for. Parameters that are left out have their defaults.

    ``find`` resolves the agent that the file names. Raises UserError.
    """
    from arbiter.config.yaml_file import YamlFile

    name, values_text = _parts(text)
    if not name:
        raise wrong_value("agent", text, f"{PREFIX}FILE:NAME=VALUE,… with the name of a tuning file")
    path = base / name
    file = YamlFile(path)
    with file.located_errors():
        template = read_template(file.data, path.parent)
    values = parse_values(template.parameters, values_text, text)
    agent = make_variant(template, values, find)
    return msgspec.structs.replace(agent, name=variant_name(values), source=text)


def _parts(text: str) -> tuple[str, str]:
    """Split ``tuned:FILE:VALUES`` into file and values; the values, which may be missing, have a ``=``."""
    whole = text.removeprefix(PREFIX)
    file, colon, values = whole.rpartition(":")
    return (file, values) if colon and ("=" in values or not values) else (whole, "")


def tuned_text(file: str, values: Values) -> str:
    """Return what users type for an agent with these values."""
    return f"{PREFIX}{file}:{described(values)}"


def parse_values(parameters: Mapping[str, Parameter], text: str, where: str) -> dict[str, Value]:
    """Return a value for every parameter: that of ``NAME=VALUE,…``, or its default. Raises UserError."""
    given: dict[str, Value] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if name not in parameters:
            raise unknown("parameter", name, parameters, where=where)
        if not equals or name in given:
            raise UserError(f"{where}: {part!r}: write each parameter once, as NAME=VALUE")
        given[name] = parameters[name].parse(name, value)
    return {name: given.get(name, parameter.default) for name, parameter in parameters.items()}


def variant_name(values: Values) -> str:
    """Return the name of an agent with these values: ``depth=4 weight=0.5``. A long one is cut and ends with a hash."""
    whole = described(values).replace(",", " ")
    if len(whole) <= _LONGEST_NAME:
        return clean_name(whole)
    return f"{whole[: _LONGEST_NAME - 7]}~{hashlib.sha256(whole.encode()).hexdigest()[:6]}"


def make_variant(template: Template, values: Values, find: Find) -> Agent:
    """Return the agent with its placeholders replaced by these values. Raises UserError."""
    environment = {name: fill_values(text, values) for name, text in template.environment.items()}
    files = {name: fill_values(text, values) for name, text in template.files.items()}
    with in_field("agent"):
        agent = find(_with_values(template, values), template.folder)
        if files:
            agent = find(str(_copied(agent, files)), template.folder)
    version = f"{sorted(environment.items())} {sorted(files.items())}" if environment or files else ""
    return msgspec.structs.replace(agent, environment={**agent.environment, **environment}, version=version)


def fill_values(text: str, values: Values) -> str:
    """Replace placeholders by values; other words in braces are left alone."""
    return _PLACE.sub(lambda found: show_value(values[found[1]]) if found[1] in values else found[0], text)


def _with_values(template: Template, values: Values) -> str:
    """Return what the user would type for the agent; in a command, every word is filled in separately, so that a value stays
    inside its word."""
    if not _PLACE.search(template.agent) or os.path.lexists(template.folder / template.agent):
        return template.agent
    return shlex.join(fill_values(word, values) for word in split_words(template.agent))


def _copied(agent: Agent, files: Mapping[str, str]) -> Path:
    """Return the agent's program in a copy of its folder with these files; made now unless it is in the cache."""
    origin = agent.origin
    if origin is None:
        raise UserError(f"'files' needs an agent that is a file or a folder, and {agent.source!r} is a command")
    if sum(map(len, files.values())) > _MOST_BYTES:
        raise UserError(f"'files': more than {_MOST_BYTES >> 20} MB to generate")
    cache, key = Cache("variants"), _key(agent, origin, files)
    folder = cache.find(key) or cache.store(key, lambda scratch: _write_copy(agent, origin, files, scratch))
    return folder if agent.is_packed else folder / origin.name


def _sources(agent: Agent, origin: Path) -> list[tuple[str, Path]]:
    """Return what the agent's program consists of, if that is not a whole folder: its file, and headers beside it."""
    beside = agent.build.files[1:] if agent.build else ()
    return [(origin.name, origin), *((name, Path(path)) for name, path in beside)]


def _key(agent: Agent, origin: Path, files: Mapping[str, str]) -> str:
    digest = hashlib.sha256()
    if agent.is_packed:
        hashes = file_hashes(origin)
    else:
        hashes = {name: hashlib.sha256(identifying_bytes(path)).hexdigest() for name, path in _sources(agent, origin)}
    for name, content in (*hashes.items(), ("", origin.name), *files.items()):
        digest.update(f"{len(name)} {name} {len(content)} {content}".encode(errors="surrogateescape"))
    return digest.hexdigest()[:32]


def _write_copy(agent: Agent, origin: Path, files: Mapping[str, str], folder: Path) -> None:
    if agent.is_packed:
        shutil.copytree(origin, folder, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    else:
        for name, path in _sources(agent, origin):
            shutil.copy2(path, folder / name)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.resolve().is_relative_to(folder.resolve()):
            raise UserError(f"files {name!r}: leads out of the agent's folder by a link")
        path.unlink(missing_ok=True)  # in the copy, a link is replaced by a file
        path.write_text(content, encoding="utf-8")
