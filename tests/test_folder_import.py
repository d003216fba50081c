"""Packages from folders: their imports refer to their own folder, even if other packages have the same name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from arbiter.folder_import import import_folder, imported_name
from tests.nullgame.place import write

STYLES = {
    "relative": "from .rules import WHO",
    "relative, the module": "from . import rules\nWHO = rules.WHO",
    "absolute": "from game.rules import WHO",
    "absolute, the module": "from game import rules\nWHO = rules.WHO",
    "absolute, the package": "import game.rules\nWHO = game.rules.WHO",
    "absolute, renamed": "import game.rules as r\nWHO = r.WHO",
    "sibling": "from rules import WHO",
    "sibling, the module": "import rules\nWHO = rules.WHO",
    "sibling, deeper": "import deep.down\nWHO = deep.down.WHO",
    "sibling, from deeper": "from deep.down import WHO",
    "within a function": "def f():\n    from game.rules import WHO\n    return WHO\nWHO = f()",
    "two steps": "from game.middle import WHO",
}


def make(folder: Path, who: str, init: str) -> Path:
    """A package whose modules contain their own names."""
    write(folder / "__init__.py", init)
    write(folder / "rules.py", f"WHO = {who!r}\n")
    write(folder / "middle.py", "from rules import WHO\n")
    write(folder / "deep" / "__init__.py", "")
    write(folder / "deep" / "down.py", "from game.rules import WHO\n")
    return folder


@pytest.fixture(autouse=True)
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Modules of the same names that are on the path, and imported, before ours."""
    write(tmp_path / "path" / "rules.py", "WHO = 'a stranger'\n")
    write(tmp_path / "path" / "game" / "__init__.py", "")
    write(tmp_path / "path" / "game" / "rules.py", "WHO = 'a stranger'\n")
    monkeypatch.syspath_prepend(str(tmp_path / "path"))
    before, finders = set(sys.modules), list(sys.meta_path)
    import game.rules  # type: ignore[import-not-found]
    import rules  # type: ignore[import-not-found]

    assert rules.WHO == game.rules.WHO == "a stranger"
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]
    sys.meta_path[:] = finders


@pytest.mark.parametrize("style", STYLES)
def test_every_style_of_import_means_the_folder_and_two_games_of_equal_names_live_side_by_side(
    tmp_path: Path, style: str
) -> None:
    first, second = (
        import_folder(make(tmp_path / who / "game", who, STYLES[style]), who) for who in ("first", "second")
    )
    assert (first.WHO, second.WHO) == ("first", "second")
    assert (sys.modules["rules"].WHO, sys.modules["game.rules"].WHO) == ("a stranger", "a stranger")


def test_two_folders_under_one_name_are_two_packages(tmp_path: Path) -> None:
    first, second = (import_folder(make(tmp_path / who / "game", who, STYLES["relative"]), "game") for who in "ab")
    assert (first.WHO, second.WHO) == ("a", "b")


def test_an_import_that_runs_later_means_the_folder_too(tmp_path: Path) -> None:
    late = "def who():\n    import rules\n    from game import middle\n    return rules.WHO, middle.WHO\n"
    games = [import_folder(make(tmp_path / who / "game", who, late), who) for who in ("first", "second")]
    assert [game.who() for game in games] == [("first", "first"), ("second", "second")]


def test_the_name_of_the_protocol_refers_to_the_folder(tmp_path: Path) -> None:
    folder = make(tmp_path / "some-folder", "here", "from chess.rules import WHO")
    assert import_folder(folder, "chess").WHO == "here"


def test_the_standard_library_stays_what_it_is(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "game", "here", "import random\nfrom json import dumps\nTEXT = dumps(random.Random(1).random())"
    )
    write(folder / "random.py", "raise RuntimeError")
    write(folder / "json.py", "raise RuntimeError")
    assert import_folder(folder, "game").TEXT.startswith("0.")


def test_a_module_that_imports_its_own_name_gets_the_installed_one(tmp_path: Path) -> None:
    folder = make(tmp_path / "mine", "here", "from .rules import WHO")
    write(folder / "rules.py", "from rules import WHO")
    assert import_folder(folder, "mine").WHO == "a stranger"


def test_a_folder_is_imported_once_and_a_broken_one_again(tmp_path: Path) -> None:
    folder = make(tmp_path / "game", "here", "from .rules import WHO\nraise ImportError('not yet')")
    finders, modules = len(sys.meta_path), set(sys.modules)
    with pytest.raises(ImportError, match="not yet"):
        import_folder(folder, "game")
    assert set(sys.modules) == modules
    assert len(sys.meta_path) == finders
    write(folder / "__init__.py", "from .rules import WHO\n")
    module = import_folder(folder, "game")
    assert isinstance(module, ModuleType)
    assert import_folder(folder / ".." / "game", "game") is module


def test_the_name_is_known_by_the_module(tmp_path: Path) -> None:
    module = import_folder(make(tmp_path / "game", "here", ""), "a-b.c")
    assert (imported_name(module.__name__), imported_name("json")) == ("a-b.c", None)
