"""Build one agent: collect its inputs, choose the sandbox level, and use the cache."""

from __future__ import annotations

import errno
import hashlib
import logging
import re
import tempfile
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.agents.building import archive
from arbiter.agents.building.archive import unpack_build
from arbiter.agents.building.build_sandbox import BuildSandbox, build_errors
from arbiter.agents.building.builder import WEAK, Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import Build
from arbiter.agents.prepare.cache import Cache
from arbiter.agents.prepare.fingerprint import identifying_bytes
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.config.limits import Limits, resolve_limits
from arbiter.errors import UserError
from arbiter.text import safe

_LEAST_MEMORY = 4 << 30
_PROCESSES = 512
_VERSION = "contained 1"
"""Part of every key: results of earlier versions, built without a box, are no longer used."""
_UNCONTAINED = "-uncontained"

_log = logging.getLogger("arbiter.build")


def result_of(agent: Agent, build: Build, others: Sequence[Agent], builder: Builder) -> Path:
    """Return the folder with the result of an agent's build, from the cache if it is there. Raises UserError.

    ``others`` are agents whose files it must not read.
    """
    order, cache = _order(agent, build, others, builder), Cache()
    usable = (order.key, order.key + _UNCONTAINED) if builder.uncontained else (order.key,)
    return next(filter(None, map(cache.find, usable)), None) or _make(order, cache, builder)


@dataclass(frozen=True, slots=True)
class _Order:
    """An agent that has to be built, with all inputs of its build."""

    agent: Agent
    build: Build
    inputs: list[archive.Input]
    digest: str
    """Hash of the inputs."""

    @property
    def key(self) -> str:
        """The name of its result in the cache."""
        compiler = b"".join(identifying_bytes(Path(tool)) for tool in self.build.tools)
        what = repr((_VERSION, (*self.build.command, *self.build.extra), self.digest)).encode(errors="surrogateescape")
        name = re.sub(r"[^\w-]", "_", Path(self.build.title).stem, flags=re.ASCII)[:40]
        return f"{name}-{hashlib.sha256(what + compiler).hexdigest()[:32]}"


def _order(agent: Agent, build: Build, others: Sequence[Agent], builder: Builder) -> _Order:
    try:
        inputs = _inputs(agent, build, others, builder.private)
        return _Order(agent, build, inputs, archive.digest(inputs))
    except OSError as error:
        which = f" ({safe(str(error.filename))})" if error.filename else ""
        raise UserError(f"{build.title} cannot be built: {error.strerror}{which}") from None


def _inputs(agent: Agent, build: Build, others: Sequence[Agent], private: Collection[Path]) -> list[archive.Input]:
    if build.alone or agent.origin is None:
        # Headers next to it may be another agent's. Those of ours, which are elsewhere, come along.
        shared = agent.shares_folder(others)
        return archive.of_files(
            (name, path)
            for name, path in build.files
            if not shared or path == build.files[0][1] or Path(path).parent != agent.folder
        )
    own = {_file_id(path) for path in (agent.origin, *agent.origin.parents)}
    theirs = (other.origin for other in others if other.origin is not None)
    hidden = {_file_id(path) for path in (*theirs, *private) if path.exists()}
    return archive.folder_inputs(agent.origin, hidden - own)


def _make(order: _Order, cache: Cache, builder: Builder) -> Path:
    build = order.build
    level, limits = _level(build, builder), _limits(order.agent, builder)
    _log.info("building %s (%s)", safe(build.title, 60), safe(order.agent.language, 30))
    try:
        with tempfile.TemporaryFile(dir=cache.folder) as result, BuildSandbox(level, build, limits) as sandbox:
            sandbox.copy_in(order.inputs, order.digest, cache.folder)
            sandbox.build(order.agent.origin)
            sandbox.copy_out(result)
            sandbox.begin_close()
            result.seek(0)
            with build_errors(build):
                return cache.store(
                    order.key + _UNCONTAINED * builder.uncontained, lambda folder: unpack_build(result, folder)
                )
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        raise UserError(f"{build.title} cannot be built: {cache.folder}: {error.strerror}") from None


def _limits(agent: Agent, builder: Builder) -> Limits:
    """Return the limits of a build: its time is the limit ``build``, the rest does not depend on the game."""
    limits, _ = resolve_limits([*builder.limits, *agent.limits])
    return msgspec.structs.replace(
        limits,
        memory_bytes=max(limits.memory_bytes, _LEAST_MEMORY),
        processes=max(limits.processes, _PROCESSES),
        disk_bytes=archive.MOST_BYTES,
        files=archive.MOST_FILES,
    )


def _level(build: Build, builder: Builder) -> Level:
    """Return the level to build at: that of the games, or a stronger one where that does not contain builds."""
    level = builder.sandbox.level
    if level not in WEAK:
        return level
    if builder.uncontained:
        _log.warning(
            "%s is built without containment (sandbox %s): its build can read and change your files",
            safe(build.title, 60),
            level,
        )
        return level
    try:
        return choose_sandbox("landlock").level
    except UserError as error:
        raise UserError(
            f"{build.title} cannot be built: {error}. With --allow-uncontained-build it is built without a sandbox "
            "and can read and change your files: only for programs you trust"
        ) from None


def _file_id(path: Path) -> archive.FileId:
    status = path.stat()
    return status.st_dev, status.st_ino
