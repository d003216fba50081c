"""The format of a saved game."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import msgspec
import pytest

from arbiter import play
from arbiter.errors import UserError
from arbiter.records.format import Header
from arbiter.records.reader import Record, find_records, load_record
from arbiter.records.verify import differences
from arbiter.records.writer import RecordWriter, new_path, new_record
from tests.nullgame import count_up
from tests.nullgame.place import adder, write
from tests.nullgame.script import header_of


def test_it_is_a_header_then_a_line_for_every_answer_then_the_result(sold: Record) -> None:
    kinds = [json.loads(line)["type"] for line in sold.path.read_bytes().splitlines()]
    assert kinds == ["header", *["answer"] * 12, "result"]


def test_the_header_has_everything_that_was_fixed_before_the_first_move(place: Path) -> None:
    agents = [adder(place, "one", 1), f"zwö={adder(place, 'two', 2)}"]
    report = play("count_up", agents, seed=4, options={"turns": 2}, limits={"move": "3s"}, clock="wall")
    header = json.loads(Path(report.games[0].record).read_bytes().splitlines()[0])
    assert set(header) == {
        "type", "format", "arbiter", "protocol", "version", "options", "seed", "commitment", "setup", "setup_given", "seats",
        "clock", "ponder", "sandbox", "enforced", "started", "game", "contest", "stage",
    }  # fmt: skip
    assert (header["protocol"], header["version"], header["seed"], header["game"]) == ("count_up", 1, 4, 1)
    assert header["options"] == {"turns": 2, "bonus": False, "pace": "slow"}
    assert header["setup_given"] is False
    assert [seat["name"] for seat in header["seats"]] == ["one", "zwö"]
    assert header["seats"][0]["agent"] == agents[0]
    assert header["seats"][0]["command"][1:] == [agents[0]]
    assert (header["seats"][0]["language"], header["seats"][0]["lifetime"]) == ("Shell", "move")
    assert header["seats"][0]["limits"]["move"] == "3s"
    assert header["clock"] == "wall"
    assert {"time", "memory", "files", "network"} <= set(header["enforced"])


def test_an_answer_line_omits_default_values(counted: Record) -> None:
    lines = [json.loads(line) for line in counted.path.read_bytes().splitlines()]
    assert set(lines[2]) == {"type", "turn", "seat", "move", "wall_us", "cpu_us", "charged_us", "chance"}
    assert lines[3]["fault"] == {"kind": "garbled", "detail": "'zehn' is not a number", "said": "zehn"}
    assert lines[1]["message"] == "grüße, 世界 🂡"


def test_reading_gives_back_what_was_written(counted: Record) -> None:
    lines = [msgspec.to_builtins(counted.header), *map(msgspec.to_builtins, counted.answers)]
    assert lines == [json.loads(line) for line in counted.path.read_bytes().splitlines()[:-1]]


def test_the_name_of_the_file_sorts_by_time_and_says_who_played(tmp_path: Path) -> None:
    header = header_of(count_up.protocol, 2)
    header.seats[0].name, header.seats[1].name = "größe/..", "b c"
    assert new_path(tmp_path, header).name == "20261116-091500-count_up-größe_..-b_c-1.jsonl"


def test_an_older_game_is_never_overwritten(tmp_path: Path) -> None:
    header = header_of(count_up.protocol, 1)
    first = new_path(tmp_path, header)
    with RecordWriter(first, header):
        second = new_path(tmp_path, header)
    assert second != first
    with pytest.raises(UserError, match="cannot save games in"):
        RecordWriter(first, header)


def test_a_link_in_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="cannot save games in"):
        RecordWriter(tmp_path / "game.jsonl", header_of(count_up.protocol, 1))
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_cannot_be_created_is_a_user_error(tmp_path: Path) -> None:
    write(tmp_path / "file", "")
    with pytest.raises(UserError, match=r"cannot save games in .*/file/games"):
        RecordWriter(tmp_path / "file" / "games" / "game.jsonl", header_of(count_up.protocol, 1))


def test_file_names_that_are_not_utf8_do_not_break_the_record(place: Path) -> None:
    name = os.fsdecode(b"b\xf6t.sh")
    agent = write(place / name, "echo 2\n")
    report = play("count_up", [str(agent)], seed=1, save=place / os.fsdecode(b"g\xe4mes"))
    record = load_record(Path(report.games[0].record))
    assert record.names == ["b�t"]
    assert record.header.seats[0].agent.endswith("/b�t.sh")
    assert record.result is not None
    assert record.result.scores == [12.0]


def test_a_newer_format_is_refused(counted: Record, tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_bytes(counted.path.read_bytes().replace(b'"format":1', b'"format":2', 1))
    with pytest.raises(UserError, match="has format 2; this arbiter reads formats up to 1: update the arbiter"):
        load_record(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"hello\n",
        b"{}\n",
        b"[1, 2]\n",
        b"null\n",
        b"\xff\xfe\n",
        b'{"type":"header","arbiter":"\xff"}\n',
        b"[" * 100_000 + b"\n",
        b'{"type":"answer","turn":1,"seat":0,"move":"1","wall_us":1,"cpu_us":1,"charged_us":1}\n',
        b'{"type":"surprise"}\n',
        b'{"type":"header"}\n',
    ],
)
def test_a_file_that_is_not_a_saved_game_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"x\.jsonl"):
        load_record(path)


def test_files_are_taken_as_named_and_folders_searched(tmp_path: Path) -> None:
    for name in ("b.jsonl", "sub/a.jsonl", "notes.txt"):
        write(tmp_path / name, "")
    found = find_records([tmp_path, tmp_path / "notes.txt"])
    assert [path.name for path in found] == ["b.jsonl", "a.jsonl", "notes.txt"]
    with pytest.raises(UserError, match=r"no such saved game '.*missing'"):
        find_records([tmp_path / "missing"])


def test_names_in_any_script_leave_room_for_the_name_of_the_file(tmp_path: Path) -> None:
    header = header_of(count_up.protocol, 4)
    for seat in header.seats:
        seat.name = "𠀀" * 40
    with new_record(tmp_path, header) as writer:
        assert len(os.fsencode(writer.path.name)) <= 255


def test_records_opened_at_the_same_time_get_unique_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = header_of(count_up.protocol, 1)
    free, given = new_path(tmp_path, header), list[Path]()

    def overtaken(folder: Path, header: Header) -> Path:
        path = new_path(folder, header)
        if not given:
            write(path, "of another\n")
        given.append(path)
        return path

    monkeypatch.setattr("arbiter.records.writer.new_path", overtaken)
    with new_record(tmp_path, header) as writer:
        assert given == [free, writer.path]
    assert free.read_text() == "of another\n"


def test_a_dangling_link_of_that_name_counts_as_existing(tmp_path: Path) -> None:
    header = header_of(count_up.protocol, 1)
    new_path(tmp_path, header).symlink_to(tmp_path / "nowhere")
    with new_record(tmp_path, header) as writer:
        assert not writer.path.is_symlink()


def test_a_record_whose_header_cannot_be_written_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.write", full)
    with pytest.raises(UserError, match="No space left"):
        new_record(tmp_path, header_of(count_up.protocol, 1))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_a_null_character_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot save games in .*null"):
        new_record(tmp_path / "a\0b", header_of(count_up.protocol, 1))


def test_a_long_answer_with_a_salvaged_part_is_kept_whole_so_that_it_verifies(place: Path) -> None:
    agent = write(place / "long.sh", "echo 9 $(head -c 9000 /dev/zero | tr '\\0' x)\n")
    report = play("count_up", [str(agent)], seed=1, save=place / "games")
    record = load_record(Path(report.games[0].record))
    assert [line.move for line in record.answers] == ["3"] * len(record.answers)
    assert list(differences(record, count_up.protocol)) == []
