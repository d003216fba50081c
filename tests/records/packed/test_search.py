"""A search finds the same games, in the same order, whether they are files, packed, or partly packed."""

from __future__ import annotations

import itertools
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from arbiter.records.packed import packing
from arbiter.records.packed.packing import pack_folder
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query, Sort
from arbiter.records.summary import GameSummary
from tests.records.test_search import DAYS, game

pytestmark = pytest.mark.slow

QUERIES = [
    Query(**conditions)
    for conditions in (
        {},
        {"agents": ("anna",)},
        {"agents": ("anna", "bert")},
        {"won": ("anna",)},
        {"drew": ("bert",)},
        {"lost": ("çelik",)},
        {"faults": ("any",)},
        {"faults": ("late", "crashed"), "agents": ("Bert",)},
        {"seed": 1},
        {"contest": "cup", "stage": "final"},
        {"protocol": "count_up"},
        {"protocol": "none"},
        {"kibitz": "no idea"},
        {"kibitz": "STRASSE"},
        {"kibitz": "two lines", "agents": ("anna",)},
        {"kibitz": "'; DROP TABLE game; --"},
        {"since_us": 1_793_577_600_000_000},
        {"until_us": 1_793_577_600_000_000},
        {"finished": True},
        {"duplicates": True},
    )
]
"""One for each condition, and some together."""
SORTS: tuple[Sort, ...] = ("date", "length", "duration")
ORDERS = list(itertools.product(SORTS, (False, True), (None, 3)))


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """The same games three times: as files, packed, and half packed with some of these as files again."""
    loose = tmp_path_factory.mktemp("loose")
    for number in range(40):
        game(loose / ("", "cup")[number % 2] / f"game {number:02}.jsonl", number, day=DAYS[number % 3])
    shutil.copy(loose / "game 04.jsonl", loose / "cup" / "game 99.jsonl")
    packed, half = tmp_path_factory.mktemp("packed"), tmp_path_factory.mktemp("half")
    for folder in (packed, half):
        shutil.copytree(loose, folder, dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "GROUP_GAMES", 3)
        patch.setattr(packing, "ARCHIVE_GAMES", 8)
        assert pack_folder(packed).games + pack_folder(packed / "cup").games == 41
        for path in sorted(half.rglob("*.jsonl"))[::2]:
            path.rename(path.with_suffix(".later"))
        pack_folder(half)
        pack_folder(half / "cup")
    for path in half.rglob("*.later"):
        path.rename(path.with_suffix(".jsonl"))
    shutil.copy(loose / "cup" / "game 01.jsonl", half / "cup" / "game 01.jsonl")
    return loose, packed, half


def found(folder: Path, query: Query) -> tuple[int, int, list[GameSummary]]:
    result = search(folder, query)
    assert not result.damaged
    games = [msgspec.structs.replace(each, record=str(Path(each.record).relative_to(folder))) for each in result.games]
    return result.total, result.searched, games


@pytest.mark.parametrize("number", range(len(QUERIES)))
def test_packed_games_are_found_like_files(shelves: tuple[Path, Path, Path], number: int) -> None:
    """In every order if there is no condition, and otherwise in every fourth, so that each order meets five conditions."""
    loose, packed, half = shelves
    query, orders = QUERIES[number], ORDERS[number % 4 :: 4] if number else ORDERS
    for sort, reverse, limit in orders:
        asked = replace(query, sort=sort, reverse=reverse, limit=limit)
        expected = found(loose, asked)
        assert found(packed, asked) == expected
        assert found(half, asked) == expected
