"""The log of standard error beside a record."""

from __future__ import annotations

import errno
import gzip
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.contest.ledger import ANNULLED
from arbiter.errors import UserError
from arbiter.records import stderr_log
from arbiter.records.stderr_log import TAIL_BYTES, StderrLog, log_path, read_stderr_log
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import refusal

if TYPE_CHECKING:
    from typing_extensions import Buffer

PRINTS = "read -r seat; read -r state; echo thinking about $state >&2; echo kibitz hm >&2; echo {}\n"


@given(st.lists(st.lists(st.integers(1, TAIL_BYTES), max_size=4), max_size=6))
def test_the_end_is_kept_in_order_and_what_is_cut_says_so(turns: list[list[int]]) -> None:
    log = stderr_log._SeatLog(0, TAIL_BYTES)
    fed, number = b"", 0
    for turn, sizes in enumerate(turns, 1):
        for size in sizes:
            chunk = bytes(33 + (number + at) % 90 for at in range(size))
            number += size
            fed += chunk
            log.feed(chunk)
        log.end_turn(turn)
    lines = log.take()
    assert "".join(line.text for line in lines).encode() == fed[-TAIL_BYTES:]
    assert [line.turn for line in lines] == sorted({line.turn for line in lines})
    assert [line.cut for line in lines] == [index == 0 and len(fed) > TAIL_BYTES for index in range(len(lines))]


class OnFullDisk(io.FileIO):
    """A file that cannot be written to any more."""

    def write(self, _: Buffer) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_line_that_names_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fdopen", lambda file, _: io.BufferedWriter(OnFullDisk(file, "w")))
    log = StderrLog(tmp_path / "game.jsonl", 1, "all")
    log.feed(0, b"thinking\n")
    log.end_turn(0, 1, fault=False)
    said = refusal(log.__exit__)
    assert said == f"cannot write {log_path(tmp_path / 'game.jsonl')}: No space left on device"


def test_all_of_it_is_kept_if_wanted(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    with StderrLog(record, 2, "all") as log:
        for turn in range(1, 6):
            log.feed(turn % 2, b"x" * TAIL_BYTES)
            log.end_turn(turn % 2, turn, fault=False)
        log.feed(0, "nachträglich\n".encode())
    lines = list(read_stderr_log(record))
    assert [(line.seat, line.turn, len(line.text), line.cut) for line in lines[:5]] == [
        (turn % 2, turn, TAIL_BYTES, False) for turn in range(1, 6)
    ]
    assert (lines[5].turn, lines[5].text) == (0, "nachträglich\n")


def test_all_of_it_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stderr_log, "MOST_BYTES", TAIL_BYTES + 10)
    record = tmp_path / "game.jsonl"
    with StderrLog(record, 1, "all") as log:
        for turn in range(1, 5):
            log.feed(0, b"y" * TAIL_BYTES)
            log.end_turn(0, turn, fault=False)
    assert sum(len(line.text) for line in read_stderr_log(record)) == TAIL_BYTES + 10


def test_a_long_text_is_several_lines_and_a_longer_line_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stderr_log, "LONGEST_TEXT", 1000)
    record = tmp_path / "game.jsonl"
    with StderrLog(record, 1, "all") as log:
        log.feed(0, b"z" * 2500)
        log.end_turn(0, 1, fault=False)
    assert [(line.turn, len(line.text), line.cut) for line in read_stderr_log(record)] == [
        (1, 1000, False),
        (1, 1000, False),
        (1, 500, False),
    ]
    monkeypatch.setattr(stderr_log, "_LONGEST_LINE", 500)  # a small file can unpack to a line of any length
    with pytest.raises(UserError, match="not a log of standard error"):
        list(read_stderr_log(record))


def test_a_planted_link_is_not_followed(tmp_path: Path) -> None:
    victim = write(tmp_path / "victim", "precious")
    record = tmp_path / "game.jsonl"
    log_path(record).symlink_to(victim)
    with StderrLog(record, 1, "tail") as log:
        log.feed(0, b"text")
    assert victim.read_text(encoding="utf-8") == "precious"
    assert [line.text for line in read_stderr_log(record)] == ["text"]


@pytest.mark.parametrize(
    "data",
    [b"nonsense", gzip.compress(b'{"seat":"x"}\n'), gzip.compress(b"\xff\n")],
    ids=["not gzip", "not a line", "not UTF-8"],  # not the bytes, which hold the time
)
def test_a_damaged_log_is_a_mistake_of_the_user(tmp_path: Path, data: bytes) -> None:
    record = tmp_path / "game.jsonl"
    log_path(record).write_bytes(data)
    with pytest.raises(UserError, match="not a log of standard error"):
        list(read_stderr_log(record))


def test_a_log_that_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    record = tmp_path / "game.jsonl"
    log_path(record).write_bytes(gzip.compress(b'{"seat":0,"turn":1,"text":"a"}\n')[:-8])
    assert [line.text for line in read_stderr_log(record)] == ["a"]


@pytest.mark.parametrize(
    ("mode", "answer", "kept"),
    [("tail", 1, True), ("all", 1, True), ("faults", 1, False), ("faults", 9, True), ("none", 9, False)],
)
def test_what_is_kept_can_be_chosen(place: Path, mode: str, answer: int, kept: bool) -> None:
    agent = str(write(place / "bot.sh", PRINTS.format(answer)))
    assert arbiter("play", "count_up", agent, "-o", "turns=3", "-q", "--log", mode).code == 0
    (record,) = (place / "matches" / "games").glob("*.jsonl")
    assert [(line.turn, line.text.splitlines()[1]) for line in read_stderr_log(record)] == (
        [(turn, "kibitz hm") for turn in (1, 2, 3)] if kept else []
    )
    assert log_path(record).exists() == kept


def test_show_prints_it_turn_by_turn(place: Path) -> None:
    agent = str(write(place / "bot.sh", PRINTS.format(1).replace("hm", "\\\\033[31m")))
    arbiter("play", "count_up", agent, "-o", "turns=3", "-q", "--seed", "1")
    shown = arbiter("show", "matches/games", "--stderr-log")
    assert shown.code == 0, shown.err
    assert [line for line in shown.out.splitlines() if not line.startswith(" ")] == [
        f"turn {turn}, bot" for turn in (1, 2, 3)
    ]
    assert "\033" not in shown.out
    one = arbiter("show", "matches/games", "--stderr-log", "--turn", "2", "--json").document["stderr"]
    assert [line["turn"] for line in one] == [2]
    assert arbiter("play", "count_up", agent, "--log", "most").err.startswith("arbiter: unknown log 'most'")


def test_a_game_without_a_log_says_how_to_get_one(place: Path) -> None:
    agent = str(write(place / "bot.sh", "echo 1\n"))
    arbiter("play", "count_up", agent, "-q")
    ran = arbiter("show", "matches/games", "--stderr-log")
    assert ran.code == 2
    assert "play with --log all" in ran.err


def test_the_log_of_an_annulled_game_goes_with_its_record(place: Path) -> None:
    agent = str(write(place / "bot.sh", PRINTS.format(1)))
    other = str(write(place / "two.sh", PRINTS.format(2)))
    ran = arbiter("match", "count_up", agent, other, "--games", "2", "--name", "m", "-q")
    assert ran.code == 0, ran.err
    (folder,) = {path.parent for path in place.rglob("00001-*.jsonl")}
    assert arbiter("annul", f"{folder}#1", "--because", "test").code == 0
    (moved,) = (folder / ANNULLED).glob("*.jsonl")
    assert list(read_stderr_log(moved))
    assert not list(folder.glob("00001-*.gz"))
