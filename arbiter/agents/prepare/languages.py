"""How programs in each language are built and run: one table, which arbiter.toml can extend.

A row maps file extensions to a run command and, if the language needs one, a build command. Placeholders in braces are
filled in: ``{source}`` is the file, ``{out}`` an empty build folder, ``{program}`` a file in it, ``{class}`` the main class
of a Java source, ``{encoding}`` that of the file, ``{tool:tsc}`` the path of another program, ``{readline}`` and
``{transpile}`` the scripts in ``shims/``. The first word may list
alternatives with ``|`` (the first installed one is used) and may require a version (``node>=22.6``). Where an extension has
several rows, the first row whose tools are all installed is used.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from arbiter.config.workspace import LanguageEntry, Workspace
from arbiter.errors import wrong_value


class Language(msgspec.Struct, frozen=True):
    """How programs in a language are built and run."""

    name: str
    extensions: tuple[str, ...]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    """Extensions of files in the same folder that are copied into the build. Not those of programs: another agent's
    source may be in that folder."""
    extra: tuple[str, ...] = ()
    """Arguments of the build that not every installation supports: a build that fails with them is repeated without."""
    needs: str = ""
    """The tools to name in messages if none is installed, where several rows serve the same extension."""

    @property
    def tools(self) -> Iterator[str]:
        """The programs this row needs, as :func:`find_tool` takes them."""
        yield from (*tools_of(self.build), *tools_of(self.run))


def tools_of(command: Sequence[str]) -> Iterator[str]:
    """Yield the programs that a command of the table needs, as :func:`find_tool` takes them."""
    yield from (word for word in command[:1] if "{" not in word)
    yield from (found[1] for word in command if (found := re.fullmatch(r"\{tool:(.+)\}", word)))


_QUICKLY = "-J-XX:TieredStopAtLevel=1"
"""Keeps the JVM from optimising javac, which runs for about a second: half of that would be spent on it."""
_STATIC = ("-static-libstdc++", "-static-libgcc")
"""A program that is spawned for every move spends a third of a millisecond on linking with the shared library."""
READLINE = Path(__file__).parent / "shims" / "readline.js"
"""Gives node a global blocking readline(), as some contest sites do."""
TRANSPILE = READLINE.with_name("transpile.js")
"""Turns TypeScript into JavaScript without checking types, for versions of tsc that always do."""

_TABLE = (
    Language("Python", (".py",), ("python3", "{source}")),
    Language("JavaScript", (".js", ".cjs", ".mjs"), ("node", "{source}")),
    Language("TypeScript", (".ts", ".mts"), ("node>=22.6", "--experimental-strip-types", "--no-warnings", "{source}"), needs="node 22.6 or later, or one of esbuild, tsc, tsx and bun"),
    Language("TypeScript", (".ts", ".mts"), ("node", "{program}.js"), ("esbuild", "{source}", "--platform=node", "--log-level=warning", "--outfile={program}.js")),
    Language("TypeScript", (".ts",), ("node", "{out}/{stem}.js"), ("tsc>=5.5", "--noCheck", "--target", "es2022", "--module", "commonjs", "--outDir", "{out}", "{source}")),
    Language("TypeScript", (".ts",), ("node", "{program}.js"), ("node", "{transpile}", "{tool:tsc}", "{source}", "{program}.js")),
    Language("TypeScript", (".mts",), ("node", "{program}.mjs"), ("node", "{transpile}", "{tool:tsc}", "{source}", "{program}.mjs")),
    Language("TypeScript", (".ts", ".mts"), ("tsx", "{source}")),
    Language("TypeScript", (".ts", ".mts"), ("bun", "--preload", "{readline}", "{source}")),
    Language("C", (".c",), ("{program}",), ("gcc|clang|cc", "-O2", "-std=gnu17", "-pthread", "-o", "{program}", "{source}", "-lm"), (".h",)),
    Language("C++", (".cpp", ".cc", ".cxx"), ("{program}",), ("g++|clang++|c++", "-O2", "-std=gnu++20", "-pthread", "-o", "{program}", "{source}"), (".h", ".hpp", ".hh"), _STATIC),
    Language("Rust", (".rs",), ("{program}",), ("rustc", "-O", "--edition", "2021", "--crate-name", "agent", "-o", "{program}", "{source}")),
    Language("Java", (".java",), ("java", "-cp", "{out}", "{class}"), ("javac", _QUICKLY, "-encoding", "{encoding}", "-d", "{out}", "{class_source}")),
    Language("Java archive", (".jar",), ("java", "-jar", "{source}")),
    Language("Kotlin", (".kt",), ("java", "-jar", "{program}.jar"), ("kotlinc", "{source}", "-include-runtime", "-d", "{program}.jar")),
    Language("Scala", (".scala",), ("scala", "{program}.jar"), ("scalac", "-encoding", "{encoding}", "-d", "{program}.jar", "{source}")),
    Language("Groovy", (".groovy",), ("groovy", "{source}")),
    Language("Clojure", (".clj",), ("clojure", "{source}")),
    Language("Go", (".go",), ("{program}",), ("go", "build", "-o", "{program}", "{source}")),
    Language("C#", (".cs",), ("mono", "{program}.exe"), ("mcs|csc", "-out:{program}.exe", "{source}"), needs="mono and mcs or csc, or dotnet 10 or later"),
    Language("C#", (".cs",), ("dotnet", "{out}/{stem}.dll"), ("dotnet>=10.0", "build", "{source}", "--output", "{out}", "-p:UseAppHost=false")),
    Language("F#", (".fs", ".fsx"), ("mono", "{program}.exe"), ("fsharpc", "--nologo", "--out:{program}.exe", "{source}"), needs="mono and fsharpc (for .fsx also dotnet)"),
    Language("F#", (".fsx",), ("dotnet", "fsi", "{source}")),
    Language("Visual Basic", (".vb",), ("mono", "{program}.exe"), ("vbnc|vbc", "-nologo", "-out:{program}.exe", "{source}")),
    Language(".NET", (".dll",), ("dotnet", "{source}")),
    Language("Haskell", (".hs",), ("{program}",), ("ghc", "-O2", "-outputdir", "{out}", "-o", "{program}", "{source}")),
    Language("OCaml", (".ml",), ("{program}",), ("ocamlopt", "{source}", "-o", "{program}")),
    Language("Nim", (".nim",), ("{program}",), ("nim", "c", "-d:release", "--nimcache:{out}/cache", "-o:{program}", "{source}")),
    Language("Zig", (".zig",), ("{program}",), ("zig", "build-exe", "-O", "ReleaseFast", "-femit-bin={program}", "{source}")),
    Language("D", (".d",), ("{program}",), ("ldc2|dmd", "-O", "-of={program}", "{source}"), needs="ldc2, dmd or gdc"),
    Language("D", (".d",), ("{program}",), ("gdc", "-O2", "-o", "{program}", "{source}")),
    Language("Dart", (".dart",), ("{program}",), ("dart", "compile", "exe", "--output", "{program}", "{source}")),
    Language("Swift", (".swift",), ("{program}",), ("swiftc", "-O", "-o", "{program}", "{source}")),
    Language("Pascal", (".pas",), ("{program}",), ("fpc", "-O2", "-o{program}", "{source}")),
    Language("Perl", (".pl",), ("perl", "{source}")),
    Language("Ruby", (".rb",), ("ruby", "{source}")),
    Language("PHP", (".php",), ("php", "{source}")),
    Language("Lua", (".lua",), ("lua|luajit|lua5.4|lua5.3", "{source}")),
    Language("R", (".r", ".R"), ("Rscript", "{source}")),
    Language("Julia", (".jl",), ("julia", "{source}")),
    Language("Tcl", (".tcl",), ("tclsh", "{source}")),
    Language("Bash", (".bash",), ("bash", "{source}")),
    Language("Shell", (".sh",), ("sh", "{source}")),
)  # fmt: skip


BUILD_TOOLS = (
    "cargo", "make", "cmake", "ninja", "meson", "npm", "npx", "mvn", "gradle", "dune", "dub", "nimble", "cabal", "stack",
)  # fmt: skip
"""Programs that the build commands of agents start, besides those in the table."""


def language_table(workspace: Workspace) -> Mapping[str, Language]:
    """Return the languages by extension; those in arbiter.toml override the built-in ones."""
    return {extension: _first_installed(rows) for extension, rows in _rows(workspace).items()}


def of_extension(extension: str, workspace: Workspace) -> Language | None:
    """Return one language of :func:`language_table`. Only the tools of its own rows are looked for: asking a tool for its
    version takes longer than a game."""
    rows = _rows(workspace).get(extension)
    return _first_installed(rows) if rows else None


def extensions(workspace: Workspace) -> Collection[str]:
    """Return the extensions of source files."""
    return _rows(workspace).keys()


def _rows(workspace: Workspace) -> Mapping[str, Sequence[Language]]:
    """Return the rows for each extension."""
    rows: dict[str, list[Language]] = {}
    for language in _TABLE:
        for extension in language.extensions:
            rows.setdefault(extension, []).append(language)
    for _, settings in reversed(workspace.sources):
        for name, entry in settings.languages.items():
            language = _from_entry(name, entry)
            rows.update({extension: [language] for extension in language.extensions})
    return rows


def _first_installed(rows: Sequence[Language]) -> Language:
    """Return the first row whose tools are installed; if there is none, the first."""
    return next((row for row in rows if _installed(row)), rows[0]) if len(rows) > 1 else rows[0]


def all_programs() -> set[str]:
    """Return the name of every program that builds or runs a built-in language."""
    return {word.partition(">=")[0] for row in _TABLE for tool in row.tools for word in tool.split("|")}


def all_names() -> set[str]:
    """Return the names of the built-in languages."""
    return {language.name for language in _TABLE}


def _installed(language: Language) -> bool:
    return all(find_tool(tool) for tool in language.tools)


def _from_entry(name: str, entry: LanguageEntry) -> Language:
    for word in (entry.run[0], *entry.build[:1]):
        if re.search(r">=(?!\d+(\.\d+)*(\||$))", word):
            raise wrong_value(f"arbiter.toml: language {name!r}: requirement", word, "a version such as node>=22.6")
    extensions = tuple(ext if ext.startswith(".") else f".{ext}" for ext in entry.extensions)
    return Language(name, extensions, tuple(entry.run), tuple(entry.build), tuple(entry.reads))


def find_tool(words: str) -> str | None:
    """Return the full path of the first program of ``a|b|c>=1.2`` that is installed, or None. Paths are kept as given."""
    for word in words.split("|"):
        name, _, least = word.partition(">=")
        found = shutil.which(name)
        if found and (not least or _version(found) >= tuple(map(int, least.split(".")))):
            if Path(found).name.startswith("python3"):
                return _real_python(found)
            return _real_rust(Path(found)) if Path(found).resolve().name == "rustup" else found
    return None


@lru_cache(maxsize=8)
def _version(tool: str) -> tuple[int, ...]:
    asked = subprocess.run([tool, "--version"], cwd="/", capture_output=True, text=True, check=False)
    found = re.search(r"(\d+)\.(\d+)", asked.stdout)
    return tuple(map(int, found.groups())) if found else (0,)


@lru_cache(maxsize=8)
def _real_python(found: str) -> str:
    """Return the interpreter behind a version manager's shell script, which costs more time than a move."""
    with open(found, "rb") as program:  # noqa: PTH123
        if program.read(2) != b"#!":
            return found
    # In the root directory: version managers obey a .python-version file in the current one, which is not trusted.
    asked = subprocess.run(
        [found, "-c", "import sys; print(sys.executable)"], cwd="/", capture_output=True, text=True, check=False
    )
    real = asked.stdout.strip()
    return real if asked.returncode == 0 and os.access(real, os.X_OK) else found


def _real_rust(found: Path) -> str:
    """Return the program that rustup would start, whose folder has the toolchain in it and no credentials."""
    real = f"{_rust_toolchain(found.with_name('rustc'))}/bin/{found.name}"
    return real if os.access(real, os.X_OK) else str(found)


@lru_cache(maxsize=8)
def _rust_toolchain(rustc: Path) -> str:
    # In the root directory: rustup obeys a rust-toolchain file in the current one, which is not trusted.
    asked = subprocess.run([rustc, "--print=sysroot"], cwd="/", capture_output=True, text=True, check=False)
    return asked.stdout.strip()
