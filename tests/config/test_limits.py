"""Limits are layered, and each can be traced to its layer."""

from __future__ import annotations

import pytest

from arbiter.config.limits import LIMITS, Explained, Source, as_written, check_names, resolve_limits
from arbiter.errors import UserError
from tests.tools import refusal

PROTOCOL = Source("protocol chess", {"move": "10s", "memory": "1GB"})
WORKSPACE = Source("arbiter.toml", {"move": "8s"})
COMMAND_LINE = Source("command line", {"move": "6s"})


def explained(name: str, *sources: Source) -> Explained:
    _, items = resolve_limits(sources)
    return next(item for item in items if item.name == name)


@pytest.mark.parametrize(
    ("sources", "value", "where"),
    [
        ((), "10s", "default"),
        ((PROTOCOL,), "10s", "protocol chess"),
        ((PROTOCOL, WORKSPACE), "8s", "arbiter.toml"),
        ((PROTOCOL, WORKSPACE, COMMAND_LINE), "6s", "command line"),
        ((PROTOCOL, WORKSPACE, COMMAND_LINE, Source("agent 'x'", {"move": "20s"})), "20s", "agent 'x'"),
    ],
)
def test_a_later_layer_overrides_an_earlier_one(sources: tuple[Source, ...], value: str, where: str) -> None:
    found = explained("move", *sources)
    assert (found.value, found.where) == (value, where)


def test_what_was_overridden_is_remembered_in_order() -> None:
    found = explained("move", PROTOCOL, WORKSPACE, COMMAND_LINE)
    assert found.overridden == ("default 10s", "protocol chess 10s", "arbiter.toml 8s")


def test_memory_in_which_no_program_can_start_is_refused() -> None:
    said = refusal(lambda: resolve_limits([Source("command line", {"memory": "1KB"})]))
    assert said == "command line: limit memory '1KB': must be at least 1MB: no program can start in less"


def test_a_build_may_take_five_minutes_by_default() -> None:
    limits, _ = resolve_limits([])
    assert limits.build_ns == 300_000_000_000


def test_an_agent_yaml_may_lower_a_limit() -> None:
    limits, _ = resolve_limits([PROTOCOL, Source("agent.yaml", {"memory": "256MB"}, only_lower=True)])
    assert limits.memory_bytes == 256 << 20


def test_an_agent_yaml_may_not_raise_a_limit_and_the_history_says_so() -> None:
    found = explained("memory", PROTOCOL, Source("agent.yaml", {"memory": "4GB"}, only_lower=True))
    assert (found.value, found.where) == ("1GB", "protocol chess")
    assert found.overridden[-1] == "agent.yaml asks for 4GB: an agent may not raise a limit"


def test_an_agent_yaml_that_asks_for_more_per_move_gets_no_longer_first_move_either() -> None:
    limits, _ = resolve_limits([PROTOCOL, Source("agent.yaml", {"move": "1h"}, only_lower=True)])
    assert limits.move_ns == limits.first_move_ns == 10_000_000_000


def test_the_organiser_may_raise_a_limit_that_an_agent_yaml_lowered() -> None:
    own = Source("agent.yaml", {"memory": "64MB"}, only_lower=True)
    limits, _ = resolve_limits([PROTOCOL, own, Source("agent 'x' in arbiter.toml", {"memory": "8GB"})])
    assert limits.memory_bytes == 8 << 30


def test_the_first_move_gets_at_least_as_long_as_any_other() -> None:
    found = explained("first_move", Source("command line", {"move": "30s"}))
    assert (found.value, found.where) == ("30s", "command line (same as move)")


def test_the_first_move_is_shortened_with_the_others_where_it_was_equal() -> None:
    equal = Source("protocol", {"move": "10s", "first_move": "10s"})
    different = Source("protocol", {"move": "50ms", "first_move": "1s"})
    shorter = Source("command line", {"move": "20ms"})
    assert resolve_limits([equal, shorter])[0].first_move_ns == 20_000_000
    assert resolve_limits([different, shorter])[0].first_move_ns == 1_000_000_000


def test_an_agent_that_may_not_raise_its_time_does_not_raise_its_first_either() -> None:
    equal = Source("protocol", {"move": "10s", "first_move": "10s"})
    assert (
        resolve_limits([equal, Source("agent.yaml", {"move": "20s"}, only_lower=True)])[0].first_move_ns
        == 10_000_000_000
    )


def test_a_layer_that_sets_the_first_move_means_it() -> None:
    limits, _ = resolve_limits([Source("command line", {"move": "30s", "first_move": "5s"})])
    assert (limits.move_ns, limits.first_move_ns) == (30_000_000_000, 5_000_000_000)


def test_every_limit_is_explained_once() -> None:
    limits, items = resolve_limits([PROTOCOL])
    assert [item.name for item in items] == list(LIMITS)
    assert as_written(limits) == {item.name: item.value for item in items}


def test_an_unknown_limit_is_quoted_with_its_layer_and_the_choices() -> None:
    with pytest.raises(UserError, match=r"^arbiter.toml: unknown limit 'cores'; choose from move, first_move, "):
        resolve_limits([Source("arbiter.toml", {"cores": 2})])


@pytest.mark.parametrize(
    ("name", "value"),
    [("move", "soon"), ("move", 5), ("memory", "-1MB"), ("processes", "0"), ("output", "64"), ("stderr", "lots")],
)
def test_a_value_that_cannot_be_parsed_is_quoted_with_its_layer(name: str, value: object) -> None:
    said = refusal(lambda: check_names({name: value}, "here"))
    assert said.startswith(f"here: limit {name} {str(value)!r}: must be ")
