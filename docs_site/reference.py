"""References of files and documents, from the types that read and write them: the docstring under a field is its meaning."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import msgspec

from arbiter.agents.prepare.manifest import Manifest
from arbiter.author.check_report import CheckReport
from arbiter.author.rerun_report import RerunReport
from arbiter.author.tune_report import TuneReport
from arbiter.author.why_game import GameStory
from arbiter.bench.machine import MachineReport
from arbiter.cli import documents
from arbiter.cli.verify import Verified
from arbiter.cluster.survey import Surveyed
from arbiter.config.workspace import AgentEntry, LanguageEntry, ProtocolEntry, WorkspaceSettings
from arbiter.contest.match_file import MatchFile
from arbiter.contest.report.document import Report
from arbiter.playing.report import PlayReport
from arbiter.records import format as record
from arbiter.records.stats.positions import PositionStats

FILES: dict[str, tuple[str, str, tuple[type, ...]]] = {
    "agent-yaml": ("agent.yaml", "The card of an agent, in its folder.", (Manifest,)),
    "arbiter-toml": (
        "arbiter.toml",
        "Defaults and named agents of a folder and everything below it.",
        (WorkspaceSettings, AgentEntry, ProtocolEntry, LanguageEntry),
    ),
    "match-files": (
        "Match files",
        "A contest in YAML. [Contests](../contests.md) explains the keys with examples.",
        (MatchFile,),
    ),
    "record": (
        "The record",
        "A saved game: one JSON object per line. The first is the header, the last the result; in between, one per answer.",
        (record.Header, record.SeatInfo, record.AnswerLine, record.FaultInfo, record.ResultLine, record.AnnulledLine),
    ),
}
"""Files that people and programs read and write."""
DOCUMENTS: dict[str, tuple[type, ...]] = {
    "play": (PlayReport, documents.Explanation),
    "match": (Report,),
    "tournament": (Report,),
    "run": (Report,),
    "standings": (Report,),
    "check": (CheckReport,),
    "rerun": (RerunReport,),
    "why": (GameStory, documents.Losses),
    "tune": (TuneReport,),
    "games": (documents.Games, documents.Statistics, PositionStats),
    "show": (documents.ShownGame, documents.ShownStderr),
    "verify": (Verified,),
    "archive": (documents.Packed, documents.PackedSizes, documents.Unpacked, documents.PruneResult),
    "protocols": (documents.ProtocolFacts,),
    "doctor": (documents.Machine, MachineReport),
    "cluster": (Surveyed,),
}
"""What commands print with ``--json``: one of these, by what was asked for."""
_ABOUT = {
    "play": "What `arbiter play --json` prints, with `--explain` instead of playing an Explanation; and what `arbiter.play` returns.",
    "match": "What `arbiter match`, `tournament`, `run` and `standings` print, and what `arbiter.run` returns.",
    "games": "What `arbiter games --json` prints; with `--stats` and `--position`, Statistics and PositionStats.",
    "archive": "What `arbiter archive pack --json`, with `--sizes` PackedSizes, `unpack` and `prune` print.",
    "doctor": "What `arbiter doctor --json` prints; with `--bench`, a MachineReport.",
    "cluster": "What `arbiter cluster doctor --json` prints: a list of these.",
}
_PAGES = {"tournament": "match", "run": "match", "standings": "match"}
"""Commands that print the same as another."""
_CONTEST = "Contests as JSON"


def reference_pages() -> dict[str, str]:
    """Return the pages by their path in the site."""
    pages = {f"reference/{name}.md": _page(*entry) for name, entry in FILES.items()}
    for command, roots in DOCUMENTS.items():
        if command not in _PAGES:
            title = _CONTEST if command == "match" else f"{command} --json"
            about = _ABOUT.get(command, f"What `arbiter {command} --json` prints.")
            pages[document_page(command)] = _page(title, about, types_in(roots))
    return pages


def document_page(command: str) -> str:
    """Return the path of the page about the documents of a command."""
    name = _PAGES.get(command, command)
    return f"reference/{'contest' if name == 'match' else name}-json.md"


def types_in(roots: tuple[type, ...]) -> tuple[type, ...]:
    """Return these types and all that their fields are made of, each once."""
    found: dict[type, None] = {}

    def visit(kind: Any) -> None:
        for inner in get_args(kind):
            visit(inner)
        if _has_fields(kind) and kind not in found:
            found[kind] = None
            for hint in get_type_hints(kind).values():
                visit(hint)

    for root in roots:
        visit(root)
    return tuple(found)


def _has_fields(kind: Any) -> bool:
    return inspect.isclass(kind) and (issubclass(kind, msgspec.Struct) or dataclasses.is_dataclass(kind))


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
    """Yield the fields of a struct or dataclass: key, type, default and docstring, as they are written in its source."""
    if issubclass(kind, msgspec.Struct):
        keys = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    else:
        keys = {each.name: each.name for each in dataclasses.fields(kind)}  # type: ignore[arg-type]
    for owner in reversed(kind.__mro__):
        for name, *about in _written_fields(owner) if _has_fields(owner) and owner is not msgspec.Struct else ():
            if name in keys:
                annotation, default, meaning = about
                yield keys[name], annotation, "" if "UNSET" in default else default, meaning


def _written_fields(kind: type) -> Iterator[tuple[str, str, str, str]]:
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    for item, after in zip(body.body, [*body.body[1:], None], strict=True):
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            default = ast.unparse(item.value) if item.value else ""
            annotation, description = _plain(item.annotation)
            written = ast.unparse(annotation).replace(" | msgspec.UnsetType", "")
            yield item.target.id, written, default, _docstring(after) or description


def _plain(annotation: ast.expr) -> tuple[ast.expr, str]:
    """Return an annotation without what ``Annotated`` adds, and the description among that, if there is one."""
    if not (isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated"):
        return annotation, ""
    assert isinstance(annotation.slice, ast.Tuple)
    kind, meta = annotation.slice.elts
    assert isinstance(meta, ast.Call)
    descriptions = [ast.literal_eval(word.value) for word in meta.keywords if word.arg == "description"]
    return kind, "".join(descriptions)


def _docstring(after: Any) -> str:
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
        return inspect.cleandoc(after.value.value)
    return ""
