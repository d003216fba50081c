"""A first program in every installed language is built and run as agents are."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.languages import Language
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.author import hello
from arbiter.config.workspace import Workspace
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

UNCONTAINED = SandboxChoice("none", "none", {})


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def why_not(suffix: str, sandbox: SandboxChoice | None = None) -> str:
    language = languages.of_extension(suffix, Workspace())
    assert language is not None
    return hello.why_not(language, Workspace(), sandbox or choose_sandbox("auto"))


def test_only_what_is_compiled_already_has_no_program() -> None:
    assert {row.extensions[0] for row in languages._TABLE} - set(hello.PROGRAMS) == {".jar", ".dll"}


def row_id(row: Language) -> str:
    """The extension, and the program that builds or runs it: an extension may have several rows."""
    return f"{row.extensions[0]} {(row.build or row.run)[0]}"


@pytest.mark.parametrize("row", [row for row in languages._TABLE if row.extensions[0] in hello.PROGRAMS], ids=row_id)
def test_every_row_of_the_table_works_in_the_sandbox(
    row: Language, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not all(map(languages.find_tool, row.tools)):
        pytest.skip(f"language not installed: {row.name}")
    monkeypatch.setattr(languages, "_rows", lambda _: {row.extensions[0]: [row]})
    (tmp_path / "Ünsere Bots").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "Ünsere Bots"))
    failure = why_not(row.extensions[0])
    if failure and not row.build and (alone := why_not(row.extensions[0], UNCONTAINED)):
        pytest.skip(f"language installed but not working: {row.name}: {alone}")
    assert failure == ""


def test_a_tool_that_is_installed_and_does_not_work_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bin" / "ruby", "#!/bin/sh\necho no such library >&2\nexit 3\n", executable=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert why_not(".rb") == "exited with status 3: no such library"


def test_a_tool_that_fails_to_build_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "bin" / "ghc", "#!/bin/sh\necho no package database >&2\nexit 1\n", executable=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert "no package database" in why_not(".hs")


def test_a_success_is_remembered_until_the_tool_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = write(tmp_path / "bin" / "ruby", '#!/bin/sh\nexec /bin/sh -c "echo hello"\n', executable=True)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    assert why_not(".rb") == ""
    monkeypatch.setattr(hello, "_run", lambda *_: "tried again")
    assert why_not(".rb") == ""
    tool.write_text("#!/bin/sh\necho hello\n")
    assert why_not(".rb") == "tried again"
