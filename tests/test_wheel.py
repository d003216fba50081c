"""The wheel, installed elsewhere: it brings its protocols, its sample agents, match files and saved games."""

from __future__ import annotations

import importlib.util
import json
import stat
import subprocess
import sys
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from arbiter.version import __version__
from tests.tools import ROOT

pytestmark = pytest.mark.slow

Run = Callable[..., str]


def build(folder: Path, *options: str) -> Path:
    """Build into a folder; return the wheel."""
    # With hatchling installed, the build needs no environment of its own and nothing from the network.
    isolation = [] if importlib.util.find_spec("hatchling") is None else ["--no-isolation"]
    command = [sys.executable, "-m", "build", *options, *isolation, "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def link_dependencies(site: Path) -> None:
    """Link what the wheel depends on, without any extra, from this environment: those packages and no others."""
    wanted = ["arbiter-games"]
    seen = set[str]()
    while wanted:
        name = canonicalize_name(wanted.pop())
        if name in seen:
            continue
        seen.add(name)
        path = [str(site)] if name == "arbiter-games" else sys.path
        (found, *_) = metadata.distributions(name=name, path=path)
        if path is sys.path:
            for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
                (site / top).symlink_to(str(found.locate_file(top)))
        needed = map(Requirement, found.requires or ())
        wanted += [each.name for each in needed if each.marker is None or each.marker.evaluate({"extra": ""})]


def contents(wheel: Path) -> dict[str, zipfile.ZipInfo]:
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry for entry in archive.infolist()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A function that runs a program from an environment with the wheel installed, in an empty folder."""
    home = tmp_path_factory.mktemp("installed")
    environment, elsewhere = home / "venv", home / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, "--disable-pip-version-check"], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    link_dependencies(site)

    def run(program: str, *words: str) -> str:
        done = subprocess.run(
            [environment / "bin" / program, *words], cwd=elsewhere, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        # Where agents cannot be contained in full, one line says so before the games.
        assert [line for line in done.stderr.splitlines() if not line.startswith("sandbox: ")] == []
        return done.stdout

    return run


def test_the_wheel_installs_one_package(wheel: Path) -> None:
    top = {name.partition("/")[0] for name in contents(wheel)}
    assert top == {"arbiter", f"arbiter_games-{__version__}.dist-info"}


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < 3_000_000


def test_the_wheel_has_the_protocols_as_real_files(wheel: Path) -> None:
    entries = contents(wheel)
    names = {path.relative_to(ROOT).as_posix() for path in (ROOT / "protocols").rglob("*.py")}
    assert {f"arbiter/bundled/{name}" for name in names} <= set(entries)
    assert not [name for name, entry in entries.items() if stat.S_ISLNK(entry.external_attr >> 16)]


def test_the_wheel_has_the_files_that_are_not_python(wheel: Path) -> None:
    names = set(contents(wheel))
    assert {"arbiter/py.typed", "arbiter/bundled/arbiter.toml", "arbiter/agents/prepare/shims/readline.js"} <= names
    assert "arbiter/bundled/sample_agents/splendor/greedy.cpp" in names
    assert {"arbiter/bundled/protocols/splendor/README.md", "arbiter/web/static/shapes.js"} <= names
    drawings = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("protocols/*/drawing*.js")}
    assert "protocols/splendor/drawing-pieces.js" in drawings
    assert {f"arbiter/bundled/{name}" for name in drawings} <= names
    starters = {path.relative_to(ROOT).as_posix() for path in (ROOT / "arbiter" / "starters" / "files").iterdir()}
    assert starters | {"arbiter/bundled/protocols/splendor/wire.yaml"} <= names
    assert not [name for name in names if "__pycache__" in name]


def test_the_wheel_has_the_match_files_and_samples_and_no_games_played_here(wheel: Path) -> None:
    here = ROOT / "matches"
    # Commands that search the samples in a checkout leave an index there, whose name begins with a dot.
    files = [*here.glob("*.yaml"), *here.glob("samples/[!.]*")]
    expected = {path.relative_to(ROOT).as_posix() for path in files}
    bundled = {name.removeprefix("arbiter/bundled/") for name in contents(wheel)}
    assert {name for name in bundled if name.startswith("matches/")} == expected


def test_the_wheel_has_the_pages_of_the_documentation_and_says_where(wheel: Path, run: Run) -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*") if path.is_file()}
    assert {name.removeprefix("arbiter/bundled/") for name in contents(wheel) if "/bundled/docs/" in name} == pages
    folder = Path(json.loads(run("arbiter", "doctor", "--json"))["workspace"]["docs"])
    assert (folder / "first-bot.md").is_file()
    assert "site-packages" in str(folder)


def test_the_wheel_has_every_file_of_the_viewer(wheel: Path) -> None:
    static = (ROOT / "arbiter" / "web" / "static").iterdir()
    assert {f"arbiter/web/static/{file.name}" for file in static} <= set(contents(wheel))


def test_a_wheel_made_from_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    by_way_of_sdist = build(tmp_path)
    assert [*tmp_path.glob("*.tar.gz")]
    assert {name: entry.CRC for name, entry in contents(by_way_of_sdist).items()} == {
        name: entry.CRC for name, entry in contents(wheel).items()
    }


def test_it_is_the_wheel_that_runs_and_not_the_checkout(run: Run) -> None:
    where = run("python", "-c", "import arbiter; print(arbiter.__file__)")
    assert str(ROOT) not in where
    assert "site-packages" in where


def test_its_games_are_listed(run: Run) -> None:
    assert "splendor" in run("arbiter", "protocols")


def test_its_agents_are_listed_and_can_run(run: Run) -> None:
    rows = json.loads(run("arbiter", "protocols", "splendor", "--json"))["agents"]
    assert {("greedy", "Python", "")} < {(row["name"], row["language"], row["problem"]) for row in rows}


def test_its_sample_agents_play(run: Run) -> None:
    words = ["play", "splendor", "greedy", "random", "--seed", "1", "--option", "max_rounds=4", "-q"]
    heading, _, *rows = run("arbiter", *words).splitlines()
    assert heading.endswith("faults")
    assert [row.split()[2] for row in rows if row.endswith(" -")] == ["greedy", "random"]


def test_a_game_is_shown_and_its_page_needs_nothing_else(run: Run, tmp_path: Path) -> None:
    run("arbiter", "play", "splendor", "greedy", "random", "--option", "max_rounds=2", "-q", "--save", str(tmp_path))
    assert "greedy (player 1)" in run("arbiter", "show", str(tmp_path), "--all")
    (record,) = tmp_path.glob("*.jsonl")
    served = (
        "import arbiter.arena.connection\n"
        "from arbiter.web.library import Library\n"
        "from arbiter.web.serve import listen, make_viewer_server\n"
        f"import pathlib\nmake_viewer_server(Library([pathlib.Path({str(record)!r})]), listen('127.0.0.1', 0))"
    )
    run("python", "-c", served)


def test_its_saved_game_is_found_and_true(run: Run) -> None:
    assert "after " in run("arbiter", "show", "matches/samples", "--all")
    document = json.loads(run("arbiter", "verify", "matches/samples", "--json"))
    assert document["verified"] >= 1
    assert document["differ"] == 0
