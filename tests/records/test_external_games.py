"""Saved games of the Splendor contest's own arbiter: exported, imported, and damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.game import Chance, Fault, FaultKind
from arbiter.records.external_games import export_text, import_text
from arbiter.records.reader import Record, load_record
from arbiter.records.verify import differences
from protocols.splendor import protocol
from protocols.splendor.game import SplendorGame
from protocols.splendor.legal_moves import legal_moves
from tests.nullgame import count_up
from tests.nullgame.script import Said, Script, header_of, perform


def random_game(path: Path, seats: int, seed: int) -> Record:
    """Play a game of random moves, buying where possible, with a fault now and then."""
    rng = random.Random(seed)
    header = header_of(protocol, seats, seed=seed)
    game = protocol.start(seats, header.options, header.setup, Chance(seed))
    assert isinstance(game, SplendorGame)
    said: dict[int, list[Said]] = {seat: [] for seat in range(seats)}
    while game.result() is None:
        (seat,) = game.to_move()
        moves = legal_moves(game, seat)
        buys = [move for move in moves if move.startswith("4")]
        move = rng.choice(buys or moves)
        if rng.random() < 0.05:
            fault = Fault(FaultKind.ILLEGAL, "made up")
            said[seat].append(fault)
            move = game.fallback(seat, fault)
        else:
            said[seat].append(move)
        game.play({seat: move})
    return perform(path, protocol, header, Script(said))


def import_again(text: str, folder: Path) -> Record:
    return load_record(import_text(text, [count_up.protocol, protocol], folder))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_an_exported_game_comes_back_with_the_same_moves_and_result(tmp_path: Path, seats: int) -> None:
    record = random_game(tmp_path / "game.jsonl", seats, seed=seats)
    again = import_again(export_text(record, protocol), tmp_path / "again")
    assert list(differences(again, protocol)) == []
    assert record.result is not None
    assert again.result is not None
    assert again.result.ranks == record.result.ranks
    assert again.result.scores == record.result.scores
    assert again.result.reason == record.result.reason
    assert again.header.setup == record.header.setup
    assert [line.fault is None for line in again.answers] == [line.fault is None for line in record.answers]
    spelt = [sorted(line.move.split()) for line in record.answers]
    assert [sorted(line.move.split()) for line in again.answers] == spelt, "chips may be named in another order"


def test_the_file_is_what_the_contest_s_viewer_reads(tmp_path: Path) -> None:
    record = random_game(tmp_path / "game.jsonl", 2, seed=7)
    document = json.loads(export_text(record, protocol))
    assert list(document) == ["players", "decks", "nobles", "rounds"]
    assert document["players"] == ["bot 0", "bot 1"]
    assert [len(deck) for deck in document["decks"]] == [40, 30, 20]
    turns = [turn for played in document["rounds"] for turn in played]
    assert len(turns) == len(record.answers)
    for turn in turns:
        assert list(turn) == ["tokens", "returns", "nobleId", "kibitzes", "arbiterMsg"]
        assert len(turn["tokens"]) == {1: 6, 2: 6, 3: 2, 4: 8}[turn["tokens"][0]]
    passes = [turn for turn in turns if turn["arbiterMsg"].startswith("Sar peste")]
    assert passes
    assert all(turn["tokens"] == [1, 0, 0, 0, 0, 0] for turn in passes)


def test_what_a_purchase_costs_is_in_the_file(tmp_path: Path) -> None:
    record = random_game(tmp_path / "game.jsonl", 2, seed=3)
    chips = [[0] * 6, [0] * 6]
    for played in json.loads(export_text(record, protocol))["rounds"]:
        for seat, turn in enumerate(played):
            kind, *rest = turn["tokens"]
            change = rest if kind in (1, 2) else [-paid for paid in rest[1:]]
            chips[seat] = [
                held + gained for held, gained in zip(chips[seat], [*change, 0, 0, 0, 0, 0, 0], strict=False)
            ]
            chips[seat][5] += kind == 3  # the bank never runs out of gold in this game
            for colour in turn["returns"]:
                chips[seat][int(colour)] -= 1
            assert min(chips[seat]) >= 0


def test_returned_chips_and_messages_are_those_of_the_contest_s_arbiter(tmp_path: Path) -> None:
    """It writes the colours of returned chips as strings, and the last of its messages, in its own words."""
    record = random_game(tmp_path / "game.jsonl", 2, seed=3)
    document = json.loads(export_text(record, protocol))
    kinds = set()
    for played in document["rounds"]:
        for name, turn in zip(document["players"], played, strict=False):
            returns, noble, message = turn["returns"], turn["nobleId"], turn["arbiterMsg"]
            assert all(isinstance(colour, str) for colour in returns)
            if noble:
                assert message == f"{name} primește nobilul #{noble}."
            elif returns:
                assert message == f"{name} a returnat jetoane de culorile {', '.join(returns)}."
            elif message:
                assert message == f"Sar peste {name}: illegal: made up"
            kinds.add((bool(noble), bool(returns), bool(message)))
    assert {(True, False, True), (False, True, True), (False, False, True), (False, False, False)} <= kinds


@pytest.mark.parametrize("written", [int, str])
def test_returned_chips_are_read_as_numbers_and_as_strings(tmp_path: Path, written: Any) -> None:
    record = random_game(tmp_path / "game.jsonl", 2, seed=3)
    document = json.loads(export_text(record, protocol))
    for turn in (turn for played in document["rounds"] for turn in played):
        turn["returns"] = [written(colour) for colour in turn["returns"]]
    again = import_again(json.dumps(document), tmp_path / "again")
    assert list(differences(again, protocol)) == []
    assert [sorted(line.move.split()) for line in again.answers] == [
        sorted(line.move.split()) for line in record.answers
    ]


def test_an_imported_game_is_exported_as_the_same_file(tmp_path: Path) -> None:
    text = export_text(random_game(tmp_path / "game.jsonl", 3, seed=7), protocol)
    again = import_again(text, tmp_path / "again")
    assert json.loads(export_text(again, protocol)) == json.loads(text)


def test_files_of_older_versions_have_objects_instead_of_ids(tmp_path: Path) -> None:
    record = random_game(tmp_path / "game.jsonl", 2, seed=5)
    document = json.loads(export_text(record, protocol))
    document["decks"] = [[{"id": card, "points": 0} for card in deck] for deck in document["decks"]]
    document["nobles"] = [{"id": noble, "cost": []} for noble in document["nobles"]]
    for played in document["rounds"]:
        for turn in played:
            noble = turn.pop("nobleId")
            if turn["tokens"][0] == 4:
                turn["tokens"].insert(2, noble)
    again = import_again(json.dumps(document), tmp_path / "again")
    assert again.result is not None
    assert record.result is not None
    assert again.result.scores == record.result.scores


def test_a_game_that_was_cut_off_becomes_a_record_without_a_result(tmp_path: Path) -> None:
    document = json.loads(export_text(random_game(tmp_path / "game.jsonl", 2, seed=5), protocol))
    del document["rounds"][9:]
    again = import_again(json.dumps(document), tmp_path / "again")
    assert again.result is None
    assert len(again.answers) == 18


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda it: it["rounds"][0][0].update(tokens=[4, 90, 0, 0, 0, 0, 0, 0]), "turn 1: "),
        (lambda it: it["rounds"][0][1].update(tokens=[7, 1]), r"round 1, player 2: unknown tokens \[7, 1\]"),
        (lambda it: it["rounds"][0][0].update(tokens=[1, 0, 2, 0, 1, 0]), "round 1, player 1: unknown tokens"),
        (lambda it: it["rounds"][0][0].update(tokens=[2, 0, 1, 0, 0, 0]), "round 1, player 1: unknown tokens"),
        (lambda it: it["rounds"][0][1].update(tokens=["four", 1]), "round 1, player 2: tokens must be a list of whole numb"),
        (lambda it: it["rounds"][0][1].update(returns=[10**30]), "round 1, player 2: returns must be a list"),
        (lambda it: it["rounds"][0][1].update(returns=["9" * 5000]), "round 1, player 2: returns must be a list"),
        (lambda it: it["rounds"][0][1].update(returns=["١"]), "round 1, player 2: returns must be a list"),
        (lambda it: it["rounds"].insert(0, 5), "round 1, player 1: a turn must be an object, not 5"),
        (lambda it: it["rounds"].append(it["rounds"][0]), "the game is already over"),
        (lambda it: it["rounds"][0].pop(), "it is another player's turn"),
        (lambda it: it["decks"].pop(), "decks must be a list of three lists"),
        (lambda it: it["nobles"].append(99), "nobles"),
        (lambda it: it["players"].extend("abc"), "5 players; must be 1 to 4"),
        (lambda it: it.update(rounds="many"), "must be an object with the lists"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_one_line(tmp_path: Path, change: Any, message: str) -> None:
    document = json.loads(export_text(random_game(tmp_path / "game.jsonl", 2, seed=5), protocol))
    change(document)
    with pytest.raises(UserError, match=message) as caught:
        import_again(json.dumps(document), tmp_path / "again")
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.glob("again/*"))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "PK\x03\x04", '{"players": [], "decks": 1}', "[" * 10**5])
def test_any_other_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UserError, match="not a saved game in any known format; formats are known for splendor"):
        import_again(text, tmp_path)


def test_names_from_the_file_decide_no_path_and_are_distinct(tmp_path: Path) -> None:
    document = json.loads(export_text(random_game(tmp_path / "game.jsonl", 2, seed=5), protocol))
    document["players"] = ["../../\x1b[31m evil", "../../\x1b[31m evil"]
    path = import_text(json.dumps(document), [protocol], tmp_path / "again")
    assert path.parent == tmp_path / "again"
    assert [seat.name for seat in load_record(path).header.seats] == ["../../?[31m evil", "../../?[31m evil-2"]


def test_a_protocol_without_another_format_says_so(tmp_path: Path) -> None:
    record = perform(
        tmp_path / "g.jsonl",
        count_up.protocol,
        header_of(count_up.protocol, 1, options={"turns": 1}),
        Script({0: ["1"]}),
    )
    with pytest.raises(UserError, match="no other format of saved games for this protocol"):
        export_text(record, count_up.protocol)
