"""Agents with parameters: ``tuned:FILE:NAME=VALUE``."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.agents.prepare.parameters import Parameter, show_value
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

pytestmark = pytest.mark.usefixtures("own_cache")
PARAMETERS = """
parameters:
  depth: {type: int, low: 1, high: 8, default: 3}
  weight: {type: float, low: 0.01, high: 100, scale: log, default: 1}
  style: {type: choice, values: [calm, bold, 0, true], default: calm}
"""


def tuning(place: Path, agent: str, more: str = PARAMETERS) -> str:
    write(place / "tune.yaml", f"protocol: count_up\nagent: {agent}\n{more}")
    return "tuned:tune.yaml"


def test_values_stay_inside_their_words(place: Path) -> None:
    text = tuning(place, "sh bot.sh --depth={depth} '{weight} {style}' {other}")
    write(place / "bot.sh", "")
    agent = resolve_agent(f"{text}:weight=2,style=bold", None, Workspace())
    assert agent.command[1:] == ("bot.sh", "--depth=3", "2.0 bold", "{other}")
    assert agent.name == "depth=3 weight=2.0 style=bold"
    assert resolve_agent(f"mine={text}:depth=4", None, Workspace()).name == "mine"


@pytest.mark.parametrize(
    ("values", "because"),
    [
        ("depth=9", "depth '9': must be a whole number from 1 to 8"),
        ("depth=2.5", "depth '2.5': must be a whole number"),
        ("weight=nan", "weight 'nan': must be a number from 0.01 to 100"),
        ("style=$(reboot)", r"unknown value of style '\$\(reboot\)'"),
        ("dept=3", "unknown parameter 'dept'; did you mean 'depth'"),
        ("depth=3,depth=4", "each parameter once"),
    ],
)
def test_a_value_that_the_parameter_cannot_have_is_refused(place: Path, values: str, because: str) -> None:
    text = tuning(place, "sh bot.sh {depth} {weight} {style}")
    with pytest.raises(UserError, match=because):
        resolve_agent(f"{text}:{values}", None, Workspace())


@pytest.mark.parametrize(
    ("more", "line", "because"),
    [
        ("parameters: {}", 3, "name at least one"),
        ("parameters:\n  depth: {type: int, low: 8, high: 1, default: 3}", 4, "low 8 must be below high 1"),
        ("parameters:\n  depth: {type: int, low: 1, high: 8}", 4, "'default' is missing"),
        ("parameters:\n  depth: {type: integer, low: 1, high: 8, default: 2}", 4, "unknown type 'integer'"),
        (
            "parameters:\n  depth:\n    type: float\n    low: 0\n    high: 1\n    scale: log\n    default: 1",
            6,
            "above 0",
        ),
        ("parameters:\n  depth: {type: choice, values: [a, 'b c'], default: a}", 4, "value 'b c'"),
        ("parameters:\n  depth: {type: int, low: 1, high: 8, default: 9}", 4, "default: depth '9': must be"),
        (
            "parameters:\n  depth: {type: choice, values: [a, b], default: c}",
            4,
            "default: unknown value of depth 'c'; choose",
        ),
        (
            "parameters:\n  depth: {type: int, low: 1.5, high: 8, default: 2}",
            4,
            "depth: low 1.5: must be a whole number",
        ),
        (
            "parameters:\n  depth: {type: float, low: 0, high: .inf, default: 2}",
            4,
            "high inf: must be a number from -9007199254740992 to 9007199254740992",
        ),
        ("parameters:\n  dept: {type: int, low: 1, high: 8, default: 2}", 4, "'dept' is not used"),
        ("files: {../x: '{depth}'}\nparameters:\n  depth: {type: int, low: 1, high: 8, default: 2}", 3, "'../x'"),
        ("files: {agent.yaml: x}\nparameters:\n  depth: {type: int, low: 1, high: 8, default: 2}", 3, "'agent.yaml'"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(place: Path, more: str, line: int, because: str) -> None:
    write(place / "bot.sh", "")
    text = tuning(place, "sh bot.sh {depth}", more)
    with pytest.raises(UserError) as error:
        resolve_agent(text, None, Workspace())
    assert f"tune.yaml, line {line}:" in str(error.value)
    assert because in str(error.value)


def test_values_reach_the_environment_and_generated_files(place: Path) -> None:
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\nlifetime: move\n")
    write(place / "bot" / "bot.sh", "read -r seat\nread -r state\n. ./values.sh\necho $((DEPTH + MORE))\n")
    more = "environment: {MORE: '{style}'}\nfiles: {values.sh: \"DEPTH={depth} # {weight}\\n\"}\n"
    text = tuning(place, "bot", more + PARAMETERS)
    ran = arbiter("play", "count_up", f"a={text}:style=0", f"b={text}:depth=1,style=0", "-o", "turns=2", "--json")
    assert ran.code == 0, ran.err
    assert ran.document["games"][0]["scores"] == [3, 1]
    assert not (place / "bot" / "values.sh").exists(), "the author's folder stays as it is"


def test_other_values_are_another_version(place: Path) -> None:
    write(place / "bot.py", "import params\n")
    text = tuning(place, "bot.py", "files: {params.py: 'D = {depth}, {weight}, {style}'}" + PARAMETERS)
    versions = {fingerprint(resolve_agent(f"{text}:depth={depth}", None, Workspace())) for depth in (1, 2, 2)}
    assert len(versions) == 2


def test_a_link_does_not_lead_generated_files_out_of_the_copy(place: Path) -> None:
    outside = place / "outside"
    outside.mkdir()
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\n")
    write(place / "bot" / "bot.sh", "")
    (place / "bot" / "data").symlink_to(outside)
    text = tuning(place, "bot", "files: {data/x: '{depth} {weight} {style}'}" + PARAMETERS)
    with pytest.raises(UserError, match="leads out of the agent's folder"):
        resolve_agent(text, None, Workspace())
    assert list(outside.iterdir()) == []


@settings(deadline=None)
@given(
    st.sampled_from(["int", "float"]),
    st.sampled_from(["linear", "log"]),
    st.integers(1, 500),
    st.integers(1, 900),
    st.integers(0, 1000),
)
def test_every_place_in_a_range_is_a_value_in_it(kind: str, scale: str, low: int, span: int, share: int) -> None:
    ends = (low, low + span) if kind == "int" else (float(low), float(low + span))
    parameter = Parameter(type=kind, default=low, low=ends[0], high=ends[1], scale=scale)  # type: ignore[arg-type]
    value = parameter.at(share / 1000)
    assert ends[0] <= float(value) <= ends[1]
    assert parameter.parse("it", show_value(value)) == value
    assert parameter.at(parameter.share(value)) == value or math.isclose(
        float(parameter.at(parameter.share(value))), float(value), rel_tol=1e-3
    )
