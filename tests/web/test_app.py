"""What the server sends: pages, documents, events; and what it refuses."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import click
import pytest

from arbiter.cli.games import command
from arbiter.records.reader import load_record
from arbiter.records.search.folder import search
from arbiter.web import library as library_module
from arbiter.web.drawings import STATIC
from arbiter.web.library import Library, game_id
from tests.records import games
from tests.tools import ROOT
from tests.web.served import Events, Served, serving


def test_a_single_game_is_the_first_page(shelf: Path) -> None:
    path = shelf / "counted.jsonl"
    with serving(Library([path])) as served:
        assert served.get("/").headers["location"] == f"/game/{game_id(path)}"


def test_a_folder_is_a_list(served: Served) -> None:
    assert served.get("/").headers["location"] == "/games"
    assert served.get("/games").status == 200
    data = served.get("/data/games").data
    assert {game["protocol"] for game in data["games"]} == {"count_up", "auction"}


def test_the_list_says_who_won_by_name_and_not_by_the_number_that_the_rules_use() -> None:
    with serving(Library(folder=ROOT / "matches" / "samples")) as served:
        listed = {game["protocol"]: game["reason"] for game in served.get("/data/games").data["games"]}
    assert listed["splendor"] == "lookahead (player 1) has 19 points after 29 rounds"


def test_every_file_that_the_pages_name_is_served(served: Served) -> None:
    for file in STATIC.iterdir():
        if file.suffix in {".js", ".css", ".html"}:
            assert served.get(f"/static/{file.name}").body == file.read_bytes()


def test_a_game_is_a_document(served: Served, shelf: Path) -> None:
    data = served.get(f"/data/game/{game_id(shelf / 'counted.jsonl')}").data
    assert data["game"]["title"] == "Count up"
    assert len(data["turns"]) == 8
    assert data["result"]["reason"] == "all turns were played"
    assert data["live"] is False
    assert data["drawing"] is None
    assert data["has_rules"] is False


def test_the_rules_of_a_game_are_its_readme_as_plain_text(served: Served) -> None:
    sent = served.get("/rules/rails")
    assert sent.headers["content-type"].startswith("text/plain")
    assert sent.body == (ROOT / "protocols" / "rails" / "README.md").read_bytes()
    assert served.get("/rules/count_up").status == 404


def test_a_protocol_in_a_folder_brings_its_drawing(
    served: Served, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing = shelf / "drawing.js"
    drawing.write_text("export function draw() {}\n")
    monkeypatch.setattr("arbiter.web.page_files.drawing_of", lambda _: drawing)
    data = served.get(f"/data/game/{game_id(shelf / 'counted.jsonl')}").data
    assert data["drawing"] == "/drawing/count_up/drawing.js"
    sent = served.get(data["drawing"])
    assert (sent.body, sent.headers["content-type"].split(";")[0]) == (drawing.read_bytes(), "text/javascript")
    for name in ("drawing-parts.js", "rules.js"):
        (shelf / name).write_text("export const part = 1;\n")
    assert served.get("/drawing/count_up/drawing-parts.js").status == 200, "what a drawing may import"
    assert served.get("/drawing/count_up/rules.js").status == 404


def test_the_record_itself_can_be_downloaded(served: Served, shelf: Path) -> None:
    path = shelf / "counted.jsonl"
    sent = served.get(f"/data/game/{game_id(path)}/record")
    assert sent.body == path.read_bytes()
    assert "attachment" in sent.headers["content-disposition"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/export-svg.mjs",
        "/data/game/../../../etc/passwd", "/data/game/..%2f..%2fetc%2fpasswd/record", "/drawing/..%2f..%2fx.js", "/drawing/count_up/..%2fx.js", "/game",
    ],
)  # fmt: skip
def test_nothing_outside_is_served(served: Served, path: str) -> None:
    assert served.get(path).status in {404, 422}


def test_a_record_is_served_only_if_it_is_in_the_folder(served: Served, place: Path) -> None:
    outside = games.counting(place / "outside.jsonl").path
    sent = served.get(f"/data/game/{game_id(outside)}")
    assert (sent.status, sent.data) == (422, {"error": "no such game; it may have been moved or deleted"})


def test_a_game_added_later_is_found(served: Served, shelf: Path) -> None:
    served.get("/data/games")
    later = games.counting(shelf / "later.jsonl", seed=9).path
    assert served.get(f"/data/game/{game_id(later)}").data["game"]["seed"] == "9"


def test_a_seed_keeps_all_its_digits(served: Served, shelf: Path) -> None:
    """A browser reads numbers as floating point."""
    seed = 2**127 + 1
    path = games.counting(shelf / "large.jsonl", seed=seed).path
    assert served.get(f"/data/game/{game_id(path)}").data["game"]["seed"] == str(seed)
    assert str(seed) in [game["seed"] for game in served.get("/data/games").data["games"]]


def test_a_growing_record_is_sent_turn_by_turn_and_then_its_result(served: Served, shelf: Path, place: Path) -> None:
    whole = games.counting(place / "whole.jsonl").path.read_bytes().splitlines(keepends=True)
    path = shelf / "growing.jsonl"
    path.write_bytes(b"".join(whole[:3]))
    document = served.get(f"/data/game/{game_id(path)}").data
    assert (len(document["turns"]), document["live"]) == (2, True)
    events = Events(served, f"/data/game/{game_id(path)}/live?after=2")
    for line in whole[3:-1]:
        with path.open("ab") as file:
            file.write(line)
        name, data = events.next()
        assert (name, len(data["turns"])) == ("turns", 1)
    with path.open("ab") as file:
        file.write(whole[-1])
    name, ending = events.next()
    result = load_record(path).result
    assert result is not None
    assert (name, ending["result"]["digest"]) == ("over", result.digest)
    events.close()


def test_a_late_watcher_gets_only_what_it_lacks(served: Served, shelf: Path) -> None:
    name = game_id(shelf / "counted.jsonl")
    events = Events(served, f"/data/game/{name}/live?after=6")
    kind, data = events.next()
    assert (kind, data["after"], len(data["turns"])) == ("turns", 6, 2)
    assert events.next()[0] == "over"
    assert events.ended()
    events.close()


def test_watchers_of_a_series_are_told_of_the_next_game(shelf: Path) -> None:
    library = Library([shelf / "counted.jsonl"])
    library.growing = True
    with serving(library) as served:
        document = served.get(f"/data/game/{library.newest}").data
        assert document["live"] is True
        events = Events(served, f"/data/game/{library.newest}/live?after=8&newest={document['newest']}")
        assert events.next()[0] == "over"
        following = library.add(shelf / "sold.jsonl")
        assert events.next() == ("next", {"game": following})
        events.close()


def test_a_game_that_begins_before_the_page_listens_is_announced_too(shelf: Path) -> None:
    library = Library([shelf / "counted.jsonl"])
    seen = library.newest
    following = library.add(shelf / "sold.jsonl")
    with serving(library) as served:
        events = Events(served, f"/data/game/{seen}/live?after=8&newest={seen}")
        assert events.next()[0] == "over"
        assert events.next() == ("next", {"game": following})
        events.close()


def test_changes_in_the_folder_are_announced(served: Served, shelf: Path) -> None:
    state = served.get("/data/games").data["state"]
    events = Events(served, f"/data/changes?seen={state}")
    games.counting(shelf / "later.jsonl", seed=4)
    assert events.next() == ("changed", {})
    events.close()


def test_a_change_before_the_page_listens_is_announced_too(served: Served, shelf: Path) -> None:
    state = served.get("/data/games").data["state"]
    (shelf / "sold.jsonl").unlink()
    events = Events(served, f"/data/changes?seen={state}")
    assert events.next() == ("changed", {})
    events.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", 2), ("protocol=auction", 1), ("agent=bot+2", 1), ("agent=nobody", 0), ("fault=late", 1), ("fault=any", 2),
        ("finished=yes", 2), ("finished=no", 0), ("seed=3", 1), ("kibitz=thanks", 1), ("since=2026-11-17", 0), ("limit=1", 2),
        ("before=2026-11-16", 0), ("before=2026-11-17", 2), ("won=bot+1", 1), ("lost=bot+0", 1), ("drew=bot+0", 0), ("duplicates=yes", 0),
        ("agent=bot+0&agent=bot+2", 1), ("words=auction", 1), ("words=late", 1), ("words=3", 1), ("words=won:%22bot+1%22+count_up", 1), ("words=count_up+late+%22bot+1%22", 0),
        ("words=bot", 0), ("words=%22bot+0", 0), ("words=since:2026-11-17", 0),
    ],
)  # fmt: skip
def test_games_are_searched_as_arbiter_games_does(served: Served, query: str, found: int) -> None:
    assert served.get(f"/data/games?{query}").data["found"] == found


def test_the_form_has_every_condition_of_arbiter_games() -> None:
    fields = set(
        re.findall(r'<(?:input|select)[^>]* name="(\w+)"', (STATIC / "games.html").read_text(encoding="utf-8"))
    )
    conditions = {param.opts[0].removeprefix("--") for param in command.params if isinstance(param, click.Option)}
    about_the_output = {"games", "sql", "format", "output", "count", "paths", "json", "color"}
    assert fields == conditions - about_the_output | {"words"}


@pytest.mark.parametrize("query", ["colour=red", "seed=x", "since=yesterdayish", "sort=beauty", "limit=-1"])
def test_a_condition_that_makes_no_sense_is_explained(served: Served, query: str) -> None:
    sent = served.get(f"/data/games?{query}")
    assert sent.status == 422
    assert query.split("=")[1] in sent.data["error"] or query.split("=", maxsplit=1)[0] in sent.data["error"]


def test_a_search_for_very_many_names_is_refused(served: Served) -> None:
    sent = served.get("/data/games?" + "&".join(f"agent=a{number}" for number in range(1200)))
    assert (sent.status, sent.data["error"]) == (422, "1200 agents and faults to search for; give at most 100")


def test_a_large_folder_is_listed_before_its_index_is_made(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = threading.Event()

    def slow(*given: Any, **more: Any) -> Any:
        assert begin.wait(30)
        return search(*given, **more)

    monkeypatch.setattr(library_module, "MANY", 1)
    monkeypatch.setattr(library_module, "search", slow)
    library = Library(folder=shelf)
    with serving(library) as served:
        first = served.get("/data/games").data
        assert first["indexing"]
        assert (first["found"], len(first["games"])) == (2, 2)
        begin.set()
        library.wait_for_index()
        second = served.get("/data/games").data
    assert not second["indexing"]
    assert second["state"] != first["state"], "the page asks again"
    assert {game["id"] for game in second["games"]} == {game["id"] for game in first["games"]}


def test_what_a_link_in_the_folder_leads_to_is_not_sent_unless_it_is_a_game(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("secret\n", encoding="utf-8")
    (tmp_path / "games").mkdir()
    link = tmp_path / "games" / "link.jsonl"
    link.symlink_to(tmp_path / "private")
    with serving(Library(folder=tmp_path / "games")) as served:
        sent = served.get(f"/data/game/{game_id(link)}/record")
    assert sent.status == 422
    assert b"secret" not in sent.body
