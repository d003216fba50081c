"""Stepping through a game at the terminal, key by key."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.cli.pager import SPEEDS, Pager, clipped
from arbiter.cli.transcript import Transcript
from arbiter.config.workspace import Workspace
from arbiter.game import columns
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from tests.cli.terminal import Terminal
from tests.nullgame import count_up
from tests.records import games
from tests.tools import ROOT

pytestmark = pytest.mark.slow

HEROES = ROOT / "matches" / "samples" / "heroes.jsonl"
KEYS = ["right", "left", "home", "end", "up", "down", "page up", "page down", "enter", "escape", " ", "backspace"]


@pytest.fixture(scope="module")
def heroes() -> Transcript:
    record = load_record(HEROES)
    return Transcript(record, find_protocol("heroes", Workspace()))


def pressed(transcript: Transcript, *keys: str) -> Pager:
    pager = Pager(transcript)
    for key in keys:
        pager.press(key)
    return pager


def status(pager: Pager, width: int = 200) -> str:
    return click.unstyle(pager.page(width, 24)[-1])


def test_arrows_home_and_end_move_through_the_game(heroes: Transcript) -> None:
    assert pressed(heroes, "right", "right", "left").turn == 1
    assert pressed(heroes, "left").turn == 0
    assert pressed(heroes, "end").turn == heroes.last
    assert pressed(heroes, "end", "right").turn == heroes.last
    assert pressed(heroes, "end", "home").turn == 0


def test_digits_and_enter_go_to_a_turn_and_a_letter_means_another_number(heroes: Transcript) -> None:
    assert pressed(heroes, *"37", "enter").turn == 37
    assert "go to ply 3" in status(pressed(heroes, *"3p"))
    pager = pressed(heroes, *"36p", "enter")
    assert heroes.turns[pager.turn - 1].numbers["ply"] == 36
    assert status(pager).startswith(f"turn {pager.turn} of {heroes.last} (round 10, ply 36)")
    pager = pressed(heroes, *"10r", "enter")
    assert heroes.turns[pager.turn - 1].numbers["round"] == 10
    assert heroes.turns[pager.turn - 2].numbers["round"] == 9
    assert "no ply 9999999 in this game" in status(pressed(heroes, *"9999999p", "enter"))


def test_a_number_can_be_corrected(heroes: Transcript) -> None:
    assert pressed(heroes, *"38", "backspace", "7", "enter").turn == 37


def test_the_next_turn_with_an_event_or_a_word_is_found(heroes: Transcript) -> None:
    at = pressed(heroes, "e").turn
    assert heroes.turns[at - 1].events
    assert not any(turn.events for turn in heroes.turns[: at - 1])
    assert pressed(heroes, "e", "e", "E").turn == at
    word = heroes.turns[at - 1].events[0].split()[-1]
    assert pressed(heroes, "/", *word, "enter").turn <= at
    assert "no later turn with 'xyzzy'" in status(pressed(heroes, "/", *"xyzzy", "enter"))


def test_a_game_without_faults_says_so(tmp_path: Path) -> None:
    counted = games.counting(tmp_path / "counted.jsonl")
    faults = [line.turn for line in counted.answers if line.fault]
    assert pressed(Transcript(counted, count_up.protocol), "f").turn == faults[0]
    clean = games.tampered(
        counted, tmp_path / "clean.jsonl", lambda lines: [line.pop("fault", None) for line in lines[1:-1]]
    )
    pager = pressed(Transcript(load_record(clean), count_up.protocol), "f")
    assert pager.turn == 0
    assert "no later fault" in status(pager)


def test_the_game_plays_by_itself_up_to_its_end(heroes: Transcript) -> None:
    pager = pressed(heroes, " ")
    assert pager.playing
    assert "space pauses" in status(pager)
    pager.press("+")
    assert (pager.playing, SPEEDS[pager.speed]) == (True, 2)
    while pager.playing:
        pager.tick()
    assert pager.turn == heroes.last
    pager.press(" ")
    assert (pager.turn, pager.playing) == (0, True)
    pager.press("right")
    assert not pager.playing


def test_what_was_played_is_seen_even_if_the_board_does_not_fit(heroes: Transcript) -> None:
    pager = pressed(heroes, "right")
    moved = click.unstyle(heroes.turns[0].text).split("\n")[0]
    for height in (12, 24, 60):
        assert moved in map(click.unstyle, pager.page(80, height)), height


def test_help_lists_the_keys_until_the_next_one(heroes: Transcript) -> None:
    pager = pressed(heroes, "?")
    assert any("previous turn" in line for line in pager.page(80, 24))
    pager.press("q")
    assert not pager.done
    assert pressed(heroes, "q").done


@given(
    st.lists(st.sampled_from([*KEYS, *"nppfFeE+-?0123456789rp/x"]), max_size=30),
    st.integers(20, 120),
    st.integers(3, 60),
)
def test_every_page_fits_the_terminal(keys: list[str], width: int, height: int) -> None:
    record = load_record(ROOT / "matches" / "samples" / "splendor.jsonl")
    pager = Pager(KEPT.setdefault("splendor", Transcript(record, find_protocol("splendor", Workspace()))))
    for key in keys:
        pager.press(key)
        page = pager.page(width, height)
        assert len(page) == height
        assert max(map(columns, page)) <= width
        assert 0 <= pager.turn <= pager.transcript.last


KEPT: dict[str, Transcript] = {}


@given(st.text(st.sampled_from("ab世 é"), max_size=30), st.integers(0, 40))
def test_a_styled_line_is_cut_to_the_columns_there_are(text: str, width: int) -> None:
    styled = click.style(text, fg="red") + text
    assert columns(clipped(styled, width)) <= width
    assert click.unstyle(styled).startswith(click.unstyle(clipped(styled, width)))


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with Terminal("show", HEROES) as opened:
        yield opened


def test_keys_at_a_real_terminal(terminal: Terminal) -> None:
    terminal.until("turn 0 of")
    terminal.type("\x1b[C")
    terminal.until("turn 1 of")
    terminal.type("\x1bOF")
    last = load_record(HEROES).answers[-1].turn
    terminal.until(f"turn {last} of {last}")
    terminal.type("\x1b[1~37\r")
    terminal.until("turn 37 of")
    terminal.type("\x1b[D \x1b")
    terminal.until("turn 36 of")
    terminal.until("turn 37 of")  # by itself
    terminal.resize(40, 60)
    terminal.type("?")
    terminal.until("next and previous fault")
    terminal.type("xq")
    assert terminal.process.wait() == 0
    assert terminal.attributes == terminal.before


def test_a_page_is_drawn_again_for_another_size(terminal: Terminal) -> None:
    terminal.until("turn 0 of")
    terminal.resize(12, 44)
    shown = terminal.until("turn 0 of")
    lines = [line.replace("\x1b[K", "").replace("\x1b[H", "").rstrip("\r") for line in shown.split("\n")]
    assert len(lines) <= 12
    assert max(map(columns, lines[1:-1])) <= 44


def test_without_a_terminal_the_turns_are_printed() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "arbiter", "show", str(HEROES)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.endswith("(400 turns)\n")
