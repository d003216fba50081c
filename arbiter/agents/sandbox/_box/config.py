"""The configuration of a box, sent once over its *messages* socket; both halves share this definition."""

from __future__ import annotations

import marshal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from _operator import itemgetter  # the module `operator` takes as long to import as this one

    class NamedTuple(tuple):
        """A stand-in for typing.NamedTuple, which takes as long to import as the rest of the box."""

        __slots__ = ()

        def __init_subclass__(cls):
            for index, name in enumerate(cls.__annotations__):
                setattr(cls, name, property(itemgetter(index)))

        def __new__(cls, *values, **named):
            if not named and len(values) == len(cls.__annotations__):
                return super().__new__(cls, values)
            names = list(cls.__annotations__)[len(values) :]
            if set(names) != set(named):
                raise TypeError(f"{cls.__name__} takes {', '.join(cls.__annotations__)}")
            return super().__new__(cls, (*values, *(named[name] for name in names)))


LET_SPAWN = b"spawn"
"""The message that follows the configuration."""
AGAIN, END, STOP, CONTINUE = b"again", b"end", b"stop", b"continue"
"""Requests to the spawner: to spawn the same as the last time, and to kill, stop or continue everything. Any other request is an
encoded :class:`SpawnRequest`."""


class LandlockRules(NamedTuple):
    """A Landlock ruleset: access rights that are denied, and the paths where some of them are granted."""

    files: int
    """File access rights to deny (LANDLOCK_ACCESS_FS_…)."""
    network: int
    """Network access rights to deny (LANDLOCK_ACCESS_NET_…)."""
    scopes: int
    """Interaction with processes outside to deny (LANDLOCK_SCOPE_…)."""
    attr_size: int
    """Bytes of ``struct landlock_ruleset_attr`` that this kernel knows."""
    paths: tuple[tuple[str, int], ...]
    """Paths, each with the file access rights granted beneath it."""


class Namespaces(NamedTuple):
    """Namespaces with a root directory of their own, and what the agent finds in it."""

    unshare: int
    """The CLONE_NEW… flags, except CLONE_NEWCGROUP: the root of that namespace is the cgroup we are in when it is made."""
    map_user: bool
    """Whether a user namespace is among them, so that a uid_map has to be written."""
    stage: str
    """An existing folder on which the new root is assembled."""
    home: str
    """The agent's writable folder."""
    visible: tuple[str, ...]
    """Files and folders bound read-only at the same path."""
    system: tuple[str, ...]
    """Those among them that belong to the system, whose owner is not mapped to the agent."""
    links: tuple[tuple[str, str], ...]
    """Symbolic links in the root: path and target."""
    hidden: tuple[str, ...]
    """Paths beneath a visible folder that are covered by something empty."""
    own_links: tuple[tuple[str, str], ...]
    """Symbolic links in the agent's home: name and target."""
    devices: tuple[tuple[str, str], ...]
    """Devices bound in the root: path, and the device of the machine."""
    files: tuple[tuple[str, str], ...]
    """Files written into the root: path and content."""
    disk_bytes: int
    inodes: int


class BoxConfig(NamedTuple):
    """Everything a box is made of."""

    namespaces: Namespaces | None
    """None at levels without them."""
    landlock: LandlockRules | None
    arbiter_pid: int
    uid: int
    gid: int
    switch_user: bool
    """Whether to switch to this uid and gid, which requires root."""
    drop_capabilities: bool
    rlimits: tuple[tuple[int, int], ...]
    """Resource (RLIMIT_…) and limit, hard and soft."""
    seccomp: bytes
    """The filter program, empty for none."""
    canary: str
    """A path outside the agent's folder that the self-test tries to create."""


class SpawnRequest(NamedTuple):
    """A process to start in the box, sent over the *control* socket with its pipes."""

    argv: list[bytes]
    environment: dict[bytes, bytes]
    folder: str
    brief: bool
    """Whether it lives for one move."""


def encode(config: BoxConfig) -> bytes:
    """Serialise a configuration. Marshal takes plain tuples only."""
    return marshal.dumps(tuple(tuple(value) if isinstance(value, tuple) else value for value in config))


def decode(data: bytes) -> BoxConfig:
    """Return the configuration that was serialised."""
    namespaces, landlock, *others = marshal.loads(data)
    return BoxConfig(
        Namespaces(*namespaces) if namespaces else None, LandlockRules(*landlock) if landlock else None, *others
    )
