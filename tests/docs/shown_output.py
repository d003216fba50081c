"""The output that the README shows. ``python -m tests.docs.shown_output`` runs its command and writes it again."""

from __future__ import annotations

import re
import shlex
import tempfile
from pathlib import Path

from tests.cli.terminal import print_at_a_terminal
from tests.tools import ROOT

README = ROOT / "README.md"
BLOCK = re.compile(r"^```console\n\$ (arbiter [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


LINES = 12
"""How much of the output is shown."""


def printed(command: str) -> str:
    """Run the command in an empty folder and return the beginning of what it prints, as if ``arbiter`` were on the PATH."""
    with tempfile.TemporaryDirectory() as folder:
        ran = print_at_a_terminal(80, *shlex.split(command)[1:], "--color", "never", folder=Path(folder))
    return "\n".join([*ran.out.splitlines()[:LINES], "…\n"])


def masked(text: str) -> str:
    """Replace times and dates, and the spaces that depend on their lengths."""
    text = re.sub(r"\d{8}-\d{6}", "DATE", re.sub(r"\b\d+(\.\d+)?(µs|ms|s)\b", "TIME", text))
    return re.sub(r"-{2,}", "--", re.sub(r" {2,}", "  ", text))


def main() -> None:
    """Write the output into the README."""
    text = README.read_text(encoding="utf-8")
    README.write_text(
        BLOCK.sub(lambda found: f"```console\n$ {found[1]}\n{printed(found[1])}```", text), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
