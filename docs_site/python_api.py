"""The functions for Python programs, from their signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import arbiter
from arbiter.records.reader import Record

FUNCTIONS: dict[str, Callable[..., Any]] = {"play": arbiter.play, "run": arbiter.run, "load": arbiter.load}
_PARAMETER = re.compile(r"^:param (\w+): (.*?)(?=^:|\Z)", re.MULTILINE | re.DOTALL)


def python_pages() -> dict[str, str]:
    """Return the page by its path in the site."""
    parts = ["# Functions and classes", "What `import arbiter` offers. [From Python](../python-api.md) has examples."]
    for name, function in FUNCTIONS.items():
        parts += [f"## arbiter.{name}", *_function(name, function)]
    parts += ["## arbiter.Record", inspect.cleandoc(Record.__doc__ or ""), "\n".join(_members(Record))]
    parts += [
        "## Reports",
        "`arbiter.PlayReport` and `arbiter.GameSummary` have the fields in [play --json](play-json.md), `arbiter.Report` "
        "those in [Contests as JSON](contest-json.md). `arbiter.UserError` is a mistake of the caller, with a message "
        "of one line; `arbiter.__version__` is the version.",
    ]
    return {"reference/python.md": "\n\n".join(parts) + "\n"}


def _function(name: str, function: Callable[..., Any]) -> Iterator[str]:
    signature = inspect.signature(function)
    text = inspect.cleandoc(function.__doc__ or "")
    meanings = {found[1]: " ".join(found[2].split()) for found in _PARAMETER.finditer(text)}
    required = [each.name for each in signature.parameters.values() if each.default is inspect.Parameter.empty]
    yield f"    arbiter.{name}({', '.join([*required, '…'] if len(signature.parameters) > len(required) else required)}) -> {signature.return_annotation}"
    yield text.split("\n\n")[0]
    rows = ["| parameter | type | default | meaning |", "|---|---|---|---|"]
    for each in signature.parameters.values():
        default = "" if each.default is inspect.Parameter.empty else f"`{each.default!r}`"
        kind = str(each.annotation).replace("|", "or")
        rows.append(f"| `{each.name}` | `{kind}` | {default} | {_markdown(meanings[each.name])} |")
    yield "\n".join(rows)
    raises = re.search(r"^:raises (\w+): (.*)", text, re.MULTILINE | re.DOTALL)
    if raises:
        yield f"Raises `{raises[1]}` {_markdown(' '.join(raises[2].split()))}"


def _members(kind: type) -> Iterator[str]:
    from docs_site.reference import fields_of

    yield from ("| attribute | type | meaning |", "|---|---|---|")
    for name, annotation, _, meaning in fields_of(kind):
        yield f"| `{name}` | `{annotation.replace('|', 'or')}` | {_markdown(meaning)} |"
    for name, member in vars(kind).items():
        if name.startswith("_") or not (inspect.isfunction(member) or isinstance(member, property)):
            continue
        getter = member.fget if isinstance(member, property) else member
        call = name if isinstance(member, property) else f"{name}()"
        result = str(inspect.signature(getter).return_annotation).replace("|", "or") if getter else ""
        yield f"| `{call}` | `{result}` | {_markdown(inspect.getdoc(member) or '')} |"


def _markdown(text: str) -> str:
    """Return a sentence of a docstring in Markdown, without the roles of its references."""
    return re.sub(r":\w+:`([^`]+)`", r"`\1`", " ".join(text.split())).replace("``", "`").replace("|", chr(92) + "|")
