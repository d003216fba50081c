"""The manifest of an agent's folder, ``agent.yaml``: how to build and run the agent, and the settings it asks for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import yaml

from arbiter.agents.prepare.agent_settings import check_environment
from arbiter.errors import UserError
from arbiter.limits import check_names

MANIFEST = "agent.yaml"


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
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
        manifest = msgspec.convert(data, Manifest)
    except (yaml.YAMLError, ValueError, msgspec.ValidationError, RecursionError) as error:
        raise UserError(f"{file}: {' '.join(str(error).split())}") from None
    check_names(manifest.limits, str(file))
    check_environment(manifest.environment_text(), str(file))
    return manifest
