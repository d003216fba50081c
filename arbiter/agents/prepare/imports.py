"""What a single TypeScript file imports from the files next to it."""

from __future__ import annotations

import re
from pathlib import Path

from arbiter.agents.prepare.languages import Language
from arbiter.errors import UserError
from arbiter.text import safe

_IMPORT = re.compile(r"""(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*["'](\./[^"'\n]+)["']""")
_SUFFIXES = (".ts", ".mts", ".tsx", ".js", ".mjs", ".cjs", ".json")


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
