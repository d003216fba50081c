"""On a host: from an offer and its archives to a plan that can be played here."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shlex
import time
from pathlib import Path

import msgspec

from arbiter.agents.building.builder import Builder
from arbiter.agents.building.unpack import unpack_build
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import ONLY, SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.cluster.host import cluster_folder
from arbiter.cluster.parcels import INSIDE, Offer, PackedAgent
from arbiter.errors import UserError
from arbiter.limits import Source, as_written
from arbiter.one_game import sandbox_for
from arbiter.plan import Entrant, Plan
from arbiter.workspace import FILE, Workspace

_KEPT_S = 30 * 86_400
_SUFFIX = ".tar"


class ParcelStore:
    """The archives that this machine has received, by hash. Several processes may use it at the same time."""

    def __init__(self) -> None:
        self._folder = cluster_folder() / "parcels"
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def missing(self, keys: list[str]) -> list[str]:
        """Return those that are not here, and mark the others as used."""
        absent = []
        for key in keys:
            try:
                os.utime(self._path(key))
            except FileNotFoundError:
                absent.append(key)
        return absent

    def add(self, key: str, data: bytes) -> None:
        """Keep an archive. Raises UserError if it was damaged on the way."""
        if hashlib.sha256(data).hexdigest() != key:
            raise UserError("an archive was damaged on the way")
        new = self._folder / f".{os.getpid()}-{time.monotonic_ns()}"
        new.write_bytes(data)
        new.rename(self._path(key))

    def unpack(self, key: str, folder: Path) -> Path:
        """Unpack an archive into a new folder, and return where its content is. Raises UserError if it is damaged."""
        folder.mkdir(parents=True)
        try:
            data = self._path(key).read_bytes()
        except OSError as error:
            raise UserError(f"an archive that was sent is gone: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != key:
            self._path(key).unlink(missing_ok=True)
            raise UserError("an archive in the cache is damaged; it was removed, try again")
        unpack_build(io.BytesIO(data), folder)
        return folder / INSIDE

    def prune(self) -> None:
        """Remove archives that were not used for a month, and what was left of those that did not arrive."""
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another worker has removed it
                if time.time() - path.stat().st_mtime > _KEPT_S:
                    path.unlink()

    def _path(self, key: str) -> Path:
        if not key.isalnum():
            raise UserError(f"{key!r} is not the hash of an archive")
        return self._folder / f"{key}{_SUFFIX}"


def prepare_host(offer: Offer, folder: Path) -> Plan:
    """Unpack and build everything in an empty folder; return the plan for this machine. Raises UserError with the reason
    why it cannot play here."""
    store, plan = ParcelStore(), offer.plan
    sandbox = _sandbox(plan)
    protocol_folder = str(store.unpack(offer.protocol, folder / "protocol")) if offer.protocol else None
    _write_settings(offer, folder)
    games = folder / "games"
    games.mkdir(mode=0o700)
    here = msgspec.structs.replace(
        plan,
        protocol_folder=protocol_folder,
        save=games,
        private=(str(games), str(cluster_folder() / "parcels")),
        sandbox=sandbox,
    )
    _ = here.protocol
    if missing := [path for path in plan.visible if not os.path.exists(path)]:  # noqa: PTH110 - given as text
        raise UserError(f"it has no {missing[0]!r}, which arbiter.toml makes visible to all agents")
    agents = [
        _resolved(entrant, packed, here, store, folder / str(number))
        for number, (entrant, packed) in enumerate(zip(plan.entrants, offer.agents, strict=True))
    ]
    entrants = tuple(
        msgspec.structs.replace(entrant, agent=_built(agent, agents, entrant, here, offer))
        for entrant, agent in zip(plan.entrants, agents, strict=True)
    )
    here = msgspec.structs.replace(here, entrants=entrants)
    for entrant in entrants:
        _try_to_run(here, entrant)
    return here


def _sandbox(plan: Plan) -> SandboxChoice:
    """Return the sandbox of the plan's level on this machine. Raises UserError."""
    level = plan.sandbox.level
    try:
        return choose_sandbox("none" if level == "none" else f"{ONLY}{level}")
    except UserError as error:
        raise UserError(f"it lacks sandbox level {level!r}, which the head has chosen ({error})") from None


def _write_settings(offer: Offer, folder: Path) -> None:
    """Write an arbiter.toml with the head's own languages."""
    lines: list[str] = []
    for name, entry in offer.languages.items():
        lines.append(f"[languages.{_toml(name)}]")
        lines += [f"{key} = {_toml(value)}" for key, value in msgspec.to_builtins(entry).items()]
    (folder / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: object) -> str:
    """Return a string or a list of strings. JSON is TOML, but for escaped surrogates and a raw DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _resolved(entrant: Entrant, packed: PackedAgent, plan: Plan, store: ParcelStore, folder: Path) -> Agent:
    """Return an agent with the tools of this machine and everything else as the head has it."""
    top, agent = store.unpack(packed.parcel, folder), entrant.agent
    text = shlex.join(packed.words) if packed.words else str(top / packed.inside)
    found = resolve_agent(text, plan.protocol, Workspace(folder.parent), top)
    return msgspec.structs.replace(
        found,
        name=agent.name,
        source=agent.source,
        language=agent.language,
        lifetime=agent.lifetime,
        environment=agent.environment,
        limits=agent.limits,
        threads=agent.threads,
    )


def _built(agent: Agent, agents: list[Agent], entrant: Entrant, plan: Plan, offer: Offer) -> Agent:
    limits = [Source("plan", as_written(entrant.limits))]
    builder = Builder(plan.sandbox, limits, private=(plan.save,), allow_uncontained=offer.allow_uncontained)
    return builder.build(agent, [other for other in agents if other is not agent])


def _try_to_run(plan: Plan, entrant: Entrant) -> None:
    """Make the sandbox that an agent will play in. Raises UserError."""
    try:
        if sandbox := sandbox_for(plan, entrant):
            with sandbox:
                sandbox.prepare()
    except (OSError, RuntimeError) as error:
        raise UserError(f"{entrant.agent.name} cannot be started in a sandbox there: {error}") from None
