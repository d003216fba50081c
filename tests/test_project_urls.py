"""The project URLs in the metadata of a build."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hatch_build import urls
from tests.tools import ROOT

SOURCE = "https://git.example.org/bots/arbiter"
OURS = {
    "Source": SOURCE,
    "Documentation": f"{SOURCE}/tree/HEAD/docs",
    "Changelog": f"{SOURCE}/blob/HEAD/CHANGELOG.md",
    "Issues": f"{SOURCE}/issues",
}
PACKED = "Metadata-Version: 2.4\nName: arbiter\nVersion: 1\nProject-URL: Source, https://example.org/packed\n\n"


@pytest.mark.parametrize(
    "remote",
    [
        SOURCE,
        f"{SOURCE}.git",
        f"{SOURCE}/",
        "http://git.example.org/bots/arbiter.git",
        "https://someone:secret@git.example.org/bots/arbiter.git",
        "git@git.example.org:bots/arbiter.git",
        "ssh://git@git.example.org/bots/arbiter.git",
        "ssh://git@git.example.org:2222/bots/arbiter.git",
    ],
)
def test_a_public_remote_is_the_source(remote: str) -> None:
    assert urls(remote) == OURS


@pytest.mark.parametrize(
    "remote", ["", "/home/me/arbiter", "../arbiter", "file:///srv/arbiter.git", "git@laptop:arbiter", "C:\\arbiter"]
)
def test_a_place_on_this_machine_or_network_is_not_named(remote: str) -> None:
    assert urls(remote) == {}


def test_a_build_names_the_repository_it_was_cloned_from(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "arbiter/version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    assert metadata_urls(tmp_path) == {}
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "remote", "add", "origin", f"{SOURCE}.git"], check=True)
    assert metadata_urls(tmp_path) == OURS
    (tmp_path / "PKG-INFO").write_text(PACKED)
    assert metadata_urls(tmp_path) == {"Source": "https://example.org/packed"}


def metadata_urls(folder: Path) -> object:
    command = [sys.executable, "-m", "hatchling", "metadata"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout).get("urls", {})
