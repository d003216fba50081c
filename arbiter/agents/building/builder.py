"""The builder: from agents that have to be built to agents that can run."""

from __future__ import annotations

import hashlib
import logging
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arbiter.agents.building import archive
from arbiter.agents.building.unpack import unpack
from arbiter.agents.building.workshop import Workshop, about
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import Build, finished
from arbiter.agents.prepare.cache import Cache
from arbiter.agents.prepare.fingerprint import identifying_bytes
from arbiter.agents.sandbox.levels import Level, SandboxChoice
from arbiter.agents.sandbox.trial import choose
from arbiter.errors import UserError
from arbiter.limits import Limits, Source, resolve
from arbiter.text import safe

_LEAST_MEMORY = 4 << 30
_PROCESSES = 512
_VERSION = "contained 1"
"""Part of every key: results of earlier versions, built without a box, are not used any more."""
_UNCONTAINED = "-uncontained"
_WEAK: tuple[Level, ...] = ("none", "rlimits")
"""Levels at which a program reads and writes what its user can."""

_log = logging.getLogger("arbiter.build")


@dataclass(frozen=True, slots=True)
class _Order:
    """An agent that has to be built, with all that goes in."""

    agent: Agent
    build: Build
    inputs: list[archive.Input]
    digest: str
    """Hash of the inputs."""

    @property
    def key(self) -> str:
        """The name of its result in the cache."""
        compiler = identifying_bytes(Path(self.build.tool)) if self.build.tool else b""
        what = repr((_VERSION, self.build.command, self.digest)).encode(errors="surrogateescape")
        name = re.sub(r"[^\w-]", "_", Path(self.build.title).stem, flags=re.ASCII)[:40]
        return f"{name}-{hashlib.sha256(what + compiler).hexdigest()[:32]}"


class Builder:
    """Builds agents under the settings of one run."""

    def __init__(
        self,
        sandbox: SandboxChoice,
        limits: Sequence[Source] = (),
        *,
        private: Iterable[Path] = (),
        allow_uncontained: bool = False,
    ) -> None:
        """``limits`` are the layers below those of the agents, ``private`` folders that no build may read."""
        self._sandbox, self._limits = sandbox, limits
        self._private, self._allow_uncontained = tuple(private), allow_uncontained

    def build(self, agent: Agent, others: Sequence[Agent] = ()) -> Agent:
        """Return the agent with the command that runs it, built now unless its result is in the cache.

        ``others`` are agents whose files it must not read. Raises UserError; that of a failed build quotes the compiler.
        """
        build = agent.build
        if build is None:
            return agent
        order, cache = self._order(agent, build, others), Cache()
        usable = (order.key, order.key + _UNCONTAINED) if self._uncontained else (order.key,)
        result = next(filter(None, map(cache.find, usable)), None)
        return finished(agent, result or self._make(order, cache))

    def build_all(self, agents: Sequence[Agent]) -> list[Agent]:
        """Build several agents, none of which may read the files of another. Raises UserError for the first that fails."""
        return [self.build(agent, [other for other in agents if other is not agent]) for agent in agents]

    @property
    def _uncontained(self) -> bool:
        """Whether builds run without a box that contains them: the level is weak, and the user allows that."""
        return self._allow_uncontained and self._sandbox.level in _WEAK

    def _order(self, agent: Agent, build: Build, others: Sequence[Agent]) -> _Order:
        try:
            inputs = self._inputs(agent, build, others)
            return _Order(agent, build, inputs, archive.digest(inputs))
        except OSError as error:
            which = f" ({safe(str(error.filename))})" if error.filename else ""
            raise UserError(f"{build.title} cannot be built: {error.strerror}{which}") from None

    def _inputs(self, agent: Agent, build: Build, others: Sequence[Agent]) -> list[archive.Input]:
        if build.alone or agent.origin is None:
            return archive.of_files(build.files)
        own = {_file_id(path) for path in (agent.origin, *agent.origin.parents)}
        theirs = (other.origin for other in others if other.origin is not None)
        hidden = {_file_id(path) for path in (*theirs, *self._private) if path.exists()}
        return archive.of_folder(agent.origin, hidden - own)

    def _make(self, order: _Order, cache: Cache) -> Path:
        build = order.build
        level, limits = self._level(build), self._limits_for(order.agent)
        _log.info("building %s (%s)", safe(build.title, 60), safe(order.agent.language, 30))
        with tempfile.TemporaryFile(dir=cache.folder) as result:
            with Workshop(level, build, limits) as workshop:
                workshop.bring_in(order.inputs, order.digest, cache.folder)
                workshop.work(order.agent.origin)
                workshop.take_out(result)
            result.seek(0)
            with about(build):
                return cache.store(order.key + _UNCONTAINED * self._uncontained, lambda folder: unpack(result, folder))

    def _limits_for(self, agent: Agent) -> Limits:
        """Return the limits of a build: its time is the limit ``build``, the rest does not depend on the game."""
        limits, _ = resolve([*self._limits, *agent.limits])
        return replace(
            limits,
            memory_bytes=max(limits.memory_bytes, _LEAST_MEMORY),
            processes=max(limits.processes, _PROCESSES),
            disk_bytes=archive.MOST_BYTES,
            files=archive.MOST_FILES,
        )

    def _level(self, build: Build) -> Level:
        """Return the level to build at: that of the games, or a stronger one where that does not contain builds."""
        level = self._sandbox.level
        if level not in _WEAK:
            return level
        if self._uncontained:
            _log.warning(
                "%s is built without containment (sandbox %s): its build can read and change your files",
                safe(build.title, 60),
                level,
            )
            return level
        try:
            return choose("landlock").level
        except UserError as error:
            raise UserError(
                f"{build.title} cannot be built: {error}. With --allow-uncontained-build it is built without a sandbox "
                "and can read and change your files: only for programs you trust"
            ) from None


def _file_id(path: Path) -> archive.FileId:
    status = path.stat()
    return status.st_dev, status.st_ino
