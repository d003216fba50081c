"""Choosing a level, and what is said about it."""

from __future__ import annotations

import errno
from collections.abc import Callable

import pytest

from arbiter.agents.sandbox.levels import (
    GUARANTEES,
    LEVELS,
    REFUSED,
    YES,
    Guarantee,
    Level,
    SandboxChoice,
    check,
    choose,
)
from arbiter.errors import UserError

KERNEL = "the kernel says no"


def works(*levels: Level) -> Callable[[Level], None]:
    """A machine that has these levels."""

    def trial(level: Level) -> None:
        if level not in levels:
            raise RuntimeError(f"{KERNEL} to {level}")

    return trial


def test_auto_is_the_strongest_that_works_and_knows_what_did_not() -> None:
    found = choose("auto", works("rlimits", "landlock"))
    assert found == SandboxChoice(
        "landlock", "auto", {"cgroup": f"{KERNEL} to cgroup", "namespace": f"{KERNEL} to namespace"}
    )
    assert choose("auto", works(*LEVELS)) == SandboxChoice("cgroup", "auto", {})


def test_auto_never_ends_up_with_nothing() -> None:
    with pytest.raises(UserError, match=f"rlimits: {KERNEL} to rlimits"):
        choose("auto", works("none"))


@pytest.mark.parametrize("asked", LEVELS[1:])
def test_a_level_means_at_least_that(asked: Level) -> None:
    assert choose(asked, works(*LEVELS)).level == "cgroup"
    assert choose(asked, works(asked)).level == asked


@pytest.mark.parametrize("asked", LEVELS[1:])
def test_only_a_level_means_that_one_and_tries_no_other(asked: Level) -> None:
    tried: list[Level] = []
    assert choose(f"only:{asked}", tried.append) == SandboxChoice(asked, f"only:{asked}", {})
    assert tried == [asked]


@pytest.mark.parametrize("asked", ["namespace", "only:namespace"])
def test_what_cannot_be_had_is_refused_in_one_line_with_reasons(asked: str) -> None:
    with pytest.raises(UserError) as refused:
        choose(asked, works("rlimits", "landlock"))
    text = str(refused.value)
    assert text.startswith(f"sandbox {asked!r} cannot be had here (")
    assert f"namespace: {KERNEL} to namespace" in text
    assert "\n" not in text


@pytest.mark.parametrize("asked", ["none", "only:none"])
def test_none_has_to_be_asked_for_and_tries_nothing(asked: str) -> None:
    assert choose(asked, works()) == SandboxChoice("none", asked, {})


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
def test_a_level_that_does_not_exist_is_refused_with_those_that_do(asked: str, advice: str) -> None:
    with pytest.raises(UserError) as refused:
        choose(asked, works(*LEVELS))
    assert str(refused.value) == f"unknown sandbox {asked!r}; {advice}"


def test_whatever_a_trial_raises_the_next_level_is_tried() -> None:
    def trial(level: Level) -> None:
        if level != "rlimits":
            raise {"cgroup": OSError(1, "no"), "namespace": KeyError("x"), "landlock": ZeroDivisionError()}[level]

    assert choose("auto", trial).level == "rlimits"


# -- guarantees


def test_a_guarantee_holds_from_the_level_that_first_keeps_it() -> None:
    kept = Guarantee("x", "x", {"rlimits": "partly", "namespace": YES})
    assert [kept.at(level) for level in LEVELS] == ["no", "partly", "partly", YES, YES]


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=lambda one: one.name)
def test_a_stronger_level_never_promises_less(guarantee: Guarantee) -> None:
    holds = [guarantee.at(level) == YES for level in LEVELS]
    assert holds == sorted(holds)
    assert list(guarantee.kept) == [level for level in LEVELS if level in guarantee.kept]


def test_the_strongest_level_promises_everything_and_has_nothing_to_note() -> None:
    sandbox = SandboxChoice("cgroup", "auto", {})
    assert set(sandbox.enforced.values()) == {YES}
    assert sandbox.note() is None


def test_the_record_has_every_guarantee_by_name() -> None:
    for level in LEVELS:
        assert list(SandboxChoice(level, "auto", {}).enforced) == [guarantee.name for guarantee in GUARANTEES]


# -- notes


def test_who_asked_for_none_hears_nothing() -> None:
    assert SandboxChoice("none", "none", {}).note() is None


@pytest.mark.parametrize("level", ["rlimits"])
def test_a_weak_level_warns_in_plain_words(level: Level) -> None:
    note = SandboxChoice(level, "auto", {"landlock": KERNEL}).note()
    assert note == (
        "sandbox: rlimits (auto). Agents can read and write your files, use the network and signal other processes: "
        f"run only agents you trust. Why: landlock: {KERNEL}."
    )


def test_a_middling_level_lists_what_is_not_enforced_and_why() -> None:
    note = SandboxChoice("namespace", "auto", {"cgroup": KERNEL}).note()
    assert note == (
        "sandbox: namespace (auto). Not fully enforced: total memory across processes, CPU of orphaned children. "
        f"Why: cgroup: {KERNEL}."
    )


@pytest.mark.parametrize(
    ("asked", "words"),
    [("auto", "(auto)"), ("namespace", "(as asked)"), ("only:namespace", "(as asked)"), ("landlock", "(at least landlock)")],
)  # fmt: skip
def test_the_note_tells_what_was_asked_for(asked: str, words: str) -> None:
    note = SandboxChoice("namespace", asked, {}).note()
    assert note is not None
    assert f"sandbox: namespace {words}." in note
    assert "Why" not in note
    assert "\n" not in note


# -- what a box found out about itself

FINE = {"write": errno.EACCES, "network": errno.EACCES, "signal": errno.EPERM, "rights": errno.EPERM}


def test_a_box_that_refuses_everything_passes() -> None:
    check("landlock", FINE)
    for level in ("namespace", "cgroup"):
        check(level, {**FINE, "write": errno.EROFS, "signal": errno.ESRCH})
    check("rlimits", {})


@pytest.mark.parametrize("level", ["landlock", "namespace", "cgroup"])
@pytest.mark.parametrize("name", REFUSED["landlock"])
def test_a_box_in_which_something_is_possible_does_not_pass(level: Level, name: str) -> None:
    seen = {**FINE, "signal": errno.EPERM if level == "landlock" else errno.ESRCH}
    with pytest.raises(RuntimeError, match=f"'{name}' was possible"):
        check(level, {**seen, name: 0})
    with pytest.raises(RuntimeError, match=f"'{name}' was"):
        check(level, {found: error for found, error in seen.items() if found != name})


def test_a_refusal_of_another_kind_does_not_pass_for_one() -> None:
    with pytest.raises(RuntimeError, match="'write' was No space left on device"):
        check("namespace", {**FINE, "signal": errno.ESRCH, "write": errno.ENOSPC})
