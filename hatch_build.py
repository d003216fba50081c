"""Project URLs of a wheel: the public address of the repository that it was built from, with its pages.

They are read from the remote ``origin`` of the checkout, so a wheel built from a fork names the fork. A source distribution
keeps those it was made with. Without a public remote there are none.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_PAGES = {"Documentation": "tree/HEAD/docs", "Changelog": "blob/HEAD/CHANGELOG.md", "Issues": "issues"}
"""Pages that the usual hosts of git repositories have."""
# Neither a path of the machine that builds, nor the name and password that a remote may contain.
_HTTP = re.compile(r"https?://(?:[^/@]*@)?(?P<place>[^/@]+\.[^/@]+/.+?)(?:\.git)?/?")
_SSH = re.compile(r"(?:ssh://)?(?:[^/@]+@)(?P<host>[^/@:]+\.[^/@:]+)(?::\d+/|[:/])(?P<path>.+?)(?:\.git)?/?")


class ProjectUrls(MetadataHookInterface):
    """Adds the URLs to the metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set ``urls`` unless they are known."""
        if "urls" not in metadata:  # else hatchling knows them from the PKG-INFO of a source distribution
            metadata["urls"] = urls(_origin(self.root))


def urls(remote: str) -> dict[str, str]:
    """Return the project URLs for the address of a git remote; none if it is not that of a public host."""
    if found := _HTTP.fullmatch(remote):
        source = f"https://{found['place']}"
    elif found := _SSH.fullmatch(remote):
        source = f"https://{found['host']}/{found['path']}"
    else:
        return {}
    return {"Source": source} | {name: f"{source}/{page}" for name, page in _PAGES.items()}


def _origin(folder: str) -> str:
    """Return the remote that the checkout was cloned from; empty if there is none."""
    if not (Path(folder) / ".git").exists():  # copied into another repository, which is not ours
        return ""
    command = ["git", "-C", folder, "config", "remote.origin.url"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git
        return ""
