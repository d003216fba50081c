"""What a source file says of itself: its encoding, which javac needs as an option, the main class of a Java program, and what
a TypeScript file imports. No parser is needed, and the time is proportional to the length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from arbiter.agents.prepare.languages import Language
from arbiter.errors import UserError
from arbiter.text import safe

UTF_8 = "UTF-8"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""The byte-order mark that some editors write at the start of UTF-8 files. javac, scalac and shells refuse it."""
# A string or comment that is not closed ends with the line or the file: searching for its end from every start would take
# quadratic time.
_COMMENT_OR_LITERAL = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"?|'(?:\\.|[^'\\\n])*'?", re.DOTALL)
_MAIN = re.compile(r"\bstatic\s+(?:final\s+)?void\s+main\s*\(")
_MODIFIERS = frozenset(("public", "final", "abstract", "strictfp", "static"))
_KINDS = frozenset(("class", "record", "enum"))
_IMPORT = re.compile(r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\./[^"'\n]+)["']""")
_SUFFIXES = (".ts", ".mts", ".tsx", ".js", ".mjs", ".cjs", ".json")


def encoding_of(source: bytes) -> str:
    """Return the encoding of a source, under a name that Java and Python know.

    Whatever is not valid UTF-8 or marked as UTF-16 is read as Windows or ISO Latin-1, which differ in few letters: every
    text can be decoded by the last one.
    """
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    for encoding in (UTF_8, "windows-1252"):
        try:
            source.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "ISO-8859-1"


def decoded(source: bytes) -> str:
    """Return the text of a source, without a byte-order mark."""
    return source.decode(encoding_of(source), errors="replace").removeprefix("\ufeff")


def main_class(source: str) -> str | None:
    """Return the class that a Java file must be named after: the public one, or the one with the main method."""
    code = _COMMENT_OR_LITERAL.sub(" ", source)
    package = re.search(r"\bpackage\s+([\w.]+)\s*;", code)
    outermost = list(_outermost_types(code))
    main = _MAIN.search(code)
    holding_main = [name for name, start, _ in outermost if main and start < main.start()]
    name = public_class(source) or (holding_main[-1] if holding_main else None)
    return f"{package.group(1)}.{name}" if package and name else name


def public_class(source: str) -> str | None:
    """Return the public class, which must have the name of its file."""
    code = _COMMENT_OR_LITERAL.sub(" ", source)
    return next((name for name, _, is_public in _outermost_types(code) if is_public), None)


def _outermost_types(code: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the outermost types: name, position, and whether it is public."""
    depth, is_public, kind = 0, False, ""
    for found in re.finditer(r"\w+|[^\w\s]", code):
        word = found.group()
        if kind and word.isidentifier():
            yield word, found.start(), is_public
        kind = word if word in _KINDS and depth == 0 else ""
        is_public = word == "public" or (is_public and (word in _MODIFIERS or bool(kind)))
        depth += (word == "{") - (word == "}")


def check_imports(source: Path, language: Language, text: str) -> None:
    """Refuse a TypeScript file that would not find a file next to it: it is built alone, or node does not add the extension
    of what it imports. Raises UserError, which says what to do."""
    for name in _IMPORT.findall(text):
        near = next((path for path in _meant(source.parent / name) if path.is_file()), None)
        if near is None:
            continue
        if language.build:
            raise UserError(
                f"{source.name} imports {safe(name, 60)!r}, but a single file is built alone: put both in a folder with an "
                f"agent.yaml that has the lines 'build: {_folder_build(language, source)}' and 'run: node out/{source.stem}.js'"
            )
        if "--experimental-strip-types" in language.run and near != source.parent / name:
            raise UserError(
                f"{source.name} imports {safe(name, 60)!r}, but node runs it as it is and does not search: import "
                f"'./{safe(near.relative_to(source.parent).as_posix(), 60)}'"
            )


def _meant(path: Path) -> list[Path]:
    """Return the files that an import may mean. TypeScript may name the file that the compiler will make: ./x.js is x.ts."""
    made = [path.with_suffix(".ts")] if path.suffix == ".js" else []
    return [path, *made, *(path.with_name(path.name + suffix) for suffix in _SUFFIXES), path / "index.ts"]


def _folder_build(language: Language, source: Path) -> str:
    if language.build[0] == "esbuild":
        return f"esbuild {source.name} --bundle --platform=node --outfile=out/{source.stem}.js"
    unchecked = "--noCheck " if "--noCheck" in language.build else ""
    return f"tsc {unchecked}--target es2022 --module commonjs --outDir out {source.name}"
