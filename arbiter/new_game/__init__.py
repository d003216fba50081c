"""The files that ``arbiter new game`` writes: the small working game in template/, under another name."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from arbiter.errors import UserError

TEMPLATE = Path(__file__).parent / "template"
_LONGEST_NAME = 40


def game_files(name: str) -> Mapping[str, str]:
    """Return the files of a new game by their paths."""
    return {
        _renamed(file.relative_to(TEMPLATE).as_posix(), name): _renamed(file.read_text(encoding="utf-8"), name)
        for file in sorted(TEMPLATE.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    }


def _renamed(text: str, name: str) -> str:
    words = name.split("_")
    names = {
        "takeaway": name,
        "TakeAway": "".join(word.capitalize() for word in words),
        "Take Away": " ".join(words).capitalize(),
    }
    return re.sub("takeaway|TakeAway|Take Away", lambda found: names[found[0]], text)


def check_game_name(name: str, taken: Collection[str]) -> None:
    """Raise UserError unless a new game can have this name: it becomes a Python package and is typed in commands."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name.endswith("_") or "__" in name or len(name) > _LONGEST_NAME:
        likely = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_0123456789")[:_LONGEST_NAME]
        hint = f"; write {likely}" if likely else ""
        rule = "start with a letter" if name[:1].isdigit() else "be lower-case letters, digits and single underscores"
        raise UserError(f"the name {name!r} must {rule}{hint}")
    if name in taken:
        raise UserError(f"there is already a protocol {name!r}; choose another name")
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("arbiter", "agents", "game", "tests"):
        raise UserError(f"{name!r} has a meaning in Python or in the folder of a game; choose another name")
