"""One game, or one contest, as one HTML file that works from disk, without a network: scripts, styles and data are all inside.

The modules of the page become one inline script. The page's content security policy allows exactly this script and these
styles, by their hashes.
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
from arbiter.web.modules import HEAD, drawing_script, script_of
from arbiter.web.stderr_text import has_log, stderr_by_turn

_STYLESHEET = re.compile(r'<link rel="stylesheet" href="/static/([\w.]+)">\n')


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
    return _assemble("game.html", "game.js", names, data, drawing_script(drawing_of(protocol)))


def contest_page(report: dict[str, Any], title: str) -> str:
    """Return the page of a contest: its agents with their ratings over time, and its games; ``page`` of a game and ``back``,
    the report, are relative addresses."""
    return _assemble("contest.html", "contest-page.js", title[:200], {"data": encode_json(report)})


def _assemble(page_name: str, entry: str, title: str, data: dict[str, bytes], drawing: str = "") -> str:
    text = _read(STATIC / page_name)
    styles = "\n".join(_read(STATIC / name) for name in _STYLESHEET.findall(text))
    script = bundle(entry, drawing) + f'modules["{entry}"].start(modules);\n'
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


def bundle(entry: str, drawing: str = "") -> str:
    """Return the entry module and everything it imports as one script, after that of a drawing."""
    return HEAD + drawing + script_of([entry], {path.name: path for path in STATIC.glob("*.js")})


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
