"""What hostile agents try and the promised result, at every level of the sandbox and for both kinds of user.

A promise is a ladder: what holds at ``none``, and from which level on something else does. It is a pattern for the
whole of what was observed; ``-`` stands for nothing. At low levels the promise is mostly that the attack succeeds, which
shows that the test would notice if it succeeded at higher levels.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from arbiter.game import Lifetime
from tests.agents.ask import expected as zoo

LEVELS = ("none", "rlimits", "landlock", "namespace", "cgroup")
"""From weakest to strongest; each keeps the promises of those below it."""
USERS = ("root", "ordinary")
PAIRS = tuple((level, user) for user in USERS for level in LEVELS if (level, user) != ("cgroup", "ordinary"))
"""An ordinary user cannot create cgroups unless one was delegated."""
SPREAD = (
    ("none", "ordinary"),
    ("rlimits", "ordinary"),
    ("landlock", "root"),
    ("namespace", "ordinary"),
    ("cgroup", "root"),
)
"""Every level once, and each user at levels with and without walls."""
WITHIN_WALLS = SPREAD[2:]
"""Levels that keep agents from files and processes of others."""
DELEGATED = (6, 17, 18, 19, 20, 21, 22, 33, 43, 44, 54, 59)
"""Numbers of rows whose outcome depends on cgroups. They are also run as an ordinary user to whom one was delegated."""

_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")
COUNTS = _PARANOID.exists() and int(_PARANOID.read_text()) <= 2
"""Whether the kernel counts CPU time of processes that nobody waits for, without cgroups."""

PLAYED, OK, ANY, NOTHING = "played", "ok", ".*", "-"


@dataclass(frozen=True, slots=True)
class Ladder:
    """A pattern by level; a level without one has that of the level below."""

    steps: Mapping[str, str]
    root: Ladder | None = None
    """For root, where it differs."""

    def at(self, level: str, user: str) -> str:
        """Return the pattern for a level and user."""
        if user == "root" and self.root:
            return self.root.at(level, user)
        reached = LEVELS[: LEVELS.index(level) + 1]
        return next(self.steps[step] for step in reversed(reached) if step in self.steps)


def by(none: str, *, root: Ladder | None = None, **steps: str) -> Ladder:
    """``by("ok", landlock="EACCES")``."""
    return Ladder({"none": none, **steps}, root)


def kept_out(landlock: str = "EACCES", namespace: str = "EACCES|ENOENT|EROFS") -> Ladder:
    """Return a ladder for an action that works until the sandbox denies it."""
    return by(OK, landlock=landlock, namespace=namespace)


def _from_landlock(before: str, after: str) -> Ladder:
    return by(before, landlock=after)


ENFORCED: Mapping[str, str] = {
    "time": "none",
    "output": "none",
    "memory": "rlimits",
    "files": "landlock",
    "network": "landlock",
    "others": "landlock",
    "tree": "namespace",
    "processes": "namespace",
    "disk": "namespace",
    "core": "landlock",
    "total memory": "cgroup",
    "socket memory": "cgroup",
    "cpu": "cgroup",
    "crowding": "cgroup",
    "no-ponder": "cgroup",
}
"""The first level at which a record may say that a guarantee was enforced."""

AFTERWARDS: Mapping[str, Ladder] = {
    "survivors": by(NOTHING),
    "open_files": by(NOTHING),
    "temporary": by(NOTHING),
    "outside": by(NOTHING),
    "home": by(NOTHING),
    "shared": by(NOTHING),
    "sysv": by(NOTHING),
    "heard": by(NOTHING),
    "victim": by("well"),
    "precious": by("intact"),
    "old": by("intact"),
    "program": by("same"),
    "records": by("verified"),
    "memory": by("little"),
    "host": by(NOTHING),
    "cpu": by(ANY),
}
"""What is found after every game unless a row says otherwise: nothing left behind and nothing harmed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One attack."""

    number: int
    """Its number in the table of hostile behaviours."""
    title: str
    agent: str
    """Its file, in the folder that :attr:`source` names."""
    verdict: Ladder = field(default_factory=lambda: by(PLAYED))
    """For every answer: a kind of fault, or PLAYED."""
    saw: Mapping[str, Ladder] = field(default_factory=dict)
    """Everything that it reports, by word."""
    after: Mapping[str, Ladder] = field(default_factory=dict)
    """Where this differs from AFTERWARDS."""
    limits: Mapping[str, str | int] = field(default_factory=dict)
    host: str = "host.sh"
    lifetime: Lifetime = "game"
    turns: int = 3
    """Turns of both seats together; the host begins."""
    games: int = 1
    together: bool = False
    """Both programs are in one folder."""
    games_folder: str = "games"
    """Where games are saved, relative to the folder that contains those of the agents."""
    by_other_paths: bool = False
    """The agent's folder is named by a link and holds links to what others must not read; games are saved by a relative path."""
    ponder: bool = True
    lowest: str = "none"
    """Below this level it would harm the machine, and is not run."""
    source: str = "agents"
    """Where its program is: ``agents``, ``needs`` or ``misbehaving``."""
    protocol: str = "count_up"
    misbehaving: zoo.Case | None = None
    """For a misbehaving sample agent: its expected faults."""
    variant: str = ""
    """Distinguishes rows of the same agent."""

    @property
    def name(self) -> str:
        """A unique name."""
        return f"{self.number:02}-{Path(self.agent).stem.lstrip('0123456789_')}{self.variant}"

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """The levels at which it is run, and the users for whom.

        Every mechanism once: no walls at all, Landlock with and without a uid of its own, an ordinary user's namespaces, and
        cgroups, around root's namespaces. Limits alone where they change a promise; every pair where root is promised something
        else. Programs that misbehave towards the game only are played within walls; tests/agents/ask/test_misbehaving.py
        plays them without.
        """
        ladders = (self.verdict, *self.saw.values(), *self.after.values())
        if self.misbehaving:
            chosen: Sequence[tuple[str, str]] = WITHIN_WALLS
        elif self.source != "agents":
            chosen = SPREAD
        elif any(ladder.root for ladder in ladders):
            chosen = PAIRS
        else:
            changed = any("rlimits" in ladder.steps for ladder in ladders)
            chosen = [pair for pair in (*SPREAD, ("landlock", "ordinary")) if changed or pair[0] != "rlimits"]
        for level, user in chosen:
            if LEVELS.index(level) >= LEVELS.index(self.lowest):
                yield level, user

    def afterwards(self, name: str) -> Ladder:
        """Return what must be found after the game."""
        return self.after.get(name, AFTERWARDS[name])


_ZOO = {case.agent: case for case in zoo.CASES}
ROUNDS = 2
"""Rounds of a game of a misbehaving sample agent here; tests/agents/ask/test_misbehaving.py plays longer ones."""


def _misbehaving(number: int, title: str, agent: str, lifetime: Lifetime = "game") -> Row:
    """Return the row of a sample agent, with the same result at every level."""
    case = _ZOO[agent]
    outcome = case.outcome(lifetime)
    kinds = dict.fromkeys(kind for turn in outcome.turns[:ROUNDS] for kind in turn.split("|"))
    verdict = by("|".join(kinds))
    return Row(
        number, title, agent, verdict, limits=outcome.limits, lifetime=lifetime, source="misbehaving",
        protocol="splendor", misbehaving=case,
    )  # fmt: skip


def _hides_in_children(lifetime: Lifetime, variant: str) -> Row:
    counted = "counted" if COUNTS else ANY  # without a sandbox, there is no spawner whose counter would see them
    return Row(
        43,
        "waits for processes that are not counted",
        "43_waits_for_its_children.c",
        after={"cpu": by(ANY, rlimits=counted, cgroup="counted")},
        limits={"move": "5s", "first_move": "5s"},
        lifetime=lifetime,
        turns=4,
        variant=variant,
    )


def each(ladder: Ladder, *words: str) -> dict[str, Ladder]:
    """Return the same ladder for several words."""
    return dict.fromkeys(words, ladder)


_UNREACHED = "EPERM|ESRCH"
_DROPPED = "dropped 2 bytes printed before the prompt.*"
_HARMLESS_TO_ITSELF = by("same|changed", landlock="same")
"""At levels where it runs in the folder of its program, its litter stays there."""
_CROWDED = "waited while .* \\(seat .\\) used .* of CPU time out of turn; from now on .* \\(seat .\\) is .*"
"""A note on the host's answer. On a busy machine it may be the others that it waits for."""

ROWS: tuple[Row, ...] = (
    _misbehaving(1, "sleeps forever", "sleeps.sh"),
    _misbehaving(2, "spins on one core", "hangs.c"),
    _misbehaving(3, "ignores signals", "ignores_signals.sh"),
    _misbehaving(4, "stops itself", "stops_itself.sh"),
    _misbehaving(5, "exits without an answer", "silent.sh"),
    _misbehaving(6, "crashes", "aborts.c", "move"),
    _misbehaving(7, "closes its standard output and lives on", "closes_stdout.sh"),
    _misbehaving(8, "never reads its input", "never_reads.c"),
    _misbehaving(9, "floods standard output", "floods_stdout.c"),
    _misbehaving(10, "floods standard error", "floods_stderr.c"),
    _misbehaving(11, "logs more than a pipe holds, then moves", "chatty.py"),
    _misbehaving(12, "trickles", "drips.pl"),
    _misbehaving(13, "answers ahead of time", "two_answers.py"),
    _misbehaving(14, "answers in bytes that are not text", "binary.py"),
    _misbehaving(16, "leaves a child that keeps its standard output open", "child_own_session.pl"),
    _misbehaving(17, "leaves a daemon", "child_daemon.c", "move"),
    Row(
        18,
        "starts too many processes",
        "18_forks.py",
        by("played|processes"),
        {
            "forks": by("ok|-", rlimits="ok|EAGAIN|-", namespace="EAGAIN"),
            "children": by(ANY, namespace="[1-7]"),
        },
        limits={"processes": 8},
    ),
    Row(
        18,
        "is a fork bomb",
        "18_fork_bomb.c",
        by("late|processes|crashed|silent"),
        limits={"processes": 16, "move": "300ms", "first_move": "300ms"},
        lowest="namespace",
    ),
    Row(
        19,
        "starts too many threads",
        "19_threads.py",
        by("played|processes"),
        {"more": by("-", rlimits="EAGAIN|-", namespace="EAGAIN"), "threads": by("60", rlimits=ANY, namespace="[1-7]")},
        limits={"processes": 8},
    ),
    _misbehaving(20, "fills the memory of its process", "hoards.py"),
    Row(
        21,
        "fills the memory of eight processes",
        "21_hoards_in_children.py",
        by("memory"),
        {"children": by("ok|-")},
        limits={"memory": "64MB"},
    ),
    Row(
        21,
        "fills the memory of children in its opponent's time",
        "21_hoards_between_moves.py",
        by("played|memory"),
        {"hoard": by(NOTHING, cgroup="killed|-")},
        after={"host": by(f"{NOTHING}|{_CROWDED}")},
        host="44_takes_its_time.sh",
        limits={"memory": "64MB"},
        turns=4,
    ),
    Row(
        21,
        "fills page tables",
        "21_fills_page_tables.py",
        by("memory"),
        limits={"memory": "64MB", "move": "30s", "first_move": "30s"},
    ),
    Row(
        21,
        "fills the buffers of sockets",
        "21_fills_sockets.py",
        by("played|memory"),
        {"fill": by(OK, namespace=NOTHING, cgroup="killed|-")},
        after={"host": by(f"{NOTHING}|{_CROWDED}")},
        host="44_takes_its_time.sh",
        limits={"memory": "64MB"},
        turns=4,
    ),
    # Where nothing would count it, it gets none.
    replace(
        _misbehaving(22, "fills shared memory", "hoards_shared.c"),
        verdict=by("memory", landlock="crashed", cgroup="memory"),
        misbehaving=None,
    ),
    Row(
        22,
        "fills memory that outlives its process",
        "22_shared_memory.py",
        saw={
            "dev_shm": by(OK, landlock="EACCES|ENOENT|ok", namespace=ANY),
            "shmget": by(OK, landlock="ENOSYS"),
        },
        after={"shared": _from_landlock("litter", NOTHING), "sysv": _from_landlock("litter", NOTHING)},
    ),
    Row(
        22,
        "fills files in memory",
        "22_memfds.py",
        by("played|memory", landlock=PLAYED, cgroup="memory"),
        {"memfds": by("ok|-", landlock="ENOSYS", cgroup=NOTHING)},
        limits={"memory": "32MB"},
    ),
    Row(
        22,
        "fills its folder beyond its memory",
        "22_fills_its_folder.c",
        by(PLAYED, cgroup="memory"),
        {"fill": by("ok", cgroup=ANY)},
        {"program": _HARMLESS_TO_ITSELF},
        limits={"memory": "16MB", "disk": "64MB"},
    ),
    Row(
        23,
        "fills its folder",
        "23_fills_its_folder.py",
        saw={
            "large_file": by(OK, rlimits="EFBIG", namespace="EFBIG|ENOSPC|EDQUOT"),
            "two_files": by(OK, namespace="ENOSPC|EDQUOT"),
            "many_files": by(OK, namespace="ENOSPC|EDQUOT"),
        },
        after={"program": _HARMLESS_TO_ITSELF},
        limits={"disk": "8MB", "files": 100},
    ),
    Row(
        24,
        "leaves a mess in its folder",
        "24_litters.py",
        saw={
            **each(by(OK), "deep", "link_outside", "link_to_itself", "odd_name", "closed_file"),
            "closed": by(OK, landlock="EPERM", namespace=OK),
            "fifo": by(OK, landlock="ok|EACCES|EPERM"),
            "socket": by(OK, landlock="EACCES|EPERM"),
        },
        after={"program": _HARMLESS_TO_ITSELF},
    ),
    Row(
        24,
        "puts a link in place of its folder",
        "24_swaps_its_folder.py",
        by(ANY, landlock=PLAYED),
        {"swap": by(ANY, landlock="E.*")},
        after={"program": by(ANY, landlock="same"), "temporary": by("litter|-", landlock=NOTHING)},
        turns=2,
        games=2,
    ),
    Row(
        24,
        "closes its folder",
        "24_closes_its_folder.py",
        by(ANY, landlock=PLAYED),
        {"leave": by(ANY, rlimits=OK), "close": by(ANY)},
        after={"program": by(ANY, landlock="same")},
        turns=2,
        games=2,
    ),
    Row(
        24,
        "removes its folder",
        "24_removes_its_folder.py",
        by(ANY, landlock=PLAYED),
        {"remove": by(ANY)},
        after={"program": by(ANY, landlock="same")},
        turns=2,
        games=2,
    ),
    Row(
        25,
        "plants links where games will be saved",
        "25_plants_links.py",
        saw={"plant": kept_out()},
        turns=4,
        games=2,
    ),
    Row(
        26,
        "writes outside its folder",
        "26_writes_outside.py",
        saw={
            **each(kept_out(), "outside", "home_of_user", "program"),
            **each(by(OK, landlock="EACCES", namespace=ANY), "tmp", "var_tmp"),
        },
        after={
            **each(_from_landlock("litter", NOTHING), "outside", "home", "shared"),
            "program": by("changed", rlimits="same"),
        },
    ),
    Row(
        26,
        "changes modes, times and attributes of files",
        "26_touches_outside.py",
        saw={
            **each(kept_out("EACCES|EPERM"), "chmod", "utime", "chmod_games", "chmod_program", "fchmod_program"),
            "setxattr": by("ok|EOPNOTSUPP", landlock="EACCES|EPERM", namespace="EACCES|ENOENT|EROFS|EPERM"),
        },
        after={"precious": _from_landlock("changed", "intact"), "program": by("changed", rlimits="same")},
    ),
    Row(
        27,
        "rewrites saved games",
        "27_rewrites_records.py",
        saw=each(kept_out(), "list", "read", "rewrite", "append", "rename"),
        after={"old": _from_landlock("forged, and it shows", "intact")},
    ),
    Row(
        27,
        "rewrites games that are saved next to its program",
        "27_rewrites_records.py",
        saw={"list": by(OK, landlock="EACCES", namespace="EACCES|ENOENT"), **each(kept_out(), "read", "rewrite", "append", "rename")},
        after={"old": _from_landlock("forged, and it shows", "intact"), "program": by("changed", rlimits="same")},
        together=True,
        games_folder="guest/games",
        variant="_beside_it",
    ),
    Row(28, "locks a file of the arbiter", "28_locks_the_database.py", saw={"lock": kept_out()}),
    Row(
        29,
        "reads the opponent's files",
        "29_reads_the_opponent.py",
        saw=each(kept_out(), "list_folder", "read_program", "read_secret"),
    ),
    Row(
        29,
        "reads an opponent in the same folder",
        "29_reads_the_opponent.py",
        saw={
            "list_folder": by(OK, landlock="EACCES", namespace=OK),  # there it is a folder with nothing but the program
            **each(kept_out(), "read_program", "read_secret"),
        },
        after={"program": by("changed", rlimits="same")},
        together=True,
        variant="_beside_it",
    ),
    Row(
        30,
        "looks into other processes",
        "30_looks_into_processes.py",
        saw={
            **each(kept_out(), *(f"{what}_{who}" for what in ("environ", "mem", "fd") for who in ("host", "victim"))),
            # The arbiter is not dumpable at any level, which does not stop root.
            **each(
                by("EACCES", namespace="EACCES|ENOENT", root=kept_out()), "environ_arbiter", "mem_arbiter", "fd_arbiter"
            ),
        },
    ),
    Row(
        31,
        "traces other processes",
        "31_traces.py",
        saw={
            **each(
                kept_out("ENOSYS", "ENOSYS|ESRCH"),
                *(f"{what}_{who}" for what in ("ptrace", "read", "getfd") for who in ("host", "victim")),
            ),
            **each(
                by("EPERM", landlock="ENOSYS", namespace="ENOSYS|ESRCH", root=kept_out("ENOSYS", "ENOSYS|ESRCH")), "read_arbiter", "getfd_arbiter"
            ),
        },
    ),
    Row(
        32,
        "signals other processes",
        "32_signals.py",
        saw={
            **each(kept_out("EPERM", _UNREACHED), "reach_arbiter", "reach_host", "reach_victim", "kill_victim"),
            # The kernel reports success if it reached any process at all.
            "reach_everybody": by(OK, landlock="ok|EPERM|ESRCH", namespace="ESRCH"),
            # The kernel does not report that it was not delivered; the state of the victim does.
            "signal_by_pipe": by(OK, landlock=ANY),
            **each(
                by(NOTHING, landlock=_UNREACHED),
                *(f"{what}_{who}" for what in ("stop", "kill", "kill_group_of") for who in ("host", "arbiter")),
            ),
        },
        after={"victim": _from_landlock("dead", "well")},
    ),
    Row(
        32,
        "kills everything it can",
        "32_kills_everybody.py",
        saw={"kill_everybody": by("ESRCH")},
        turns=4,
        lowest="namespace",
    ),
    Row(
        33,
        "attacks what started it",
        "33_attacks_its_box.py",
        by(PLAYED, rlimits=ANY, namespace=PLAYED),
        {
            "box": by("none", rlimits="none|found", namespace="found"),
            "ptrace": by(NOTHING, rlimits=ANY, namespace="ENOSYS"),
            **each(by(NOTHING, rlimits=ANY, namespace="EACCES"), "environ", "mem", "fd"),
            **each(by(NOTHING, rlimits=ANY, namespace="ok|EPERM"), "SIGSTOP", "SIGTERM", "SIGKILL"),
        },
        turns=6,
    ),
    Row(
        33,
        "stops what started it",
        "33_stops_its_box.py",
        by(PLAYED, rlimits=ANY, namespace=PLAYED),
        {"SIGSTOP": by(NOTHING, rlimits=ANY, namespace="ok|EPERM")},
        turns=4,
    ),
    Row(
        33,
        "leaves a daemon and kills what started it",
        "33_leaves_a_daemon.py",
        by(PLAYED, rlimits=ANY, namespace=PLAYED),
        {"SIGKILL": by(NOTHING, rlimits=ANY, namespace="ok|EPERM")},
        turns=4,
    ),
    Row(
        34,
        "answers for its opponent",
        "34_forges_moves.py",
        saw={"forge": kept_out()},
        after={"host": _from_landlock(_DROPPED, NOTHING)},
    ),
    Row(
        35,
        "changes limits, priority and core of others",
        "35_meddles.py",
        saw=each(
            kept_out("EPERM", _UNREACHED),
            *(f"{what}_{who}" for what in ("limit", "renice", "pin") for who in ("victim", "arbiter")),
        ),
        after={"victim": _from_landlock("changed", "well")},
    ),
    Row(
        36,
        "raises its own limits",
        "36_raises_its_limits.py",
        # Root may lack this capability on some machines.
        saw={
            **each(by("EPERM", root=by("ok|EPERM", namespace="EPERM")), "raise_core", "raise_data"),
            "core": by("1/1"),
            **each(by(ANY, rlimits="0"), "nice", "rtprio"),
            "sigpending": by(ANY, rlimits="1024"),
            "lower_core": _from_landlock(OK, "EPERM"),
        },
    ),
    Row(
        37,
        "uses the network",
        "37_networks.py",
        saw={
            **each(kept_out("EACCES|EPERM", "EACCES|EPERM|ENETUNREACH|ECONNREFUSED"), "tcp", "udp"),
            "listen": kept_out("EACCES|EPERM", "EACCES|EPERM"),
        },
        after={"heard": _from_landlock("tcp,udp", NOTHING)},
    ),
    Row(
        38,
        "talks to a daemon",
        "38_unix_sockets.py",
        saw={
            **each(kept_out("EACCES|EPERM", "EACCES|EPERM|ECONNREFUSED"), "abstract", "abstract_by_pair"),
            **each(kept_out("EACCES|EPERM", "EACCES|EPERM|ENOENT"), "path", "path_by_pair"),
            "socketpair": by(OK),
        },
        after={"heard": _from_landlock("abstract,path", NOTHING)},
    ),
    Row(
        39,
        "talks to the agent at the other seat",
        "39_whispers.py",
        saw={
            **each(by(OK, landlock=ANY), "leave_tmp", "leave_shm", "leave_tmpdir"),
            **each(_from_landlock(OK, "EACCES|ENOENT"), "heard_tmp", "heard_shm"),
            "heard_tmpdir": by("ok|ENOENT", landlock="EACCES|ENOENT"),
        },
        after={"shared": _from_landlock("litter", NOTHING), "temporary": by("litter|-", landlock=NOTHING)},
        host="39_listens.py",
    ),
    Row(
        40,
        "runs a set-uid program",
        "40_runs_setuid.py",
        saw={"setuid": by("changed", rlimits="changed|same", landlock="same", root=by("same"))},
    ),
    Row(
        41,
        "makes namespaces, mounts, and more",
        "41_makes_namespaces.py",
        saw={
            **each(by(OK, landlock="ENOSYS"), "user_namespace", "mount"),
            **each(by(ANY, landlock="ENOSYS"), "io_uring", "userfaultfd", "add_key", "bpf"),
        },
    ),
    Row(42, "uses files that the arbiter had open", "42_inherits_files.py", saw={"open": by("0,1,2")}),
    Row(
        43,
        "works in processes that are not counted",
        "43_hides_its_work.py",
        after={"cpu": by("hidden|counted", rlimits="counted" if COUNTS else ANY, cgroup="counted")},
        turns=4,
    ),
    _hides_in_children("game", ""),
    _hides_in_children("move", "_briefly"),
    Row(
        44,
        "thinks in its opponent's time",
        "44_ponders.py",
        saw={"pondered": by("ok|little|frozen", namespace="little|frozen")},
        host="44_takes_its_time.sh",
        turns=4,
        ponder=False,
    ),
    Row(
        44,
        "thinks in its opponent's time, as it may",
        "44_ponders.py",
        saw={"pondered": by("ok|little")},
        after={"host": by(f"{NOTHING}|{_CROWDED}")},
        host="44_takes_its_time.sh",
        turns=4,
        variant="_freely",
    ),
    Row(
        44,
        "has a timer continue it when it is stopped",
        "44_undoes_the_freeze.py",
        saw={"pondered": by("ok|frozen", cgroup="frozen")},
        after={"host": by(f"{NOTHING}|{_CROWDED}", cgroup=NOTHING)},
        host="44_takes_its_time.sh",
        turns=4,
        ponder=False,
    ),
    Row(
        45,
        "rewrites its own program",
        "45_rewrites_itself.py",
        by(ANY, landlock=PLAYED),
        each(by(ANY, landlock="EACCES", namespace="EACCES|EROFS"), "rewrite", "replace", "add"),
        {"program": by("changed", rlimits="same")},
        lifetime="move",
        turns=4,
    ),
    Row(
        46,
        "remembers the last game",
        "46_remembers.py",
        saw={"remembers": by(".*program", rlimits="nothing")},
        after={
            "program": by("changed", rlimits="same"),
            **each(_from_landlock("litter|-", NOTHING), "home", "temporary"),
        },
        turns=2,
        games=2,
    ),
    Row(
        46,
        "tells itself a number by how many processes it starts in a game",
        "46_counts_processes.py",
        saw={"pid": by(ANY, namespace="low")},
        turns=2,
        games=2,
    ),
    _misbehaving(47, "ends between moves", "leaves.py"),
    Row(
        52,
        "follows links and other paths to what it must not read",
        "52_takes_other_paths.py",
        saw=each(kept_out(), "old_by_link", "record_by_link", "record", "precious_by_link", "host_by_link", "host_by_root"),
        by_other_paths=True,
    ),
    Row(
        52,
        "follows other paths in a folder that it shares with others",
        "52_takes_other_paths.py",
        saw=each(
            # At rlimits, its program is a copy with nothing around it.
            by(OK, rlimits=ANY, landlock="EACCES|ENOENT", namespace="EACCES|ENOENT|EROFS"),
            "old_by_link", "record_by_link", "record", "precious_by_link", "host_by_link", "host_by_root", "host_by_alias",
        ),
        after={"program": by("changed", rlimits="same")},
        by_other_paths=True,
        together=True,
        games_folder="guest/new/games",
        variant="_beside_it",
    ),
    Row(
        53,
        "signals the agent at the other seat through locks on a file of the system, and would watch it",
        "53_whispers_by_inode.py",
        # A channel that is not closed, and documented as such: see "What is not guaranteed".
        saw={"lock": by("ok|EAGAIN"), "heard_lock": by(OK), "watch": by(OK, landlock="ENOSYS")},  # another test may hold it
        host="53_listens_by_inode.py",
    ),
    Row(
        54,
        "spins in many threads in its opponent's time",
        "54_crowds.c",
        saw={"crowd": by("aside")},
        after={"host": by(_CROWDED)},
        host="54_thinks.c",
        turns=8,
        limits={"move": "5s", "first_move": "5s"},
    ),
    Row(
        55,
        "leaves its core",
        "55_leaves_its_core.py",
        saw=each(by("moved" if (os.cpu_count() or 1) > 1 else "stays", landlock="stays"), "process", "thread"),
    ),
    Row(
        56,
        "uses up the files that its user may pass over sockets, so that no spawner can",
        "56_hoards_passed_files.py",
        # Where it has a uid of its own, it uses up its own.
        saw={"send": by(OK, landlock="EPERM", root=by(OK, landlock="EPERM", namespace=OK))},
    ),
    Row(
        58,
        "opens files that came with it for writing",
        "58_overwrites_its_files.py",
        saw=each(
            by(OK, landlock="EACCES", namespace="EACCES|EROFS"), "by_name", "by_path", "program", "in_folder", "truncate"
        ),
        after={"program": by("changed", rlimits="same")},
    ),
    Row(
        60,
        "replaces a folder above its program in the temporary folder, for later games",
        "60_replaces_its_folder.py",
        saw={"by_path": by("EROFS"), "by_file_system": by("ENOENT")},
        turns=2,
        games=2,
        lowest="namespace",
    ),
    Row(
        61,
        "shares memory among its processes, as it may",
        "61_shares_its_memory.py",
        saw={"share": by(OK)},
        host="44_takes_its_time.sh",
        turns=4,
        limits={"memory": "100MB"},
    ),
    Row(
        62,
        "works unseen, keeps itself waiting, and looks for what others have read",
        "62_works_unseen.py",
        saw={
            "sibling": by("EPERM"),
            **each(by("ENOSYS"), "listener", "pages"),
            "page": by("ENOTSUP|EOPNOTSUPP"),
            "merge": by("EINVAL"),
            "session": by("kept"),
            "nice": by(OK),
            "niceness": by("0"),
        },
        lowest="landlock",
    ),
    Row(
        57,
        "takes leases on files that others want to open",
        "57_leases.py",
        saw={"lease": by(OK, landlock="EACCES")},
    ),
    Row(
        59,
        "takes memory that no limit counts, a quota that all programs share, cached pages of others, and flags of files",
        "59_takes_what_nobody_counts.py",
        saw={
            "shared": by(OK, landlock="EPERM", cgroup=OK),
            "zero": by(OK, namespace="ENODEV", cgroup=OK),
            "pipe": by(OK, landlock="ENOSYS", cgroup=OK),
            **each(by(OK, landlock="ENOSYS"), "quota", "rules"),
            "flags": by(ANY, landlock="EPERM", namespace="EROFS"),  # not every file system has them
            "file": by("evicted|kept|unknown", landlock="kept|unknown"),
        },
    ),
)  # fmt: skip
"""Rows 15 and 48 to 51 are about the arbiter rather than an agent: see test_arbiter.py and test_leaks.py."""
