"""Standard error for pages: by turn, bounded, and left out where it is not for the reader."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.packed.packing import pack_folder
from arbiter.records.reader import Record
from arbiter.records.stderr_log import StderrLine, StderrLog, log_path
from arbiter.web import stderr_text
from arbiter.web.bundle import page
from arbiter.web.library import Library
from arbiter.web.stderr_text import MOST_OF_A_TURN, stderr_by_turn
from tests.nullgame import count_up
from tests.records import games
from tests.web.served import serving
from tests.web.test_bundle import embedded

SAID = "how I chose: <b>3</b>\n"


def logged(path: Path, text: str = SAID, turns: int = 8) -> Record:
    """A game whose agents printed this before every answer."""
    record = games.counting(path)
    with StderrLog(path, 2, "all") as log:
        for turn in range(1, turns + 1):
            log.feed(1 - turn % 2, text.encode())
            log.end_turn(1 - turn % 2, turn, fault=False)
    return record


def test_texts_are_found_by_turn(tmp_path: Path) -> None:
    logged(tmp_path / "game.jsonl", turns=2)
    assert stderr_by_turn(tmp_path / "game.jsonl") == {
        "turns": {"1": [{"seat": 0, "text": SAID}], "2": [{"seat": 1, "text": SAID}]},
        "problem": "",
    }


def test_packed_games_show_their_log(tmp_path: Path) -> None:
    logged(tmp_path / "game.jsonl", turns=2)
    before = stderr_by_turn(tmp_path / "game.jsonl")
    pack_folder(tmp_path)
    assert [path.suffix for path in tmp_path.iterdir()] == [".parquet"]
    assert stderr_text.has_log(tmp_path / "game.jsonl")
    assert stderr_by_turn(tmp_path / "game.jsonl") == before


def test_the_end_of_a_long_text_is_kept(tmp_path: Path) -> None:
    logged(tmp_path / "game.jsonl", "x" * MOST_OF_A_TURN + "the reason", turns=1)
    (shown,) = stderr_by_turn(tmp_path / "game.jsonl")["turns"]["1"]
    assert shown["cut"]
    assert len(shown["text"]) == MOST_OF_A_TURN
    assert shown["text"].endswith("the reason")


@given(sizes=st.lists(st.integers(1, 60), max_size=20), most=st.integers(1, 300))
def test_a_page_never_gets_more_than_the_most(
    sizes: list[int], most: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("log") / "game.jsonl"
    lines = [StderrLine(seat=0, turn=turn, text="x" * size) for turn, size in enumerate(sizes, 1)]
    log_path(path).write_bytes(gzip.compress(b"".join(_encoded(line) + b"\n" for line in lines)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stderr_text, "MOST_OF_A_GAME", most)
        made = stderr_by_turn(path)
    texts = [text["text"] for turn in made["turns"].values() for text in turn]
    assert sum(map(len, texts)) == min(most, sum(sizes))
    assert bool(made["problem"]) == (len(texts) < len(sizes))


def _encoded(line: StderrLine) -> bytes:
    return json.dumps({"seat": line.seat, "turn": line.turn, "text": line.text}).encode()


@pytest.mark.parametrize(
    "content",
    [b"", b"not gzip", gzip.compress(b"not JSON\n"), gzip.compress(b'{"seat": "x"}\n')],
    # Without the bytes, which contain the time: the workers of a run must collect the same names.
    ids=["empty", "not gzip", "not JSON", "not a line"],
)
def test_a_damaged_log_does_not_stop_the_page(tmp_path: Path, content: bytes) -> None:
    record = games.counting(tmp_path / "game.jsonl")
    log_path(record.path).write_bytes(content)
    assert stderr_by_turn(record.path)["turns"] == {}
    assert embedded(page(record, count_up.protocol))["stderr"]["turns"] == {}


def test_an_exported_page_has_it_in_it_unless_it_is_for_others(tmp_path: Path) -> None:
    record = logged(tmp_path / "game.jsonl")
    assert embedded(page(record, count_up.protocol))["stderr"]["turns"]["3"] == [{"seat": 0, "text": SAID}]
    assert "stderr" not in embedded(page(record, count_up.protocol, with_stderr=False))


@pytest.mark.parametrize("public", [False, True])
def test_a_server_sends_it_unless_the_page_is_public(place: Path, public: bool) -> None:
    record = logged(place / "game.jsonl")
    library = Library([record.path])
    library.public = public
    with serving(library) as served:
        assert served.get(f"/data/game/{library.newest}").data["has_stderr"] is not public
        turns = served.get(f"/data/game/{library.newest}/stderr").data["turns"]
        assert len(turns) == (0 if public else 8)


def test_a_game_without_a_log_has_none(place: Path) -> None:
    record = games.counting(place / "game.jsonl")
    library = Library([record.path])
    with serving(library) as served:
        assert served.get(f"/data/game/{library.newest}").data["has_stderr"] is False
        assert served.get(f"/data/game/{library.newest}/stderr").data == {"turns": {}, "problem": ""}
    assert "stderr" not in embedded(page(record, count_up.protocol))
