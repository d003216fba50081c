"""One game, or one contest, as one HTML file that works from disk, without a network: scripts, styles and data are all inside.

The modules of the page become functions in one inline script, in the order of their imports. The page's content security
policy allows exactly this script and these styles, by their hashes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import re
from pathlib import Path
from typing import Any

from arbiter.game import Protocol
from arbiter.records.exports.document import encode_json, whole_document
from arbiter.records.reader import Record
from arbiter.web.drawings import STATIC, drawing_of
from arbiter.web.stderr_text import has_log, stderr_by_turn

_IMPORT = re.compile(r'^import (?P<names>\{[^}]*\}|\* as \w+) from "\./(?P<file>[\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|function\*?|class) (?P<name>\w+))", re.MULTILINE)
_STYLESHEET = re.compile(r'<link rel="stylesheet" href="/static/([\w.]+)">\n')
_SHARED = "shapes.js"


def page(record: Record, protocol: Protocol, *, with_stderr: bool = True) -> str:
    """Return the file. Raises UserError if the record cannot be replayed.

    It has the log of standard error in it if one was kept, unless the page is for readers who should not see that.
    """
    document = {
        **whole_document(record, protocol),
        "file": record.path.name.encode(errors="surrogateescape").decode(errors="replace"),
        "id": hashlib.sha256(record.path.read_bytes()).hexdigest()[:16],
        "live": False,
        "home": False,
        **({"stderr": stderr_by_turn(record.path)} if with_stderr and has_log(record.path) else {}),
    }
    names = " – ".join(seat["name"][:40] for seat in document["seats"])
    data = {"data": encode_json(document), "record": record.path.read_bytes()}
    return _assemble("game.html", "game.js", names, data, extra=_drawings(protocol))


def contest_page(report: dict[str, Any], title: str) -> str:
    """Return the page of a contest: its agents with their ratings over time, and its games; ``page`` of a game and ``back``,
    the report, are relative addresses."""
    return _assemble("contest.html", "contest-page.js", title[:200], {"data": encode_json(report)})


def _assemble(
    page_name: str, entry: str, title: str, data: dict[str, bytes], extra: dict[str, str] | None = None
) -> str:
    text = _read(STATIC / page_name)
    styles = "\n".join(_read(STATIC / name) for name in _STYLESHEET.findall(text))
    script = bundle(entry, extra=extra) + f'modules["{entry}"].start(modules);\n'
    script = script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    policy = "; ".join(
        (
            "default-src 'none'", f"script-src {_hash(script)}", f"style-src {_hash(styles)}", "img-src data:",
            "base-uri 'none'", "form-action 'none'",
        )
    )  # fmt: skip
    text = _only(text, "<title>arbiter</title>", f"<title>{html.escape(_clean(title))}</title>")
    text = _only(
        text,
        '<meta charset="utf-8">',
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">',
    )
    text = _STYLESHEET.sub("", text)
    text = _only(text, "</head>", f"<style>{styles}</style>\n</head>")
    text = text.replace('<script type="module" src="/static/start.js"></script>\n', "")
    packed = "".join(
        f'<script type="application/octet-stream" id="{name}">{_packed(content)}</script>\n'
        for name, content in data.items()
    )
    return _only(text, "</body>", f'{packed}<script type="module">{script}</script>\n</body>')


def bundle(entry: str, extra: dict[str, str] | None = None) -> str:
    """Return the entry module and everything it imports as one script, which defines ``modules`` by file name."""
    sources: dict[str, str] = {}

    def add(name: str) -> None:
        if name not in sources:
            text = _read(STATIC / name)
            for found in _IMPORT.finditer(text):
                add(found["file"])
            sources[name] = text

    add(entry)
    parts = ["const modules = {};\n"]
    parts += [_as_function(name, text) for name, text in {**(extra or {}), **sources}.items()]
    return "".join(parts)


def _as_function(name: str, text: str) -> str:
    """Wrap a module: its imports become constants, its exports the members of what the function returns."""

    def imported(found: re.Match[str]) -> str:
        names = found["names"].replace("* as ", "").replace(" as ", ": ")
        return f'const {names} = modules["{found["file"]}"];\n'

    exported = [found["name"] for found in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _IMPORT.sub(imported, text))
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(exported)} }};\n}})();\n'


def _drawings(protocol: Protocol) -> dict[str, str]:
    drawing, shared = drawing_of(protocol), STATIC / _SHARED
    if drawing is None:
        return {}
    return {**({_SHARED: _read(shared)} if shared.is_file() else {}), "drawing.js": _read(drawing)}


def _only(text: str, old: str, new: str) -> str:
    before, found, after = text.partition(old)
    if not found:
        raise AssertionError(f"the page has no {old!r}")
    return before + new + after


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def _clean(text: str) -> str:
    """Return text that can be encoded as UTF-8."""
    return text.encode(errors="replace").decode()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
