"""One generated starter per language. ``python -m tests.starters.golden`` rewrites golden/."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.starters.making import make

HERE = Path(__file__).with_name("golden")
PAIRS = (
    ("splendor", "python"), ("rails", "cpp"), ("green_circle", "javascript"), ("heroes", "typescript"),
    ("drones", "java"), ("rails", "rust"), ("heroes", "c"), ("splendor", "csharp"), ("drones", "go"),
)  # fmt: skip


def main() -> None:
    """Write all golden starters."""
    shutil.rmtree(HERE, ignore_errors=True)
    for game, language in PAIRS:
        made = make(game, language, HERE)
        # As plain text, so that no tool takes the folder for a program of this project.
        for file in made.iterdir():
            if file.name == ".gitignore" or file.name.lower().startswith("json."):
                file.unlink()
            else:
                file.chmod(0o644)
                file.rename(file.with_name(f"{file.name}.txt"))


if __name__ == "__main__":
    main()
