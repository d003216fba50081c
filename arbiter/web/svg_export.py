"""Positions as SVG files. The drawing is JavaScript, so node draws it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Sequence

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.exports.document import encode_json, whole_document
from arbiter.records.reader import Record
from arbiter.web.drawings import STATIC, drawing_of
from arbiter.web.flat_colours import flattened
from arbiter.web.modules import HEAD, drawing_script

SECONDS = 60
"""How long node may take."""
_SCRIPT = STATIC / "export-svg.mjs"
_TOKENS = re.compile(r'^:root(?P<dark>\[data-theme="dark"\])? \{(?P<body>[^}]*)\}', re.MULTILINE)
_TERMINAL = (
    ".terminal-board text { font: 14px var(--mono); fill: var(--ink); }",
    ".t-bold { font-weight: 700; } .t-dim { opacity: .62; } .b-reverse { fill: var(--ink); }",
    ".terminal-board .t-reverse { fill: var(--panel); }",
)
_COLOURS = ("red", "green", "yellow", "blue", "magenta", "cyan", "white", "grey", "black")


def svg(record: Record, protocol: Protocol, turn: int, *, theme: str = "light", narrow: bool = False) -> str:
    """Return the position after a turn as SVG. Raises UserError if there is no such turn, or no node."""
    return svgs(record, protocol, [turn], theme=theme, narrow=narrow)[0]


def svgs(
    record: Record, protocol: Protocol, turns: Sequence[int], *, theme: str = "light", narrow: bool = False
) -> list[str]:
    """Return the positions after these turns as SVG, with plain colours, so that other programs than browsers can show them.

    Raises UserError if there is no such turn, or no node.
    """
    document = whole_document(record, protocol)
    if max(turns) > len(document["turns"]):
        raise UserError(f"no turn {max(turns)} in this game; it has {len(document['turns'])} turns")
    asked = {
        "modules": f"{HEAD}{drawing_script(drawing_of(protocol))}export default modules;",
        "theme": theme,
        "narrow": narrow,
        "document": document,
        "turns": turns,
    }
    drawn = json.loads(_run(protocol, encode_json(asked)))
    style = flattened("\n".join((_style(theme), drawn["style"])))
    return [text.replace(drawn["place"], _escaped(style), 1) + "\n" for text in drawn["svgs"]]


def _run(protocol: Protocol, asked: bytes) -> bytes:
    """Have node draw. Raises UserError."""
    try:
        done = subprocess.run([_node(), str(_SCRIPT)], input=asked, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise UserError(f"the drawing of {protocol.name} took more than {SECONDS} s") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace")
        reason = next((line for line in said.splitlines() if re.match(r"\w*Error: ", line)), said.strip()[-300:])
        raise UserError(f"the drawing of {protocol.name} failed: {reason}")
    return done.stdout


def _escaped(css: str) -> str:
    return css.replace("&", "&amp;").replace("<", "&lt;")


def _node() -> str:
    found = shutil.which("node")
    if found is None:
        raise UserError(
            "pictures need node, which runs the drawing: install Node.js, or export a page (.html) for a browser"
        )
    return found


def _style(theme: str) -> str:
    """Return the custom properties of the page in one theme, and the styles of terminal boards."""
    bodies = [
        found["body"]
        for found in _TOKENS.finditer((STATIC / "page.css").read_text(encoding="utf-8"))
        if theme == "dark" or not found["dark"]
    ]
    colours = [
        f".terminal-board .t-{name}:not(.t-reverse) {{ fill: var(--t-{name}); }} .b-{name} {{ fill: var(--t-{name}); }}"
        for name in _COLOURS
    ]
    return "\n".join((f"svg {{{''.join(bodies)}}}", *_TERMINAL, *colours))
