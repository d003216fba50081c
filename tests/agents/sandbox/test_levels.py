"""Choosing a level, and the note about it."""

from __future__ import annotations

import errno
from collections.abc import Callable

import pytest

from arbiter.agents.sandbox import cgroup_places
from arbiter.agents.sandbox.levels import (
    DENIED,
    GUARANTEES,
    LEVELS,
    YES,
    Guarantee,
    Level,
    SandboxChoice,
    check_self_test,
    choose_level,
)
from arbiter.errors import UserError

KERNEL = "the kernel says no"


def works(*levels: Level) -> Callable[[Level], None]:
    """A machine on which these levels work."""

    def trial(level: Level) -> None:
        if level not in levels:
            raise RuntimeError(f"{KERNEL} to {level}")

    return trial


def test_auto_is_the_strongest_level_that_works_with_reasons_against_stronger_ones() -> None:
    found = choose_level("auto", works("rlimits", "landlock"))
    assert found == SandboxChoice(
        "landlock", "auto", {"cgroup": f"{KERNEL} to cgroup", "namespace": f"{KERNEL} to namespace"}
    )
    assert choose_level("auto", works(*LEVELS)) == SandboxChoice("cgroup", "auto", {})


def test_auto_never_falls_back_to_none() -> None:
    with pytest.raises(UserError, match=f"rlimits: {KERNEL} to rlimits"):
        choose_level("auto", works("none"))


@pytest.mark.parametrize("asked", LEVELS[1:])
def test_a_level_means_at_least_that(asked: Level) -> None:
    assert choose_level(asked, works(*LEVELS)).level == "cgroup"
    assert choose_level(asked, works(asked)).level == asked


@pytest.mark.parametrize("asked", LEVELS[1:])
def test_only_a_level_means_that_one_and_tries_no_other(asked: Level) -> None:
    tried: list[Level] = []
    assert choose_level(f"only:{asked}", tried.append) == SandboxChoice(asked, f"only:{asked}", {})
    assert tried == [asked]


@pytest.mark.parametrize("asked", ["namespace", "only:namespace"])
def test_an_unavailable_level_is_an_error_of_one_line_with_reasons(asked: str) -> None:
    with pytest.raises(UserError) as refused:
        choose_level(asked, works("rlimits", "landlock"))
    text = str(refused.value)
    assert text.startswith(f"sandbox level {asked!r} is not available on this machine (")
    assert f"namespace: {KERNEL} to namespace" in text
    assert "\n" not in text


@pytest.mark.parametrize("asked", ["none", "only:none"])
def test_none_must_be_requested_and_tries_nothing(asked: str) -> None:
    assert choose_level(asked, works()) == SandboxChoice("none", asked, {})


LEVEL_NAMES = "choose from auto, none, rlimits, landlock, namespace, cgroup"


@pytest.mark.parametrize(
    ("asked", "advice"),
    [
        ("", LEVEL_NAMES),
        ("bwrap", LEVEL_NAMES),
        ("only:", LEVEL_NAMES),
        ("only:auto", "did you mean 'auto'?"),
        ("Namespace", "did you mean 'namespace'?"),
    ],
)
def test_an_unknown_level_is_an_error_with_advice(asked: str, advice: str) -> None:
    with pytest.raises(UserError) as refused:
        choose_level(asked, works(*LEVELS))
    assert str(refused.value) == f"unknown sandbox {asked!r}; {advice}"


def test_whatever_a_trial_raises_the_next_level_is_tried() -> None:
    def trial(level: Level) -> None:
        if level != "rlimits":
            raise {"cgroup": OSError(1, "no"), "namespace": KeyError("x"), "landlock": ZeroDivisionError()}[level]

    assert choose_level("auto", trial).level == "rlimits"


# -- guarantees


def test_a_guarantee_holds_from_the_first_level_that_enforces_it() -> None:
    kept = Guarantee("x", "x", {"rlimits": "partly", "namespace": YES})
    assert [kept.at(level) for level in LEVELS] == ["no", "partly", "partly", YES, YES]


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda one: one.name)
def test_a_stronger_level_never_promises_less(guarantee: Guarantee) -> None:
    holds = [guarantee.at(level) == YES for level in LEVELS]
    assert holds == sorted(holds)
    assert list(guarantee.kept) == [level for level in LEVELS if level in guarantee.kept]


def test_the_strongest_level_enforces_everything_and_has_no_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroup_places, "available_controllers", lambda: {"cpu", "freezer"})
    sandbox = SandboxChoice("cgroup", "auto", {})
    assert set(sandbox.enforced.values()) == {YES}
    assert sandbox.note() is None


@pytest.mark.parametrize(("lacking", "name"), [("cpu", "crowding"), ("freezer", "no-ponder")])
def test_cgroups_that_lack_something_do_not_promise_it(
    monkeypatch: pytest.MonkeyPatch, lacking: str, name: str
) -> None:
    monkeypatch.setattr(cgroup_places, "available_controllers", lambda: {"cpu", "freezer"} - {lacking})
    enforced = SandboxChoice("cgroup", "auto", {}).enforced
    assert {each for each, how in enforced.items() if how != YES} == {name}
    assert enforced[name] == SandboxChoice("namespace", "auto", {}).enforced[name]


def test_the_record_has_every_guarantee_by_name() -> None:
    for level in LEVELS:
        assert list(SandboxChoice(level, "auto", {}).enforced) == [guarantee.name for guarantee in GUARANTEES]


# -- notes


def test_there_is_no_note_when_none_was_requested() -> None:
    assert SandboxChoice("none", "none", {}).note() is None


@pytest.mark.parametrize("level", ["rlimits"])
def test_a_weak_level_warns_in_plain_words(level: Level) -> None:
    note = SandboxChoice(level, "auto", {"landlock": KERNEL}).note()
    assert note == (
        "sandbox: rlimits (auto). Agents can read and write your files, use the network and signal other processes: "
        f"run only agents you trust. Why: landlock: {KERNEL}."
    )


@pytest.mark.parametrize("asked", ["auto", "namespace", "only:namespace", "landlock"])
def test_a_stronger_level_says_where_to_read_what_is_not_enforced(asked: str) -> None:
    note = SandboxChoice("namespace", asked, {"cgroup": KERNEL}).note()
    assert note == "sandbox: namespace; 'arbiter doctor' says what is not enforced"


@pytest.mark.parametrize(
    ("asked", "words"),
    [("auto", "(auto)"), ("rlimits", "(as requested)"), ("only:rlimits", "(as requested)")],
)
def test_the_note_on_a_level_that_contains_nothing_says_what_was_requested(asked: str, words: str) -> None:
    note = SandboxChoice("rlimits", asked, {}).note()
    assert (note or "").startswith(f"sandbox: rlimits {words}. ")
    assert "Why" not in (note or "")


# -- the self-test of a box

FINE = {"write": errno.EACCES, "network": errno.EACCES, "signal": errno.EPERM, "capabilities": errno.EPERM}


def test_a_box_that_denies_everything_passes() -> None:
    check_self_test("landlock", FINE)
    for level in ("namespace", "cgroup"):
        check_self_test(level, {**FINE, "write": errno.EROFS, "signal": errno.ESRCH})
    check_self_test("rlimits", {})


@pytest.mark.parametrize("level", ["landlock", "namespace", "cgroup"])
@pytest.mark.parametrize("name", DENIED["landlock"])
def test_a_box_that_allows_something_fails(level: Level, name: str) -> None:
    seen = {**FINE, "signal": errno.EPERM if level == "landlock" else errno.ESRCH}
    with pytest.raises(RuntimeError, match=f"'{name}' was allowed"):
        check_self_test(level, {**seen, name: 0})
    with pytest.raises(RuntimeError, match=f"'{name}' was allowed"):
        check_self_test(level, {found: error for found, error in seen.items() if found != name})


def test_an_unexpected_error_is_not_taken_for_a_denial() -> None:
    with pytest.raises(RuntimeError, match="'write' failed with 'No space left on device'"):
        check_self_test("namespace", {**FINE, "signal": errno.ESRCH, "write": errno.ENOSPC})
