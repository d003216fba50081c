"""The page of a person who plays: what it may know, and which requests are taken."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.tools import ROOT
from tests.web.playing import Playing, playing

pytestmark = pytest.mark.slow

SAMPLES = ROOT / "sample_agents"
GREEDY = str(SAMPLES / "splendor" / "greedy.py")


def wait_asked(run: Playing, number: int = 1) -> None:
    """Wait until the person is asked."""
    tick = threading.Event()
    key = next(iter(run.people.keys.values()))
    for _ in range(3000):
        played = run.people.person_game(key)
        question = played.seat.question if played else None
        if question and question.number >= number:
            return
        tick.wait(0.01)
    raise AssertionError("the person was never asked")


def answer(run: Playing, text: str, number: int) -> tuple[int, Any]:
    return run.request("/answer", {"number": number, "text": text})


def test_a_legal_move_is_played_and_an_illegal_one_explained(tmp_path: Path) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path) as run:
        wait_asked(run)
        status, said = answer(run, "9 9", 1)
        assert status == 422
        assert said["error"]
        assert answer(run, " 1 3 0 1 2 ", 1) == (200, {})
        wait_asked(run, 2)
        _, document = run.request()
        assert document["turns"][0]["moves"][0]["move"] == "1 3 0 1 2"


def test_an_answer_to_another_question_is_refused(tmp_path: Path) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path) as run:
        wait_asked(run)
        status, said = answer(run, "1 3 0 1 2", 7)
        assert status == 422
        assert "not your turn" in said["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"number": "x"}', b"\xff", b'{"number":1,"text":5}'])
def test_what_no_page_sends_is_refused(tmp_path: Path, body: bytes) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path) as run:
        wait_asked(run)
        assert run.request("/answer", body)[0] == 400
        assert run.request("/answer", b" " * 1_000_000)[0] == 413


def test_requests_from_other_sites_and_other_forms_are_refused(tmp_path: Path) -> None:
    said = {"number": 1, "text": "1 3 0 1 2"}
    with playing("splendor", ["human", GREEDY], tmp_path) as run:
        wait_asked(run)
        assert run.request("/answer", said, {"origin": "http://evil.example"})[0] == 403
        assert run.request("/answer", said, {"content-type": "text/plain"})[0] == 415
        assert run.request("/answer", said, {"host": "evil.example"})[0] == 421
        guessed = run.url.rsplit("/", 1)[0] + "/guessed"
        assert run.request("/answer", said, url=guessed)[0] == 422
        assert run.request(url=guessed)[0] == 422


def test_neither_seed_nor_setup_nor_record_reach_the_page_before_the_end(tmp_path: Path) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path, seed=987654321) as run:
        wait_asked(run)
        status, document = run.request()
        assert status == 200
        assert "987654321" not in json.dumps(document)
        assert "setup" not in document["game"]
        assert run.request("/record")[0] == 422


def test_pages_are_served_until_they_are_closed_or_a_person_wants_another_game(tmp_path: Path) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path) as run:
        wait_asked(run)
        assert not run.people.wants_rematch(last_look_s=0), "no page is open"
        with run.people.page_open():
            assert run.request("/answer", {"number": 0, "rematch": True}) == (200, {})
            assert run.people.wants_rematch()
            threading.Timer(0, run.people.ask_rematch).start()
            assert run.people.wants_rematch(), "it was asked for once, and is asked for again"


def test_whoever_leaves_is_shown_the_whole_game_and_gets_its_record(tmp_path: Path) -> None:
    with playing("splendor", ["human", GREEDY], tmp_path, seed=987654321) as run:
        wait_asked(run)
        assert answer(run, "1 3 0 1 2", 1) == (200, {})
        assert run.request("/answer", {"number": 0, "leave": True}) == (200, {})
        _, document = run.request()
        assert (document["live"], document["result"]) == (False, None)
        assert "987654321" in json.dumps(document)
        status, record = run.request("/record")
        assert (status, "987654321" in str(record)) == (200, True)
