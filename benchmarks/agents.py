"""Agents that answer at once, compiled when a benchmark first needs them."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path

from arbiter.agents import build, languages
from arbiter.workspace import Workspace

_SOURCES = {
    # A line in, a line out, for as long as there is input.
    "echo": """
#include <stdio.h>
int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) { fputs("ok\\n", stdout); fflush(stdout); }
    return 0;
}
""",
    # Everything in, a line out, and gone.
    "once": """
#include <unistd.h>
int main(void) {
    char buffer[4096];
    while (read(0, buffer, sizeof buffer) > 0) {}
    return write(1, "ok\\n", 3) != 3;
}
""",
}


@lru_cache(maxsize=len(_SOURCES))
def compiled(name: str) -> str:
    """The path of a compiled agent."""
    source = Path(tempfile.mkdtemp(prefix="arbiter-bench-")) / f"{name}.c"
    source.write_text(_SOURCES[name])
    return build.command_for(source, languages.table(Workspace())[".c"])[0]
