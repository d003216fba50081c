"""References of files and documents, from the types that read and write them: the docstring under a field is its meaning."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

from arbiter.agents.prepare.manifest import Manifest
from arbiter.contest.match_keys import MatchFile
from arbiter.contest.report import document
from arbiter.game_settings import GameSettings
from arbiter.records import format as record
from arbiter.report import FaultReport, GameReport, PlayReport, Total
from arbiter.workspace import AgentEntry, LanguageEntry, ProtocolEntry, Settings

FILES: dict[str, tuple[str, str, tuple[type, ...]]] = {
    "agent-yaml": ("agent.yaml", "The card of an agent, in its folder.", (Manifest,)),
    "arbiter-toml": (
        "arbiter.toml",
        "Defaults and named agents of a folder and everything below it.",
        (Settings, AgentEntry, ProtocolEntry, LanguageEntry),
    ),
    "match-files": (
        "Match files",
        "A contest in YAML. [Contests](../contests.md) explains the keys with examples.",
        (MatchFile, GameSettings),
    ),
    "record": (
        "The record",
        "A saved game: one JSON object per line. The first is the header, the last the result; in between, one per answer.",
        (record.Header, record.SeatInfo, record.AnswerLine, record.FaultInfo, record.ResultLine, record.AnnulledLine),
    ),
    "play-json": (
        "play --json",
        "What `arbiter play --json` prints, and what `arbiter.play` returns.",
        (PlayReport, GameReport, FaultReport, Total),
    ),
    "contest-json": (
        "Contests as JSON",
        "What `arbiter match`, `tournament`, `run` and `standings` print with `--format json`, and what `arbiter.run` returns.",
        tuple(
            each for each in vars(document).values() if inspect.isclass(each) and each.__module__ == document.__name__
        ),
    ),
}


def reference_pages() -> dict[str, str]:
    """Return the pages by their path in the site."""
    return {f"reference/{name}.md": _page(*entry) for name, entry in FILES.items()}


def _page(title: str, about: str, types: tuple[type, ...]) -> str:
    parts = [f"# {title}", about]
    for each in types:
        parts += [f"## {each.__name__}", inspect.cleandoc(each.__doc__ or ""), "\n".join(_table(each))]
    return "\n\n".join(parts) + "\n"


def _table(kind: type) -> Iterator[str]:
    yield from ("| key | type | default | meaning |", "|---|---|---|---|")
    for name, annotation, default, meaning in fields_of(kind):
        shown = f"`{default}`" if default else ""
        yield f"| `{name}` | `{annotation.replace('|', 'or')}` | {shown} | {' '.join(meaning.split()).replace('|', chr(92) + '|')} |"


def fields_of(kind: type) -> Iterator[tuple[str, str, str, str]]:
    """Yield the fields of a struct or dataclass: name, type, default and docstring, as they are written in its source."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    for item, after in zip(body.body, [*body.body[1:], None], strict=True):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            default = ast.unparse(item.value) if item.value else ""
            annotation, description = _plain(item.annotation)
            yield item.target.id, ast.unparse(annotation), default, _docstring(after) or description


def _plain(annotation: ast.expr) -> tuple[ast.expr, str]:
    """Return an annotation without what ``Annotated`` adds, and the description among that."""
    if not (isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated"):
        return annotation, ""
    assert isinstance(annotation.slice, ast.Tuple)
    kind, meta = annotation.slice.elts
    assert isinstance(meta, ast.Call)
    (description,) = (word.value for word in meta.keywords if word.arg == "description")
    return kind, str(ast.literal_eval(description))


def _docstring(after: Any) -> str:
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
        return inspect.cleandoc(after.value.value)
    return ""
