"""Other paths to the same files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.agents.sandbox.aliases import Mount, MountTable, links_on_the_way, other_names

MOUNTS = (
    Mount("8:1", "/", "/"),
    Mount("0:9", "/", "/proc"),
    Mount("8:2", "/", "/data"),
    Mount("8:2", "/games", "/bots/games"),
    Mount("8:2", "/", "/bots/all"),
    Mount("8:2", "/games/inner", "/bots/inner"),
    Mount("8:1", "/home/user", "/bots/home"),
    Mount("8:2", "/gamesome", "/bots/other"),
)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/data/games", {"/data/games", "/bots/games", "/bots/all/games", "/bots/inner"}),
        (
            "/data/games/inner/1",
            {"/data/games/inner/1", "/bots/games/inner/1", "/bots/all/games/inner/1", "/bots/inner/1"},
        ),
        ("/bots/all/games", {"/data/games", "/bots/games", "/bots/all/games", "/bots/inner"}),
        ("/home/user/games", {"/home/user/games", "/bots/home/games"}),
        ("/home/users", {"/home/users"}),
        ("/proc/1", {"/proc/1"}),
    ],
)
def test_a_folder_is_found_wherever_it_is_mounted(path: str, found: set[str]) -> None:
    assert set(MountTable(MOUNTS).places(path)) == found


def test_the_mounts_of_this_machine_are_read() -> None:
    table = MountTable()
    assert next(table.places("/proc")) == "/proc"
    assert "/proc" in {mount.place for mount in table._all}


NAMES = st.sampled_from(["a", "b", "c", "..", "."])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(PATHS, PATHS, max_size=5), PATHS)
def test_a_path_is_found_again_from_its_links_and_its_real_path(
    tmp_path_factory: pytest.TempPathFactory, links: dict[str, str], path: str
) -> None:
    """As in a box: with these links and the real file alone, the path leads to the same file."""
    outside, inside = (Path(os.path.realpath(tmp_path_factory.mktemp(name))) for name in ("outside", "inside"))
    for place, target in links.items():
        link = outside / os.path.normpath(f"/{place}").lstrip("/")
        if not Path(os.path.realpath(link.parent)).is_relative_to(outside):
            continue  # behind a link to "..": a loop there would stop pytest, which cleans up its folder
        try:
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target)
        except OSError:
            continue
    wanted = f"{outside}/{path}"
    real = os.path.realpath(wanted)
    if not Path(real).is_relative_to(outside) or not Path(real).is_dir():
        return
    (Path(real) / "file").write_text("found", encoding="utf-8")
    (inside / Path(real).relative_to(outside)).mkdir(parents=True, exist_ok=True)
    (inside / Path(real).relative_to(outside) / "file").write_text("found", encoding="utf-8")
    for place, target in links_on_the_way(wanted):
        assert Path(place).parent.resolve() == Path(place).parent
        if not Path(place).is_relative_to(outside):
            continue
        again = inside / Path(place).relative_to(outside)
        again.parent.mkdir(parents=True, exist_ok=True)
        if not again.is_symlink():
            again.symlink_to(target)
    if ".." not in path and not any(".." in target for target in links.values()):
        assert (inside / path / "file").read_text(encoding="utf-8") == "found"


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert len(list(links_on_the_way(str(tmp_path / "a" / "x")))) <= 40


def test_hard_links_are_found(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    assert list(other_names([str(file), str(tmp_path / "gone")], str(tmp_path / "folder"))) == []
    os.link(file, tmp_path / "folder" / "inner" / "again")
    assert list(other_names([str(file)], str(tmp_path / "folder"))) == [str(tmp_path / "folder" / "inner" / "again")]
