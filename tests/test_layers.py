"""The import contracts in pyproject.toml fail when an import breaks them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.tools import ROOT

pytestmark = pytest.mark.slow

FORBIDDEN = {
    "Layers of arbiter": ("arbiter/text.py", "import arbiter.cli"),
    "Layers of arbiter.config": ("arbiter/config/limits.py", "import arbiter.config.workspace"),
    "Layers of arbiter.playing": ("arbiter/playing/plan.py", "import arbiter.playing.series"),
    "Layers of arbiter.agents": (
        "arbiter/agents/clock/__init__.py",
        "def lazily():\n    import arbiter.agents.prepare",
    ),
    "Layers of arbiter.contest": ("arbiter/contest/scheduled.py", "import arbiter.contest.schedules"),
    "Clock arithmetic imports nothing of arbiter": ("arbiter/agents/clock/charge.py", "import arbiter.errors"),
    "Protocols import only arbiter.game": ("protocols/splendor/__init__.py", "from arbiter import play"),
    "Protocols are independent of each other": ("protocols/splendor/__init__.py", "import protocols.rails"),
    "arbiter never imports its protocols": ("arbiter/registry.py", "import protocols.splendor"),
}
"""For each contract, a file and an import that breaks it."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages and their contracts."""
    folder = tmp_path_factory.mktemp("sources")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in ("arbiter", "protocols"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def broken_contracts(folder: Path) -> set[str]:
    linter = str(Path(sys.executable).with_name("lint-imports"))
    done = subprocess.run([linter, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)
    broken = set(re.findall(r"^(.*) BROKEN(?: \(|$)", done.stdout, re.MULTILINE))
    assert done.returncode == int(bool(broken)), done.stdout + done.stderr
    return broken


def test_the_sources_keep_every_contract(copy: Path) -> None:
    assert broken_contracts(copy) == set()


def test_every_contract_is_broken_by_the_import_it_forbids(copy: Path, tmp_path: Path) -> None:
    shutil.copytree(copy, tmp_path, dirs_exist_ok=True)
    for file, line in FORBIDDEN.values():
        with (tmp_path / file).open("a", encoding="utf-8") as source:
            source.write(f"\n{line}\n")
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    assert broken_contracts(tmp_path) == set(FORBIDDEN) == {contract["name"] for contract in contracts}


def test_a_module_without_a_layer_breaks_the_contract_of_its_package(copy: Path, tmp_path: Path) -> None:
    shutil.copytree(copy, tmp_path, dirs_exist_ok=True)
    packages = ("arbiter", "arbiter.config", "arbiter.playing", "arbiter.agents", "arbiter.contest")
    for package in packages:
        (tmp_path / package.replace(".", "/") / "newcomer.py").touch()
    assert broken_contracts(tmp_path) == {f"Layers of {package}" for package in packages}
