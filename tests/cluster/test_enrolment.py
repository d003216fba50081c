"""What a host says about itself decides about its own games, and about nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arbiter.cluster import rpc
from arbiter.cluster.enrolment import Enrolment
from arbiter.cluster.host import facts
from arbiter.cluster.payload import Payload, pack_agents
from tests.contest.running.around import auction, plan_of, varied

HONEST = facts()
ESCAPES = "\x1b[2J\x1b]0;owned\x07"


class Hosts:
    """A Dask client whose workers answer with what they are given to say."""

    def __init__(self, says: dict[str, bytes | Exception]) -> None:
        self._says = says
        self.stored: list[str] = []

    async def run(self, function: Any, *words: Any, workers: list[str], **_: object) -> dict[str, Any]:
        (address,) = workers
        await asyncio.sleep(0)  # others go on meanwhile
        if function is rpc.inspect_host:
            if isinstance(said := self._says[address], Exception):
                raise said
            return {address: said}
        if function is rpc.missing_archives:
            return {address: [key for key in words[0] if key not in self.stored]}
        if function is rpc.store_archive:
            self.stored.append(words[0])
        return {address: ""}


@pytest.fixture
def payload(place: Path) -> Payload:
    return pack_agents(plan_of(auction(place, varied(place, "ann", "bob"))), "cup", "run")


def enrolled(payload: Payload, most: int | None = None, **says: bytes | Exception) -> Enrolment:
    return enrol(Hosts(says), payload, [*says], most)


def enrol(hosts: Hosts, payload: Payload, addresses: Sequence[str], most: int | None = None) -> Enrolment:
    """Enrol workers with four threads each, all at the same time."""
    made = Enrolment(hosts, payload, most, lambda: None)  # type: ignore[arg-type]

    async def all_of_them() -> None:
        await asyncio.gather(*(made._enrol(address, {"host": "h", "nthreads": 4}) for address in addresses))

    asyncio.run(all_of_them())
    return made


def saying(**changes: object) -> bytes:
    return msgspec.json.encode(msgspec.to_builtins(HONEST) | changes)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"nothing",
        b"{}",
        saying(cores=0),
        saying(cores=10**15),
        saying(cores="many"),
        saying(cores=-3),
        saying(speed="fast"),
        saying(python="3.9"),
        saying(arbiter="9.9"),
        saying(code="other"),
        OSError(f"two\nlines {ESCAPES}"),
        SystemError("x" * 100_000),
    ],
)
def test_a_host_that_makes_no_sense_is_refused_in_one_line_and_others_play(
    payload: Payload, said: bytes | Exception
) -> None:
    found = enrolled(payload, odd=said, good=saying(cores=2))
    assert set(found.refused) == {"odd"}
    assert (set(found.enrolled), found.slots) == ({"good"}, 2)
    (line,) = found.refused.values()
    assert "\n" not in line
    assert line.isprintable()
    assert len(line) < 700


def test_what_a_host_calls_itself_does_not_reach_the_terminal_as_it_is(payload: Payload) -> None:
    found = enrolled(payload, one=saying(cpu=f"CPU {ESCAPES}\n", host=f"name {ESCAPES}"))
    assert set(found.enrolled) == {"one"}
    assert all(line.isprintable() for line in found.news)


def test_workers_of_one_machine_share_its_cores(payload: Payload) -> None:
    found = enrolled(
        payload, a=saying(cores=5), b=saying(cores=5), c=saying(cores=5), d=saying(machine="other", cores=9)
    )
    cores = {address: (one.cores.first, one.cores.count) for address, one in found.enrolled.items()}
    assert cores == {"a": (0, 4), "b": (4, 1), "d": (0, 4)}
    assert "all 5 cores are taken" in found.refused["c"]


def test_agents_are_sent_once_to_a_machine_with_several_workers(payload: Payload) -> None:
    hosts = Hosts({name: saying(cores=12) for name in "abc"})
    assert len(enrol(hosts, payload, "abc").enrolled) == 3
    assert sorted(hosts.stored) == sorted(payload.archives)


def test_the_cap_is_for_the_whole_cluster(payload: Payload) -> None:
    found = enrolled(payload, most=5, a=saying(machine="a", cores=9), b=saying(machine="b", cores=9))
    assert [one.cores.count for one in found.enrolled.values()] == [4, 1]
    assert found.slots == 5


def test_a_head_says_what_its_first_game_waits_for(payload: Payload, monkeypatch: pytest.MonkeyPatch) -> None:
    made = enrolled(payload)
    made.check_first_hosts()
    assert (made.waits, made.news) == (False, []), "it has not looked yet"
    made.has_surveyed = True
    made.pending["tcp://a"] = object()  # type: ignore[assignment]
    made.check_first_hosts()
    assert not made.waits, "it may take some seconds to build an agent"
    monkeypatch.setattr("arbiter.cluster.enrolment._LONG_S", -1)
    for _ in range(2):
        made.check_first_hosts()
    assert (made.waits, made.news) == (True, ["cluster: waiting for 1 worker to get ready"])
