"""The languages in which starters are written, one file each."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.languages.c import C
from arbiter.starters.languages.cpp import Cpp
from arbiter.starters.languages.csharp import CSharp
from arbiter.starters.languages.go import Go
from arbiter.starters.languages.java import Java
from arbiter.starters.languages.javascript import JavaScript, TypeScript
from arbiter.starters.languages.python import Python
from arbiter.starters.languages.rust import Rust

LANGUAGES: Mapping[str, SourceWriter] = {
    each.key: each for each in (Python(), Cpp(), JavaScript(), TypeScript(), Java(), Rust(), C(), CSharp(), Go())
}
"""By name, as typed on the command line."""

ALIASES: Mapping[str, str] = {
    "py": "python", "c++": "cpp", "js": "javascript", "ts": "typescript", "rs": "rust", "c#": "csharp", "cs": "csharp",
    "golang": "go",
}  # fmt: skip
