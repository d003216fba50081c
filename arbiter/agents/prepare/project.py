"""Folders without an agent.yaml that say in another way how they are built: a CMakeLists.txt, a Cargo.toml, a Makefile …

From such a file follow the ``build`` and ``run`` that an agent.yaml would have. Nothing is run here, and the build has no
network: it can use what is in the folder and what is installed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from arbiter.agents.prepare.manifest import MANIFEST, Manifest, read_text
from arbiter.agents.prepare.source_text import main_class
from arbiter.errors import UserError

_MOST_SOURCES = 1000
_MOST_BYTES = 1 << 20
PROGRAM = "PROGRAM"
"""Stands for a program whose name the file does not say."""


def project_file(folder: Path) -> Path | None:
    """Return the file that says how the folder is built, if it has one."""
    return next((path for name in _KINDS if (path := _only(folder, name))), None)


def project_manifest(text: str, file: Path) -> Manifest:
    """Return what an agent.yaml beside this file would say. Raises UserError with the lines to write if that is not certain.

    ``text`` is what the user typed for the folder.
    """
    kind = file.name if file.name in _KINDS else f"*{file.suffix}"
    build, run = _KINDS[kind](read_text(file), file.parent)
    if PROGRAM in build or PROGRAM in run:
        lines = [f"'build: {build}'"] * bool(build) + [f"'run: {run}'"]
        raise UserError(
            f"{text} has no {MANIFEST}, and its {file.name} does not say what its program is called: add an {MANIFEST} with "
            f"the lines {' and '.join(lines)}, where {PROGRAM} is that name"
        )
    tool = "javac" if " javac " in build else build.partition(" ")[0]
    if tool and not shutil.which(tool):
        raise UserError(
            f"{text} has no {MANIFEST}, and {tool}, which builds a folder with a {file.name}, is not installed: install it, or add "
            f"an {MANIFEST} with other lines than 'build: {build}' and 'run: {run}'"
        )
    return Manifest(run=run, build=build)


def _only(folder: Path, name: str) -> Path | None:
    if "*" not in name:
        return folder / name if os.path.lexists(folder / name) else None
    found = sorted(folder.glob(name))
    return found[0] if len(found) == 1 else None


def _named(pattern: str, text: str, otherwise: str = PROGRAM) -> str:
    """Return the name that a pattern finds; otherwise another one. Nothing in it has a meaning for a shell.

    Patterns start with ``^`` and no ``\\s*``, which would take quadratic time on a file of empty lines.
    """
    found = re.search(pattern, text, re.MULTILINE)
    name = (found[1] or "").strip("\"'") if found else ""
    return name if re.fullmatch(r"\w[\w.+/-]*", name) else otherwise


def _cmake(text: str, _: Path) -> tuple[str, str]:
    project = _named(r"^[ \t]*project[ \t]*\(\s*([^\s)]+)", text)
    name = _named(
        r"^[ \t]*add_executable[ \t]*\(\s*([^\s)]+)", re.sub(r"\$\{(PROJECT_NAME|CMAKE_PROJECT_NAME)\}", project, text)
    )
    configure = 'cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_RUNTIME_OUTPUT_DIRECTORY="$PWD/build"'
    return f"{configure} && cmake --build build", f"build/{name}"


def _cargo(text: str, _: Path) -> tuple[str, str]:
    package = _named(r"^\[package\][^\[]*?^name[ \t]*=[ \t]*(\S+)", text)
    name = _named(r"^\[\[bin\]\][^\[]*?^name[ \t]*=[ \t]*(\S+)", text, package)
    return "cargo build --release --offline", f"target/release/{name}"


def _java(text: str, folder: Path) -> tuple[str, str]:
    """Neither Maven nor Gradle gets its plugins without a network, so the sources are compiled as they are."""
    named = _named(r"(?:<mainClass>|mainClass(?:Name)?(?:\.set\(|\s*=)\s*)\s*([\w.\"']+)", text, "")
    main = named or _main_class(folder / "src" / "main" / "java") or PROGRAM
    sources = "find src/main/java -name '*.java'"
    return f"{sources} > sources.txt && javac -encoding UTF-8 -d out @sources.txt", f"java -cp out {main}"


def _main_class(sources: Path) -> str:
    for number, path in enumerate(sorted(sources.rglob("*.java"))):
        if number >= _MOST_SOURCES or path.is_symlink() or not path.is_file():
            break
        with path.open("rb") as file:
            text = file.read(_MOST_BYTES).decode(errors="replace")
        if re.search(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(", text) and (name := main_class(text)):
            return name
    return ""


def _typescript(text: str, folder: Path) -> tuple[str, str]:
    names = [f"{place}{stem}" for place in ("src/", "") for stem in ("index", "main", "bot", "agent")]
    start = next((name for name in names if (folder / f"{name}.ts").is_file()), PROGRAM)
    built = f"out/{start}.js"
    # Without the types of node, which are rarely in the folder, tsc complains and writes its result all the same.
    return f"tsc -p . --rootDir . --outDir out --noEmitOnError false || test -f {built}", f"node {built}"


def _node(text: str, folder: Path) -> tuple[str, str]:
    main = _named(r'"main"\s*:\s*"([^"]*)"', text, "") or _named(r'"start"\s*:\s*"node ([^"]+)"', text, "index.js")
    if re.search(r'"build"\s*:\s*"', text):
        return "npm run build", f"node {main}"
    if (folder / "tsconfig.json").is_file() and not (folder / main).is_file():
        return _typescript("", folder)
    return "", f"node {main}"


def _dotnet(text: str, folder: Path) -> tuple[str, str]:
    file = _only(folder, "*.csproj")
    name = _named(r"<AssemblyName>([^<]+)<", text, file.stem if file else PROGRAM)
    return "dotnet publish -o out -p:UseAppHost=false", shlex.join(["dotnet", f"out/{name}.dll"])


def _go(_: str, __: Path) -> tuple[str, str]:
    return "go build -o agent.program .", "./agent.program"


def _make(text: str, _: Path) -> tuple[str, str]:
    variables = dict(re.findall(r"^(\w+)[ \t]*[:?]?=[ \t]*(\S+)[ \t]*$", text, re.MULTILINE))
    plain = re.sub(r"\$[({](\w+)[)}]", lambda found: variables.get(found[1], PROGRAM), text)
    rules = re.findall(r"^(\w[\w./+-]*)[ \t]*:(?!=)[ \t]*(\S*)", plain, re.MULTILINE)
    name = next((first if target in ("all", "default", "build") else target for target, first in rules), "")
    return "make", f"./{_named('(.+)', name)}"


_KINDS: Mapping[str, Callable[[str, Path], tuple[str, str]]] = {
    "CMakeLists.txt": _cmake,
    "Cargo.toml": _cargo,
    "pom.xml": _java,
    "build.gradle": _java,
    "build.gradle.kts": _java,
    "*.csproj": _dotnet,
    "go.mod": _go,
    "package.json": _node,
    "tsconfig.json": _typescript,
    "Makefile": _make,
}
"""For the name of a file, in the order in which they are looked for: what ``build`` and ``run`` of an agent.yaml would be."""
