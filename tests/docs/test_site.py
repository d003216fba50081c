"""The documentation as a site: it is built without a warning, loads nothing from elsewhere, and says what the code says."""

from __future__ import annotations

import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import arbiter as arbiter_package
from arbiter.cli import COMMANDS, cli
from arbiter.config.workspace import WorkspaceSettings
from arbiter.contest.match_file import MatchFile
from docs_site.commands import command_pages
from docs_site.hooks import navigation, pages
from docs_site.python_api import FUNCTIONS, python_pages
from docs_site.reference import DOCUMENTS, FILES, document_page, fields_of, reference_pages, types_in
from tests.cli.walking import all_commands
from tests.docs.messages import is_a_message, matches, sentences
from tests.nullgame.command import arbiter
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("*.md"))}
REMOTE = re.compile(
    r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=\"(?:https?:)?//|@import|url\(['\"]?(?:https?:)?//"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_is_built_strictly_with_every_page(site: Path) -> None:
    for name in COMMANDS:
        assert (site / "commands" / f"{name}.html").is_file()
    for page in (*PAGES, "index.md", "games/splendor.md", *reference_pages()):
        assert (site / page).with_suffix(".html").is_file(), page
    assert 'href="../style.css"' in (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert (site / "style.css").is_file()


def test_every_page_is_in_the_menu_once_and_the_first_bot_comes_first() -> None:
    home, *groups = navigation()
    listed = [page for group in groups for paths in group.values() for page in paths]
    assert sorted([home, *listed]) == sorted([*PAGES, *pages()])
    assert (home, listed[0]) == ("index.md", "first-bot.md")


def test_the_site_loads_nothing_from_other_hosts(site: Path) -> None:
    for file in (*site.rglob("*.html"), *site.rglob("*.css")):
        assert not REMOTE.search(file.read_text(encoding="utf-8")), file


def test_a_command_s_page_has_its_options_and_examples() -> None:
    pages = command_pages()
    for name, command in all_commands():
        context = click.Context(command, info_name=name, parent=click.Context(cli, info_name="arbiter"))
        for param in command.get_params(context):
            if isinstance(param, click.Option) and not param.hidden:
                assert param.opts[0] in pages[f"commands/{name}.md"], f"{name} {param.opts[0]}"
        assert "\n## Examples\n\n    " in pages[f"commands/{name}.md"]


def test_references_have_every_field_with_its_docstring() -> None:
    pages = reference_pages()
    shown = {f"reference/{name}.md": types for name, (_, _, types) in FILES.items()}
    assert [
        (each, name)
        for types in shown.values()
        for each in types
        for name, *_, meaning in fields_of(each)
        if not meaning
    ] == []
    for page, types in {**shown, **{document_page(name): types_in(roots) for name, roots in DOCUMENTS.items()}}.items():
        for each in types:
            fields = [field for field, *_ in fields_of(each)]
            assert set(fields) == set(getattr(each, "__struct_encode_fields__", fields)), each
            assert all(f"| `{field}` |" in pages[page] for field in fields)
    assert (
        "| `time_factor` | `float` | `1.0` | Multiply all time limits, for slow machines and debuggers. |"
        in (pages["reference/match-files.md"])
    )
    found = {name: (kind, default, meaning) for name, kind, default, meaning in fields_of(WorkspaceSettings)}
    assert found["sandbox"] == ("str", "'auto'", "The weakest acceptable sandbox level.")


def test_the_python_reference_has_every_parameter_with_its_meaning() -> None:
    (page,) = python_pages().values()
    for name, function in FUNCTIONS.items():
        part = page.split(f"## arbiter.{name}\n")[1].split("\n## ")[0]
        for each in inspect.signature(function).parameters:
            assert re.search(rf"^\| `{each}` \| `.+` \|.*\| \S.* \|$", part, re.MULTILINE), each
    assert {f"arbiter.{name}" for name in arbiter_package.__all__} <= set(re.findall(r"arbiter\.\w+", page))


def test_every_command_with_json_has_a_reference_of_its_document() -> None:
    with_json = {
        name
        for name, command in all_commands()
        for each in (command, *getattr(command, "commands", {}).values())
        if any("--json" in param.opts for param in each.params)
    }
    assert with_json == set(DOCUMENTS)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["show", "matches/samples/splendor.jsonl"], "show"),
        (["why", "matches/samples/rails.jsonl"], "why"),
        (["games", "matches/samples"], "games"),
        (["games", "matches/samples", "--kibitz", "wants"], "games"),
        (["games", "matches/samples", "--stats"], "games"),
        (["verify", "matches/samples/heroes.jsonl"], "verify"),
        (["protocols", "splendor"], "protocols"),
        (["play", "splendor", "random", "--explain"], "play"),
        (["archive", "prune", "matches/samples", "--drop", "logs"], "archive"),
    ],
)
def test_a_document_is_of_one_of_the_types_in_its_reference(words: list[str], command: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "matches" / "samples", tmp_path / "matches" / "samples")
    ran = arbiter(*words, "--json", folder=tmp_path)
    assert ran.code == 0, ran.err
    kinds = types_in(DOCUMENTS[command])[:1] if len(DOCUMENTS[command]) == 1 else DOCUMENTS[command]
    keys = [{key for key, *_ in fields_of(kind)} for kind in kinds]
    assert set(ran.document) in keys


def test_every_message_in_troubleshooting_is_one_of_the_code() -> None:
    messages = re.findall(r"^\| `([^`]+)` \|", PAGES["troubleshooting.md"], re.MULTILINE)
    assert len(messages) >= 18
    assert [message for message in messages if not is_a_message(message)] == []


def test_every_cause_of_a_fault_that_is_named_is_in_troubleshooting() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", PAGES["troubleshooting.md"], re.MULTILINE)
    named = [
        text for file in ("agents/ask/causes.py", "playing/mistakes.py") for text in sentences(ROOT / "arbiter" / file)
    ]
    assert len(named) > 12
    assert [text for text in named if not any(matches(row, text) for row in rows)] == []


def test_a_match_file_has_the_keys_of_its_reference_and_each_is_explained() -> None:
    rows = list(fields_of(MatchFile))
    assert {name for name, *_ in rows} == set(MatchFile.__struct_fields__)
    assert [name for name, _, _, meaning in rows if not meaning] == []


@pytest.mark.parametrize("number", range(2))
def test_the_programs_of_the_python_page_run(number: int, tmp_path: Path) -> None:
    program = re.findall(r"^```python\n(.*?)^```$", PAGES["python-api.md"], re.MULTILINE | re.DOTALL)[number]
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "greedy" in done.stdout
