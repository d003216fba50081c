"""The agents of a contest: a folder stands for the programs in it, and one that does not build is left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.entries import expand_folders
from arbiter.contest.making import make_contest
from arbiter.contest.match_file import load_contest
from arbiter.contest.runner import run_contest
from arbiter.errors import UserError
from tests.contest.running.around import VARIED, auction, varied
from tests.nullgame.command import arbiter
from tests.nullgame.place import BIDS, write
from tests.tools import missing

pytestmark = pytest.mark.slow


def submissions(place: Path) -> Path:
    """A folder as an organiser gets it."""
    folder = place / "submissions"
    varied(folder, "ann", "bob")
    write(folder / "tool", f"#!/bin/sh\n{BIDS.format(5)}", executable=True)
    write(folder / "boxed" / "agent.yaml", "name: deep thought\nrun: sh bot.sh\n")
    write(folder / "boxed" / "bot.sh", VARIED.format(1))
    write(folder / "README.md", "nothing to run")
    write(folder / "notes.txt", "nothing to run")
    write(folder / ".hidden.sh", "exit 1\n")
    write(folder / "_common.sh", "exit 1\n")
    write(folder / "library" / "helper.sh", "exit 1\n")
    return folder


@pytest.mark.usefixtures("in_process")
def test_a_folder_is_expanded_to_the_programs_in_it(place: Path) -> None:
    folder = submissions(place)

    contest = auction(place, [str(folder)], {"kind": "round_robin"})

    assert contest.names == ("ann", "bob", "deep thought", "tool")
    assert contest.notes == []
    result = run_contest(contest)
    assert len(result.counted) == 12
    assert not any(kinds for outcome in result.counted for kinds in outcome.faults)


def test_a_folder_and_others_can_be_mixed_and_order_is_kept(place: Path) -> None:
    folder = submissions(place)
    (extra,) = varied(place, "eva")
    found = expand_folders([f"first={extra}", "submissions", str(extra)], place, Workspace())
    assert [Path(text).name for text in found] == ["eva.sh", "ann.sh", "bob.sh", "boxed", "tool", "eva.sh"]
    contest = auction(place, [f"first={extra}", str(folder)])
    assert contest.names == ("first", "ann", "bob", "deep thought", "tool")


def test_a_folder_that_is_an_agent_is_one(place: Path) -> None:
    folder = submissions(place)
    assert expand_folders([str(folder / "boxed")], place, Workspace()) == [str(folder / "boxed")]


def test_a_folder_without_programs_is_a_mistake(place: Path) -> None:
    write(place / "empty" / "README.md", "nothing to run")
    with pytest.raises(UserError, match="empty is a folder without agents"):
        auction(place, ["empty"])


def with_broken_ones(place: Path) -> Contest:
    folder = submissions(place)
    write(folder / "broken.c", "int main( {\n")
    write(folder / "odd", "no first line\n", executable=True)
    write(folder / "wrong" / "agent.yaml", "name: no run\n")
    (folder / "gone.sh").symlink_to("nowhere.sh")
    (folder / "round.sh").symlink_to("round.sh")
    return auction(place, [str(folder)])


@pytest.mark.usefixtures("in_process")
def test_what_does_not_build_or_run_is_left_out_with_a_note(place: Path) -> None:
    contest = with_broken_ones(place)

    assert contest.names == ("ann", "bob", "deep thought", "tool")
    notes = {Path(note.split(" does not take part: ")[0]).name: note.split(": ", 1)[1] for note in contest.notes}
    if "not installed" in notes["broken.c"]:
        missing(f"a language is not installed: {notes['broken.c']}")
    assert notes["broken.c"].startswith("broken.c does not build")
    assert "neither a binary nor a script" in notes["odd"]
    assert "agent.yaml" in notes["wrong"]
    assert "is a link that leads nowhere" in notes["gone.sh"]
    assert "is a link that leads nowhere" in notes["round.sh"]
    result = run_contest(contest)
    assert result.complete
    assert set(contest.notes) <= set(result.progress.notes)


def test_the_note_is_shown_on_the_screen_and_in_the_result(place: Path) -> None:
    with_broken_ones(place)
    write(place / "cup.yaml", "protocol: auction\nagents: [submissions]\noptions: {rounds: 1}\nworkers: 1\n")
    ran = arbiter("run", "cup.yaml", folder=place)
    assert ran.code == 0
    assert "broken.c does not take part" in ran.err
    assert "broken.c does not take part" in ran.out
    for printed in (ran.err, ran.out):  # the compiler's message has line breaks
        first = next(index for index, line in enumerate(printed.splitlines()) if "broken.c does not build" in line)
        assert "\\n" not in printed
        assert "error" in "".join(printed.splitlines()[first + 1 : first + 4])


def test_where_no_agent_is_left_the_reasons_are_given(place: Path) -> None:
    write(place / "wrong" / "agent.yaml", "name: no run\n")
    write(place / "odd", "no first line\n", executable=True)
    with pytest.raises(UserError, match=r"(?s)wrong does not take part: .*odd does not take part: "):
        auction(place, ["wrong", "odd"])


def test_what_is_not_there_at_all_is_a_mistake_of_the_organiser(place: Path) -> None:
    agents = varied(place, "ann", "bob")
    with pytest.raises(UserError, match=r"no such file './bop.sh'"):
        auction(place, [*agents, "./bop.sh"])
    with pytest.raises(UserError, match=r"no such file 'bop.sh'"):
        auction(place, [*agents, "bob=bop.sh"])
    with pytest.raises(UserError, match="'human' cannot play in a contest"):
        auction(place, [*agents, "me=human"])


def test_the_same_program_twice_has_two_names(place: Path) -> None:
    (agent,) = varied(place, "ann")
    assert auction(place, [agent, agent]).names == ("ann", "ann-2")


@pytest.mark.parametrize("name", ["", "a/b", "..", ".hidden", "two\nlines"])
def test_a_contest_is_called_like_a_folder(place: Path, name: str) -> None:
    definition = Definition(name=name, protocol="auction", agents=tuple(varied(place, "ann", "bob")))
    with pytest.raises(UserError, match="must be a folder name: printable, without a slash or a leading dot"):
        make_contest(definition, {"kind": "round_robin"}, place)


@pytest.mark.usefixtures("in_process")
def test_an_agent_that_joins_a_folder_joins_the_contest(place: Path) -> None:
    varied(place / "bots", "ann", "bob")
    write(place / "cup.yaml", "protocol: auction\nagents: [bots]\noptions: {rounds: 1}\n")
    assert len(run_contest(load_contest(place / "cup.yaml")).counted) == 2
    varied(place / "bots", "ann", "bob", "cid")
    result = run_contest(load_contest(place / "cup.yaml"))
    assert (result.progress.now_played, len(result.counted)) == (4, 6)


def test_a_folder_that_we_may_not_read_is_listed_so_that_it_is_left_out_with_a_reason(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read anything, so the refusal is made up."""
    folder = submissions(place)
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != folder / "library" and access(path, mode))
    found = expand_folders([str(folder)], place, Workspace(place))
    assert str(folder / "library") in found
    contest = auction(place, [str(folder)], {"kind": "round_robin"})
    assert contest.names == ("ann", "bob", "deep thought", "tool")
    assert [note.partition(" does not take part: ")[0] for note in contest.notes] == [str(folder / "library")]
