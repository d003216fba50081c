"""What each command prints is what the snapshots show, and fits 80 columns."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from tests.cli import snapshot

pytestmark = pytest.mark.slow

AGAIN = "if this is meant, write it again: python -m tests.cli.snapshot"


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that every case starts from."""
    folder = tmp_path_factory.mktemp("snapshots")
    snapshot.prepare(folder)
    return folder


def kept(name: str) -> str:
    return (snapshot.HERE / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", snapshot.CASES)
def test_output_in_colour(prepared: Path, name: str) -> None:
    case = snapshot.CASES[name]
    printed = snapshot.run_case(prepared, name, colour=True)
    assert snapshot.shown(printed, case) == kept(f"{name}.colour"), AGAIN
    assert (case.too_wide(printed) == []) is case.fits


@pytest.mark.parametrize("name", ["protocols-one", "match", "play-faults", "show", "tune", "verify"])
def test_without_colour_it_is_the_same(prepared: Path, name: str) -> None:
    printed = snapshot.run_case(prepared, name, colour=False)
    assert "\x1b" not in printed.out + printed.err
    without_colours = click.unstyle(kept(f"{name}.colour").replace("␛", "\x1b"))
    assert snapshot.shown(printed, snapshot.CASES[name]) == without_colours


def test_there_is_no_snapshot_without_a_case() -> None:
    assert {file.stem for file in snapshot.HERE.glob("*.txt")} == {f"{case}.colour" for case in snapshot.CASES}
