"""Lists of teams, and tables that spreadsheets open."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.arena.registration import csv_table, names_in, register_all, spreadsheet_text
from arbiter.arena.store import Store
from arbiter.errors import UserError


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Alpha\nBeta\n", ["Alpha", "Beta"]),
        ("school,Team\nX,Alpha\nY,\"Be,ta\"\n", ["Alpha", "Be,ta"]),
        ("Name;Ort\n Al  pha ;x\n\n;y\n", ["Al pha"]),
        ("\n\nAlpha\tx\nBeta\ty\n", ["Alpha", "Beta"]),
        ("Huber, Maier\nBeta\n", ["Huber, Maier", "Beta"]),
        ("Huber, Maier\n", ["Huber, Maier"]),
        ("Alpha\rBeta\r\nGamma", ["Alpha", "Beta", "Gamma"]),
        ("", []),
    ],
)  # fmt: skip
def test_names_are_found(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_files_of_spreadsheets_are_decoded() -> None:
    assert spreadsheet_text("\ufeffÉquipe".encode()) == "Équipe"
    assert spreadsheet_text("Équipe".encode("cp1252")) == "Équipe"


def test_a_huge_list_is_refused() -> None:
    with pytest.raises(UserError, match="at most 1000"):
        names_in("\n".join(map(str, range(2000))))


def test_bad_names_do_not_keep_the_others_out(tmp_path: Path) -> None:
    store = Store(tmp_path / "arena.sqlite")
    done = register_all(store, ["Alpha", "ALPHA", "x", "evil\u202etxt", "N" * 41, "Beta"])
    store.close()
    assert list(done.keys) == ["Alpha", "Beta"]
    assert done.known == ["ALPHA"]
    assert len(done.refused) == 3


@given(
    st.lists(
        st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from("=+-@\t'\""), min_size=1), min_size=1
    )
)
def test_no_cell_is_a_formula(cells: list[str]) -> None:
    (row,) = list(csv.reader(io.StringIO(csv_table((), [cells]).partition("\n")[2], newline="")))
    for cell, told in zip(cells, row, strict=True):
        assert not told.startswith(("=", "+", "-", "@", "\t", "\r"))
        assert told.removeprefix("'") == cell.removeprefix("'")
