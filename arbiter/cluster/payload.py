"""The data sent to a host: the plan, and the files of agents and protocol as archives named by the hash of their
content."""

from __future__ import annotations

import hashlib
import io
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec

from arbiter.agents.building import archive
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.places import holds_more_than_an_agent
from arbiter.config.workspace import LanguageEntry, Workspace
from arbiter.errors import UserError
from arbiter.playing.plan import Plan
from arbiter.units import show_size

INSIDE = "agent"
"""The folder in an archive that holds everything."""
MOST_NEXT_TO_A_FILE = 64 << 20
"""An agent that is a single file is sent with what is next to it, up to this size."""


class PackedAgent(msgspec.Struct, frozen=True):
    """Where the program of an agent is in its archive."""

    archive: str
    """The SHA-256 of its archive."""
    inside: str = ""
    """The file, or empty for an agent that is the whole folder."""
    words: tuple[str, ...] = ()
    """The command line, for an agent that is one."""


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a host needs to play the games of a run, except the archives."""

    run: str
    """A random name of the run."""
    contest: str
    plan: Plan
    agents: tuple[PackedAgent, ...]
    """In the order of the plan's entrants."""
    protocol: str = ""
    """The archive with the protocol, if that is loaded from a folder."""
    languages: dict[str, LanguageEntry] = {}
    """Languages that arbiter.toml adds."""
    allow_uncontained: bool = False
    """Whether builds may run without a sandbox."""


class Payload(msgspec.Struct, frozen=True):
    """What is sent to the hosts of a run."""

    spec: RunSpec
    archives: dict[str, bytes]
    """Archives by their SHA-256."""


def pack_agents(plan: Plan, contest: str, run: str, *, allow_uncontained: bool = False) -> Payload:
    """Pack everything that a host needs. Raises UserError for an agent that cannot be sent."""
    archives: dict[str, bytes] = {}

    def add(inputs: Sequence[archive.Input]) -> str:
        data = io.BytesIO()
        archive.pack_inputs(inputs, INSIDE, [INSIDE], data)
        key = hashlib.sha256(data.getbuffer()).hexdigest()
        archives[key] = data.getvalue()
        return key

    agents = [entrant.agent for entrant in plan.entrants]
    packed: list[PackedAgent] = []
    for agent in agents:
        if agent.is_outside and not agent.is_absent:
            raise UserError(f"{agent.name} plays at a terminal or over the network: it cannot play on a cluster")
        try:
            inputs = _inputs(agent, [other for other in agents if other is not agent], plan)
            key = add(inputs)
        except OSError as error:
            raise UserError(f"{agent.name} cannot be sent to the cluster: {error.strerror}") from None
        packed.append(_packed(agent, key))
    spec = RunSpec(
        run=run,
        contest=contest,
        plan=plan,
        agents=tuple(packed),
        protocol=add(archive.folder_inputs(Path(plan.protocol_folder), ())) if plan.protocol_folder else "",
        languages=_languages(Workspace()),
        allow_uncontained=allow_uncontained,
    )
    return Payload(spec, archives)


def _packed(agent: Agent, key: str) -> PackedAgent:
    if agent.origin is None and agent.command:
        program = Path(agent.command[0])
        first = f"./{program.relative_to(agent.folder)}" if program.is_relative_to(agent.folder) else program.name
        return PackedAgent(key, words=(first, *agent.command[1:]))
    return PackedAgent(key, "" if agent.origin is None or agent.is_packed else agent.origin.name)


def _inputs(agent: Agent, others: Sequence[Agent], plan: Plan) -> list[archive.Input]:
    """List the files that an agent may read here: its folder without what belongs to others, or itself alone."""
    if agent.is_absent:
        return []
    origin = agent.origin
    own = {_file_id(path) for path in (agent.folder, *agent.folder.parents)}
    elsewhere = [other.origin for other in others if other.origin is not None]
    hidden = {_file_id(path) for path in (*elsewhere, *map(Path, plan.private), plan.save) if path.exists()}
    if origin is not None and agent.is_packed:
        own |= {_file_id(path) for path in (origin, *origin.parents)}
        return archive.folder_inputs(origin, hidden - own)
    alone = [_input(origin)] if origin is not None else []
    if holds_more_than_an_agent(agent.folder) or agent.shares_folder(others):
        named = (agent.folder / word for word in agent.command[1:] if origin is None and "/" not in word)
        return [*alone, *(_input(path) for path in named if path.is_file())]
    beside = archive.folder_inputs(agent.folder, hidden - own)
    beside = [each for each in beside if origin is None or each.name != origin.name]
    size = sum((each.top / each.inside).lstat().st_size for each in beside if stat.S_ISREG(each.mode))
    if size > MOST_NEXT_TO_A_FILE:
        raise UserError(
            f"{agent.name} cannot be sent to the cluster: the files next to it, in {str(agent.folder)!r}, have "
            f"{show_size(size)}; move it to a folder of its own"
        )
    return [*alone, *beside]


def _input(path: Path) -> archive.Input:
    """Return a file as an input, under its own name even if it is a link."""
    real = path.resolve()
    return archive.Input(path.name, real.parent, real.name, real.stat().st_mode)


def _languages(workspace: Workspace) -> dict[str, LanguageEntry]:
    return {name: entry for _, settings in reversed(workspace.sources) for name, entry in settings.languages.items()}


def _file_id(path: Path) -> archive.FileId:
    status = os.stat(path)  # noqa: PTH116 - follows links, as the walk does not
    return status.st_dev, status.st_ino
