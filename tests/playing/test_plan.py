"""A plan is plain data: it can be sent to a worker, which needs nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter import UserError
from arbiter.agents.sandbox.levels import LEVELS, SandboxChoice
from arbiter.config.game_settings import GameSettings
from arbiter.playing.plan import Plan, decode_plan, encode_plan
from arbiter.playing.planning import make_plan
from tests.nullgame.place import adder, arbiter_toml, write

CARD = "name: my bot\nrun: sh bot.sh\nthreads: 2\nenvironment: {DEPTH: 3, WORD: 'ä \\n'}\nlimits: {move: 1s, memory: 100MB}\n"


def bots(place: Path) -> list[str]:
    """A file, a folder with an agent.yaml, a command, a named agent of arbiter.toml, a file whose name is not UTF-8."""
    write(place / "my bot" / "agent.yaml", CARD)
    write(place / "my bot" / "bot.sh", "echo 1\n")
    named = '[agents.named]\nagent = "low.sh"\nlifetime = "game"\nlimits = { move = "9s" }\nenvironment = { A = "b" }\n'
    arbiter_toml(place, named)
    return [
        adder(place, "low", 1),
        "my bot",
        f"sh {place}/low.sh x",
        "named",
        adder(place, os.fsdecode(b"odd-\xff"), 1),
    ]


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    chosen=st.builds(
        GameSettings,
        options=st.fixed_dictionaries(
            {}, optional={"turns": st.integers(1, 12), "pace": st.sampled_from(["fast", "slow"])}
        ),
        limits=st.fixed_dictionaries(
            {}, optional={"move": st.sampled_from(["1s", "20ms"]), "grace": st.integers(1, 9)}
        ).map(lambda limits: {**limits, "margin": "5ms"} if "grace" in limits else limits),
        lifetime=st.sampled_from([None, "move", "game"]),
        clock=st.sampled_from([None, "wall", "cpu"]),
        ponder=st.sampled_from([None, True, False]),
        time_factor=st.floats(0.001, 1000),
        no_limits=st.booleans(),
    ),
    level=st.sampled_from(LEVELS),
    why_not=st.dictionaries(st.sampled_from(LEVELS), st.text()),
    setup=st.none() | st.builds(lambda total: {"total": total}, st.integers(-(2**53), 2**53)),
)
def test_what_is_decoded_is_what_was_encoded(
    place: Path, chosen: GameSettings, level: Any, why_not: Any, setup: object
) -> None:
    agents = bots(place)
    file = None
    if setup is not None:
        file = place / "setup.json"
        file.write_bytes(msgspec.json.encode(setup))
    plan = make_plan("count_up", agents[:3], chosen, setup=file)
    plan = msgspec.structs.replace(plan, sandbox=SandboxChoice(level, "auto", why_not), visible=("/opt/ä b",))

    line = encode_plan(plan)

    assert b"\n" not in line
    assert decode_plan(line, Plan) == plan


def test_every_kind_of_agent_survives(place: Path) -> None:
    for agent in [*bots(place), "human"]:
        plan = make_plan("count_up", [agent])
        assert decode_plan(encode_plan(plan), Plan) == plan


def test_the_protocol_of_a_decoded_plan_is_loaded_from_its_folder(place: Path) -> None:
    plan = make_plan("count_up", [adder(place, "low", 1)])
    (place / "arbiter.toml").unlink()
    found = decode_plan(encode_plan(plan), Plan)
    assert (found.protocol.name, found.protocol.version) == (plan.protocol.name, plan.protocol.version)


def test_a_protocol_of_another_version_is_refused(place: Path) -> None:
    plan = msgspec.structs.replace(make_plan("count_up", [adder(place, "low", 1)]), protocol_version=99)
    with pytest.raises(UserError, match=r"version 1 is installed here, but the plan was made for version 99"):
        _ = decode_plan(encode_plan(plan), Plan).protocol


def test_workers_cannot_make_plans() -> None:
    """Nothing that reads arbiter.toml for a plan, builds agents or takes fingerprints is even imported."""
    code = "import sys, arbiter.contest.worker; print([m for m in sys.modules if m in {}])"
    modules = ["arbiter.playing.planning", "arbiter.agents.prepare.fingerprint", "arbiter.contest.making"]
    done = subprocess.run([sys.executable, "-c", code.format(modules)], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
