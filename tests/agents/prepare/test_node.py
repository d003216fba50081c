"""Bots for node: the site's readline() is there, types are not checked, and imports that cannot work say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter import play
from arbiter.agents.prepare import languages
from arbiter.agents.prepare.build import of_file
from arbiter.agents.prepare.languages import Language
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from tests.agents.prepare.conftest import Resolve
from tests.agents.prepare.test_languages import SLOW_STARTERS, need
from tests.nullgame.place import write
from tests.tools import missing, need_tool

SITE = "readline();\nprint(typeof printErr === 'function' ? 2 : 0);\n"
TYPED = "const two: number = readline() ? 2 : 0;\nprint(two);\n"
PROJECTS = {
    "node as its program": ("run: node bot.js\n", {}),
    "node in a script": ("run: sh start.sh\n", {"start.sh": "exec node bot.js\n"}),
    "options of its own": ("run: node bot.js\nenvironment: {NODE_OPTIONS: --max-old-space-size=256}\n", {}),
}
TRANSPILED = [row for row in languages._TABLE if "{transpile}" in row.build]


def scores(agent: object, sandbox: str = "auto") -> list[float]:
    report = play("count_up", [str(agent)], options={"turns": 1}, limits=SLOW_STARTERS, sandbox=sandbox)
    assert report.games[0].faults == []
    return list(report.games[0].scores)


@pytest.mark.parametrize("sandbox", ["none", "auto"])
@pytest.mark.parametrize("project", PROJECTS)
def test_a_project_has_the_readline_of_the_site(place: Path, project: str, sandbox: str) -> None:
    manifest, files = PROJECTS[project]
    for name, text in {"agent.yaml": manifest, "bot.js": SITE, **files}.items():
        file = write(place / "mein bot" / name, text)
    need(file.with_name("bot.js"))
    assert scores(place / "mein bot", sandbox) == [2.0]


def test_a_file_and_a_typed_command_have_it_too(place: Path) -> None:
    file = write(place / "bots" / "bot.js", SITE)
    need(file)
    assert scores(file) == [2.0]
    assert scores("node bots/bot.js") == [2.0]


def test_what_the_type_checker_does_not_know_is_no_error(place: Path) -> None:
    file = write(place / "bots" / "bot.ts", TYPED)
    need(file)
    assert scores(file) == [2.0]


@pytest.mark.parametrize("row", TRANSPILED, ids=lambda row: str(*row.extensions))
def test_a_tsc_that_always_checks_types_is_used_as_a_library(
    place: Path, row: Language, monkeypatch: pytest.MonkeyPatch, ready: Resolve
) -> None:
    need_tool("node")
    if not (Path(need_tool("tsc")).resolve().parents[1] / "lib" / "typescript.js").exists():
        missing("tsc: one that is written in JavaScript")
    monkeypatch.setattr(languages, "_rows", lambda _: {row.extensions[0]: [row]})
    extension = row.extensions[0]
    assert scores(write(place / "bots" / f"bot{extension}", TYPED)) == [2.0]
    with pytest.raises(
        UserError, match=r"does not build \(exit status 1\):\nwrong.m?ts\(1,10\): error TS1110: Type expected"
    ):
        ready(write(place / "bots" / f"wrong{extension}", "const x: = 3\n"))


BUILT = Language("TypeScript", (".ts",), ("node", "{program}.js"), ("sh", "tsc"))
IN_PLACE = Language("TypeScript", (".ts",), ("sh", "--experimental-strip-types", "{source}"))


class TestImports:
    """A file that imports the one next to it."""

    @pytest.mark.parametrize(
        "line",
        [
            "import { best } from './tables';",
            'import "./tables.ts";',
            "import * as t from './tables.js'",
            "const { best } = require('./tables');",
            "const t = await import('./tables')",
        ],
    )
    def test_it_is_told_to_be_a_folder(self, place: Path, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(languages, "_TABLE", (BUILT,))
        write(place / "bots" / "tables.ts", "export const best = 2;\n")
        with pytest.raises(UserError) as refused:
            resolve_agent(str(write(place / "bots" / "bot.ts", f"{line}\n")), None, Workspace())
        found = str(refused.value)
        assert "a single file is built alone: put both in a folder with an agent.yaml" in found
        assert found.endswith(
            "the lines 'build: tsc --target es2022 --module commonjs --outDir out bot.ts' and 'run: node out/bot.js'"
        )

    def test_node_itself_wants_the_extension(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(languages, "_TABLE", (IN_PLACE,))
        write(place / "bots" / "tables.ts", "export const best = 2;\n")
        with pytest.raises(UserError, match=r"imports './tables', but node .* import './tables.ts'"):
            resolve_agent(str(write(place / "bots" / "bot.ts", "import {best} from './tables';")), None, Workspace())
        works = write(place / "bots" / "bot.ts", "import {best} from './tables.ts';")
        assert resolve_agent(str(works), None, Workspace()).build is None

    def test_what_is_not_there_is_left_to_the_compiler(self, place: Path) -> None:
        file = write(place / "bots" / "bot.ts", "import fs from 'fs';\nimport {x} from './missing';\n")
        assert of_file(file, BUILT).title == "bot.ts"
        need(file)
        assert resolve_agent(str(file), None, Workspace()).language == "TypeScript"
