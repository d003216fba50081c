"""The manifest of an agent's folder, ``agent.yaml``: how to build and run the agent, and the settings it asks for."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent_settings import check_environment
from arbiter.agents.prepare.card import read_card
from arbiter.errors import UserError, out_of_range
from arbiter.limits import check_names
from arbiter.text import safe

MANIFEST = "agent.yaml"
MOST_THREADS = 1024


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an agent.yaml."""

    run: str | list[str]
    name: str = ""
    build: str | list[str] = ""
    lifetime: str = ""
    environment: dict[str, str | int | float] = {}
    limits: dict[str, str | int] = {}
    threads: int = 1
    language: str = ""
    author: str = ""
    about: str = ""

    def environment_text(self) -> dict[str, str]:
        """Return the environment variables with numbers as text."""
        return {name: str(value) for name, value in self.environment.items()}


def read_manifest(file: Path) -> Manifest:
    """Read an agent.yaml. Raises UserError for YAML errors, unknown fields, and limits or variables that cannot be set."""
    data = read_card(file)
    try:
        manifest = msgspec.convert(data, Manifest)
        environment = manifest.environment_text()
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise UserError(f"{file}: {safe(' '.join(str(error).split()))}") from None
    if manifest.threads > MOST_THREADS:
        raise out_of_range(f"{file}: threads", manifest.threads, 1, MOST_THREADS)
    check_names(manifest.limits, str(file))
    check_environment(environment, str(file))
    return manifest
