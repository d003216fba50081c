"""The import contracts in pyproject.toml fail when an import breaks them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools import ROOT

LAYERS = "Layers of arbiter"
AGENTS = "Layers of arbiter.agents"
CONTEST = "Layers of arbiter.contest"
ARITHMETIC = "Clock arithmetic imports nothing of arbiter"
ONLY_GAME = "Protocols import only arbiter.game"
INDEPENDENT = "Protocols are independent of each other"
PROTECTED = "arbiter never imports its protocols"

FORBIDDEN = [
    ("arbiter/text.py", "import arbiter.cli", {LAYERS}),
    ("arbiter/records/__init__.py", "import arbiter.agents.ask", {LAYERS}),
    ("arbiter/bench/__init__.py", "import arbiter.contest.runner", {LAYERS}),
    ("arbiter/version.py", "from arbiter import play", {LAYERS, CONTEST}),
    ("arbiter/arena/__init__.py", "import arbiter.cli", {LAYERS}),
    ("arbiter/web/__init__.py", "import arbiter.arena", {LAYERS}),
    ("arbiter/web/__init__.py", "import arbiter.cli", {LAYERS}),
    ("arbiter/contest/formats/__init__.py", "def lazily():\n    import arbiter.web", {LAYERS}),
    ("arbiter/agents/launch/__init__.py", "import arbiter.agents.ask", {AGENTS}),
    ("arbiter/agents/building/__init__.py", "import arbiter.agents.ask", {AGENTS}),
    ("arbiter/agents/sandbox/__init__.py", "import arbiter.agents.launch", {AGENTS}),
    ("arbiter/agents/prepare/__init__.py", "import arbiter.agents.sandbox", {AGENTS}),
    ("arbiter/agents/clock/__init__.py", "def lazily():\n    import arbiter.agents.prepare", {AGENTS}),
    ("arbiter/contest/report/__init__.py", "import arbiter.contest.formats", {CONTEST}),
    ("arbiter/contest/statistics/__init__.py", "import arbiter.contest.schedules", {CONTEST}),
    ("arbiter/contest/scheduled.py", "import arbiter.contest.schedules", {CONTEST}),
    ("arbiter/agents/clock/charge.py", "import arbiter.errors", {ARITHMETIC}),
    ("arbiter/agents/clock/charge.py", "import arbiter.agents.clock.steal", {ARITHMETIC}),
    ("arbiter/protocols/splendor/__init__.py", "import arbiter.errors", {ONLY_GAME}),
    ("arbiter/protocols/splendor/__init__.py", "from arbiter import play", {ONLY_GAME}),
    ("arbiter/protocols/splendor/__init__.py", "import arbiter.protocols.rails", {INDEPENDENT}),
    ("arbiter/registry.py", "import arbiter.protocols.splendor", {LAYERS, PROTECTED}),
    ("arbiter/__init__.py", "import arbiter.protocols", {PROTECTED}),
]


LINTER = """
import sys
from importlinter.cli import lint_imports
for _ in sys.stdin:
    print("exit", lint_imports(no_logo=True, cache_dir="cache"), flush=True)
"""
"""A linter process that is reused: importing the linter takes longer than linting."""


class Sources:
    """A copy of the package and its contracts; a test restores what it changes there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copy(ROOT / "pyproject.toml", folder)
        shutil.copytree(ROOT / "arbiter", folder / "arbiter", ignore=shutil.ignore_patterns("__pycache__"))
        self._errors = (folder / "errors").open("w+")
        self._linter = subprocess.Popen(
            [sys.executable, "-c", LINTER], cwd=folder, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
        )  # fmt: skip

    def broken_contracts(self) -> set[str]:
        """Lint them and return the names of the contracts that are broken."""
        assert self._linter.stdin is not None
        assert self._linter.stdout is not None
        self._linter.stdin.write("\n")
        self._linter.stdin.flush()
        lines: list[str] = []
        while not lines or not lines[-1].startswith("exit "):
            lines.append(self._linter.stdout.readline())
            assert lines[-1], (self.folder / "errors").read_text()
        said = "".join(lines)
        broken = set(re.findall(r"^(.*) BROKEN(?: \(|$)", said, re.MULTILINE))
        assert lines[-1] == f"exit {int(bool(broken))}\n", said
        assert f"{len(broken)} broken" in said
        return broken

    def close(self) -> None:
        """End the linter."""
        self._linter.communicate()
        self._errors.close()


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sources]:
    found = Sources(tmp_path_factory.mktemp("sources"))
    yield found
    found.close()


def test_the_sources_keep_every_contract(sources: Sources) -> None:
    assert sources.broken_contracts() == set()


@pytest.mark.parametrize(
    ("file", "line", "contracts"), FORBIDDEN, ids=[f"{file}: {line}" for file, line, _ in FORBIDDEN]
)
def test_a_forbidden_import_breaks_its_contract(sources: Sources, file: str, line: str, contracts: set[str]) -> None:
    path = sources.folder / file
    before = path.read_text(encoding="utf-8")
    path.write_text(f"{before}\n{line}\n", encoding="utf-8")
    try:
        assert sources.broken_contracts() == contracts
    finally:
        path.write_text(before, encoding="utf-8")


@pytest.mark.parametrize(
    ("folder", "contract"), [("arbiter", LAYERS), ("arbiter/agents", AGENTS), ("arbiter/contest", CONTEST)]
)
def test_a_module_without_a_layer_breaks_the_contract(sources: Sources, folder: str, contract: str) -> None:
    module = sources.folder / folder / "newcomer.py"
    module.touch()
    try:
        assert sources.broken_contracts() == {contract}
    finally:
        module.unlink()


def test_every_contract_is_shown_to_fail() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}
    assert contracts == set().union(*(broken for _, _, broken in FORBIDDEN))
