"""Protocols are found among the installed ones and in the folders that arbiter.toml names."""

from __future__ import annotations

import errno
import functools
import os
import re
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from arbiter import registry
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.nullgame import count_up
from tests.nullgame.command import arbiter
from tests.nullgame.place import HERE, arbiter_toml, write
from tests.tools import ROOT, refusal

TINY = """
from arbiter.game import *
from .rules import Tiny

class TinyProtocol(Protocol):
    name, title, summary, seats, lifetime = "tiny", "Tiny", "says yes", (1, 1), "move"
    limits, on_fault, help = {}, "no", "type yes"
    def setup(self, seats, options, chance): return None
    def start(self, seats, options, setup, chance): return Tiny()

protocol = TinyProtocol()
"""
RULES = """
from arbiter.game import *

class Tiny(Game):
    said = ""
    def to_move(self): return [0]
    def prompt(self, seat): return "?\\n"
    def read(self, seat, answer): return Move(answer.strip())
    def fallback(self, seat, fault): return "no"
    def play(self, moves): self.said = moves[0]
    def result(self): return Result((1,), (len(self.said),), "said " + self.said) if self.said else None
    def view(self): return self.said
"""


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two installed protocols: a good one and one that is not a protocol."""
    points = EntryPoints(
        EntryPoint(name, value, registry.GROUP)
        for name, value in (("counting", "tests.nullgame.count_up:protocol"), ("broken", "json:dumps"))
    )
    monkeypatch.setattr(registry, "_entry_points", lambda: points)


def test_an_installed_protocol_is_found_by_its_entry_point(installed: None, tmp_path: Path) -> None:
    assert registry.find_protocol("counting", Workspace(tmp_path)) is count_up.protocol


def test_an_entry_point_that_is_not_a_protocol_is_one_line(installed: None, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"^the entry point 'json:dumps' of protocol 'broken' is not a Protocol$"):
        registry.find_protocol("broken", Workspace(tmp_path))


def test_the_installed_packages_are_searched_once_per_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[str] = []

    def search(group: str) -> EntryPoints:
        searches.append(group)
        return EntryPoints([EntryPoint("counting", "tests.nullgame.count_up:protocol", group)])

    monkeypatch.setattr(registry, "_entry_points", functools.cache(registry._entry_points.__wrapped__))
    monkeypatch.setattr("importlib.metadata.entry_points", search)
    for _ in range(2):
        assert registry.find_protocol("counting", Workspace(tmp_path)) is count_up.protocol
        assert "counting" in registry.protocol_names(Workspace(tmp_path))
        with pytest.raises(UserError, match="unknown protocol 'coutning'; did you mean 'counting'"):
            registry.find_protocol("coutning", Workspace(tmp_path))
    assert searches == [registry.GROUP]


def test_the_bundled_protocols_are_known_everywhere(tmp_path: Path) -> None:
    assert registry.find_protocol("splendor", Workspace(tmp_path)).name == "splendor"


def test_names_are_those_installed_and_those_in_folders(installed: None, tmp_path: Path) -> None:
    arbiter_toml(tmp_path)
    bundled = {path.parent.name for path in ROOT.glob("protocols/*/drawing.js")} - {"openspiel"}  # a library
    assert set(registry.protocol_names(Workspace(tmp_path))) == {"auction", "broken", "count_up", "counting", *bundled}


def test_a_protocol_in_a_folder_is_a_package_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "games" / "tiny" / "__init__.py", TINY)
    write(tmp_path / "games" / "tiny" / "rules.py", RULES)
    write(tmp_path / "arbiter.toml", '[protocols.tiny]\nfolder = "games/tiny"\n')
    monkeypatch.chdir(tmp_path)
    from arbiter import play

    report = play("tiny", ["echo yes"])
    assert (report.games[0].reason, report.games[0].scores) == ("said yes", [3.0])


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("count-up", "did you mean 'count_up'?"),
        ("auctoin", "did you mean 'auction'?"),
        ("ludo", "choose from auction, "),
    ],
)
def test_an_unknown_name_gets_a_suggestion(tmp_path: Path, name: str, hint: str) -> None:
    arbiter_toml(tmp_path)
    said = refusal(lambda: registry.find_protocol(name, Workspace(tmp_path)))
    assert said.startswith(f"unknown protocol {name!r}; {hint}")


def test_a_folder_that_is_missing_is_named_with_the_line_of_the_setting(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", '[protocols.odd]\nfolder = "odd"\n')
    expected = f"{tmp_path}/arbiter.toml, line 2: protocol 'odd': no such folder '{tmp_path}/odd'"
    assert refusal(lambda: registry.find_protocol("odd", Workspace(tmp_path))) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "has no __init__.py that defines `protocol`"),
        ("", "defines no `protocol` of type arbiter.game.Protocol"),
        ("protocol = 5\n", "defines no `protocol` of type arbiter.game.Protocol"),
        ("def broken(:\n", "cannot be loaded: SyntaxError: "),
        ("import no_such_module\n", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
    ],
)
def test_a_folder_without_a_protocol_is_one_line(tmp_path: Path, text: str | None, reason: str) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    if text is not None:
        write(folder / "__init__.py", text)
    write(tmp_path / "arbiter.toml", '[protocols.odd]\nfolder = "odd"\n')
    said = refusal(lambda: registry.find_protocol("odd", Workspace(tmp_path)))
    assert said.startswith(f"protocol 'odd': {folder}")
    assert reason in said


def test_options_are_layered_and_checked_in_each_layer() -> None:
    layers: list[tuple[str, dict[str, object]]] = [
        ("arbiter.toml", {"turns": 9, "pace": "fast"}),
        ("here", {"turns": "4"}),
    ]
    assert registry.choose_options(count_up.protocol, layers) == {"turns": 4, "bonus": False, "pace": "fast"}
    with pytest.raises(UserError, match=r"^arbiter.toml: option turns=0: must be at least 1$"):
        registry.choose_options(count_up.protocol, [("arbiter.toml", {"turns": 0})])


def test_arbiter_toml_sets_options_and_limits_of_a_protocol(place: Path) -> None:
    from arbiter.playing.planning import make_plan

    write(
        place / "arbiter.toml",
        f'[limits]\nmove = "4s"\nmemory = "2GB"\n[protocols.count_up]\nfolder = "{HERE / "count_up"}"\n'
        'options = { turns = 2 }\nlimits = { memory = "3GB" }\n',
    )
    plan = make_plan("count_up", ["echo 1"])
    assert plan.options["turns"] == 2
    assert {item.name: (item.value, item.where) for item in plan.entrants[0].explained}["memory"] == (
        "3GB",
        "arbiter.toml, count_up",
    )
    assert {item.name: item.where for item in plan.entrants[0].explained}["move"] == "arbiter.toml"


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A folder with a protocol whose rules fail, in its own code and in code that it calls."""
    arbiter_toml(tmp_path, f"[protocols.tiny]\nfolder = {str(tmp_path / 'tiny')!r}\n")
    write(tmp_path / "tiny" / "__init__.py", TINY)
    write(tmp_path / "tiny" / "rules.py", RULES.replace("self.said = moves[0]", "self.said = int(moves[0])"))
    write(tmp_path / "bot.sh", "echo yes\n")
    return tmp_path


def test_an_exception_in_a_third_party_protocol_is_one_line_with_its_file_and_line(failing: Path) -> None:
    ran = arbiter("play", "tiny", "bot.sh", folder=failing)
    place = f"{failing / 'tiny' / 'rules.py'}, line 10"
    problem = "ValueError: invalid literal for int() with base 10: 'yes'"
    assert (ran.code, ran.err.splitlines()[-1]) == (2, f"arbiter: protocol 'tiny' failed: {place}: {problem}")
    assert "Traceback" not in ran.err


def test_a_contest_names_the_protocol_that_failed(failing: Path) -> None:
    ran = arbiter("tournament", "tiny", "bot.sh", "a=bot.sh", "--seats", "1", "-w", "1", folder=failing)
    assert "could not be played: protocol 'tiny' failed: " in ran.out + ran.err
    assert "Traceback" not in ran.out + ran.err


def test_an_exception_of_our_own_is_not_blamed_on_a_protocol() -> None:
    with pytest.raises(AttributeError) as raised:
        registry.protocol_names(None)  # type: ignore[arg-type]
    assert registry.as_protocol_error(raised.value) is None


def test_a_folder_that_we_may_not_read_is_one_line(failing: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may read anything, so the refusal is faked."""

    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    workspace = Workspace(failing)
    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(UserError, match=rf"^protocol 'tiny': {failing / 'tiny'}: Permission denied$"):
        registry.load_protocol("tiny", failing / "tiny")
    monkeypatch.undo()
    assert registry.find_protocol("tiny", workspace).name == "tiny"


def test_what_an_agent_said_is_escaped_and_cut_in_the_error_of_a_protocol(failing: Path) -> None:
    rules = RULES.replace("self.said = moves[0]", "raise ValueError(moves[0])")
    write(failing / "tiny" / "rules.py", rules)
    write(failing / "loud.sh", "printf '\\033[31m%5000d' 1\n")
    ran = arbiter("play", "tiny", "loud.sh", folder=failing)
    last = ran.err.splitlines()[-1]
    assert (ran.code, last.startswith("arbiter: protocol 'tiny' failed: ")) == (2, True)
    assert "\x1b" not in ran.err
    assert len(last) < 600


LIBRARY = """
from arbiter.game import GameLibrary
from .tiny import TinyProtocol

class Library(GameLibrary):
    title = "Tinies"
    def names(self): return ["tiny1", "tiny2"]
    def find(self, name): return type(name, (TinyProtocol,), {"name": name})() if name in self.names() else None

library = Library()
"""


@pytest.fixture
def with_library(tmp_path: Path) -> Workspace:
    """A workspace with a library of two protocols and one named agent."""
    folder = tmp_path / "tinies"
    write(folder / "__init__.py", LIBRARY)
    write(folder / "tiny.py", TINY.replace(".rules", "tinies.rules"))
    write(folder / "rules.py", RULES)
    settings = '[protocols.tinies]\nfolder = "tinies"\nlibrary = true\n[protocols.tinies.agents]\nyes = "echo yes"\n'
    write(tmp_path / "arbiter.toml", settings)
    return Workspace(tmp_path)


def test_protocols_of_a_library_are_found_by_their_own_names_and_share_its_agents(with_library: Workspace) -> None:
    assert registry.find_protocol("tiny2", with_library).name == "tiny2"
    assert registry.protocol_folder("tiny2", with_library) == with_library.folder / "tinies"
    assert registry.library_names("tinies", with_library) == ["tiny1", "tiny2"]
    assert "tiny1" not in registry.protocol_names(with_library)
    assert "yes" in with_library.agents("tiny1")
    assert "yes" not in with_library.agents("splendor")


def test_a_library_is_not_a_protocol(with_library: Workspace) -> None:
    assert refusal(lambda: registry.find_protocol("tinies", with_library)) == (
        "'tinies' is not a protocol but a library of many: give the name of one"
    )
    assert "did you mean 'tiny2'?" in refusal(lambda: registry.find_protocol("tiny3", with_library))


def test_what_a_library_needs_is_named_where_a_protocol_is_unknown(with_library: Workspace) -> None:
    write(with_library.folder / "tinies" / "__init__.py", "import no_such_package")
    assert re.search(
        r"library 'tinies' needs no_such_package: \S+ -m pip install",
        refusal(lambda: registry.find_protocol("ludo", with_library)),
    )
    assert registry.find_protocol("splendor", with_library).name == "splendor"
