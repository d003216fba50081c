"""Hooks of mkdocs: add the generated pages, and make links of the repository into links of the site."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
STYLE = "style.css"
sys.path.insert(0, str(ROOT))  # hooks are run as files

from docs_site.commands import command_pages  # noqa: E402
from docs_site.python_api import python_pages  # noqa: E402
from docs_site.reference import reference_pages  # noqa: E402

_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def pages() -> dict[str, str]:
    """Return every page that is not a file in docs/, by its path in the site."""
    games = {path.parent.name: path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("protocols/*/README.md"))}
    home = (ROOT / "README.md").read_text(encoding="utf-8")
    return {
        "index.md": relinked(home, ""),
        **{f"games/{name}.md": relinked(text, f"protocols/{name}") for name, text in games.items()},
        **command_pages(),
        **reference_pages(),
        **python_pages(),
    }


def navigation() -> list[Any]:
    """Return all pages in the order of the menu: first those in the README's table of the documentation, as it groups them."""
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("## Documentation")[1]
    rows = re.findall(r"^\| (\w[^|]*) \| (.*) \|$", table, re.MULTILINE)
    written: list[Any] = [{title: re.findall(r"\(docs/([\w-]+\.md)\)", links)} for title, links in rows]
    groups = {"Games": "games/", "Commands": "commands/", "Reference": "reference/"}
    generated = list(pages())
    return [
        "index.md",
        *written,
        *({title: [path for path in generated if path.startswith(folder)]} for title, folder in groups.items()),
    ]


def on_config(config: Any) -> Any:
    """Set the order of the pages."""
    config["nav"] = navigation()
    return config


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages, and a style sheet."""
    from mkdocs.structure.files import File

    for path, text in {**pages(), STYLE: (HERE / STYLE).read_text(encoding="utf-8")}.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links from docs/ to files elsewhere in the repository into links of the site, or plain text."""
    path = page.file.src_uri
    return relinked(markdown, "docs") if "/" not in path and path != "index.md" else markdown


def relinked(text: str, folder: str) -> str:
    """Return a page of a folder of the repository with links that work in the site."""
    return _LINK.sub(lambda found: _link(*found.groups(), folder), text)


def _link(image: str, label: str, target: str, anchor: str | None, folder: str) -> str:
    if "://" in target or target.startswith("mailto:"):
        return f"{image}[{label}]({target}{anchor or ''})"
    path = (ROOT / folder / target).resolve()
    place = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    up = "../" if folder.startswith("protocols") else ""
    if place.startswith("docs/"):
        return f"{image}[{label}]({up}{place.removeprefix('docs/')}{anchor or ''})"
    if found := re.fullmatch(r"protocols/(\w+)(/README\.md)?", place):
        return f"[{label}]({up}games/{found[1]}.md{anchor or ''})"
    return label  # a file of the repository that is not a page
