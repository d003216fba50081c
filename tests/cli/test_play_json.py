"""``--json``: one document on standard output and nothing else anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.records.reader import load_record
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write


@pytest.fixture
def pair(place: Path) -> list[str]:
    return [adder(place, "low", 1), adder(place, "bad", "seven")]


def test_a_series_is_one_document_with_games_and_totals(pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--games", "3", "--seed", "8", "-o", "turns=2", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert set(ran.document) == {"games", "totals"}
    assert len(ran.document["games"]) == 3
    assert set(ran.document["totals"]) == {"low", "bad"}
    assert ran.document["totals"]["low"]["wins"] == 3
    assert ran.document["totals"]["bad"]["faults"] == 3


def test_a_game_has_its_result_and_its_faults(place: Path, pair: list[str]) -> None:
    game = arbiter("play", "count_up", *pair, "--seed", "8", "-o", "turns=2", "--json").document["games"][0]
    assert {"record", "protocol", "seed", "seats", "ranks", "scores", "turns", "reason", "faults"} <= set(game)
    record = load_record(Path(game["record"]))
    assert (game["protocol"], game["seed"], game["seats"]) == ("count_up", 8, ["low", "bad"])
    assert (game["ranks"], game["scores"], game["turns"]) == ([1, 2], [1.0, 0.0], 2)
    assert game["reason"] == "all turns were played"
    turn = next(line.turn for line in record.answers if line.fault)
    assert game["faults"] == [{"turn": turn, "seat": 1, "kind": "garbled", "detail": "'seven' is not a number"}]
    assert record.result is not None
    assert game["digest"] == record.result.digest


@pytest.mark.parametrize("flags", [["-q"], ["-v"], ["-q", "-v"]])
def test_other_flags_add_nothing_to_the_document(pair: list[str], flags: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "--json", *flags)
    assert set(ran.document) == {"games", "totals"}
    assert ran.err == ""


def test_standard_error_of_agents_is_not_passed_through(place: Path) -> None:
    loud = write(place / "loud.sh", "echo noise >&2\necho kibitz hello >&2\necho 1\n")
    ran = arbiter("play", "count_up", str(loud), "--json")
    assert ran.err == ""
    assert load_record(Path(ran.document["games"][0]["record"])).answers[0].kibitz == ["hello"]


def test_an_error_goes_to_standard_error_and_no_document_is_printed(pair: list[str]) -> None:
    ran = arbiter("play", "count_up", *pair, "nobody-of-that-name", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arbiter: unknown agent 'nobody-of-that-name'; choose from ")
