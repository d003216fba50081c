"""What to tell the user about a build that failed: its output, made safe to print, and a hint where the cause is known."""

from __future__ import annotations

import os
import re
from pathlib import Path

from arbiter.agents.building.run import Output, StepResult
from arbiter.agents.prepare.build import Build
from arbiter.config.limits import Limits
from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_duration, show_size

_LINES = 30
"""Lines of a compiler's output that an error message shows."""
_LINE = 300
_MOST_FILES = 1000


def failed(build: Build, source: Path | None, outcome: StepResult, printed: Output, limits: Limits) -> UserError:
    """Return the error for a build that did not exit with status 0."""
    reasons = {
        "late": f"timed out after {show_duration(limits.build_ns)}; set the limit with 'build', such as -l build=20min",
        "flooded": f"stopped after printing {show_size(printed.size)}",
        "out of memory": f"needs more than {show_size(limits.memory_bytes)} of memory",
    }
    reason = f": {reasons[outcome.ended]}" if outcome.ended in reasons else f" ({_status(outcome.exit_code)}):"
    text = printed.kept.decode(errors="replace")
    lines = text.strip().splitlines()
    if printed.size > len(printed.kept):
        lines.append("…")
    more = [f"… and {len(lines) - _LINES} more lines"] if len(lines) > _LINES else []
    shown = [safe(line.expandtabs(4), _LINE) for line in lines[:_LINES]]
    if not shown:
        reason = f"{reason.removesuffix(':')}; it printed nothing"
    return UserError("\n".join([f"{build.title} does not build{reason}", *shown, *more, *_hint(build, source, text)]))


def _status(code: int) -> str:
    return f"exit status {code}" if code >= 0 else f"killed by signal {-code}"


def _hint(build: Build, source: Path | None, output: str) -> list[str]:
    """Say that a single file is built alone, if the compiler asks for a file that is next to it."""
    if not build.alone or source is None:
        return []
    copied = {Path(path).name for _, path in build.files}
    words = set(re.findall(r"[\w.-]+", output))
    with os.scandir(source.parent) as listing:
        near = [entry.name for _, entry in zip(range(_MOST_FILES), listing, strict=False) if entry.name not in copied]
    wanted = [
        name for name in near if name in words or (Path(name).stem in words and Path(name).suffix == source.suffix)
    ]
    if not wanted:
        return []
    return [
        f"{source.name} is built alone, without {safe(sorted(wanted)[0], 60)!r} next to it: put both in a folder with an "
        "agent.yaml that has the lines 'build: …' and 'run: …'"
    ]
