"""The manifest of an agent's folder, ``agent.yaml``: how to build and run the agent, and the settings it asks for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import yaml

from arbiter.agents.prepare.agent_settings import check_environment, check_threads, parse_lifetime
from arbiter.errors import FieldError, UserError, in_field
from arbiter.limits import check_fields
from arbiter.plain_data import read_struct
from arbiter.yaml_file import located_errors

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
    """Read an agent.yaml. Raises UserError for YAML errors, unknown fields, and settings that cannot be meant."""
    try:
        data = yaml.safe_load(file.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UserError(
            f"{file}{f', line {mark.line + 1}' if mark else ''}: {error.problem or error.context}"
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"{file}: {' '.join(str(error).split())}") from None
    with located_errors(file):
        return manifest_from(data)


def manifest_from(data: object) -> Manifest:
    """Return the manifest that the contents of an agent.yaml describe. Raises FieldError."""
    if not isinstance(data, dict):
        raise FieldError("must consist of 'name: value' lines, with at least 'run'")
    manifest = read_struct(data, Manifest)
    check_fields(manifest.limits, "limits")
    with in_field("environment"):
        check_environment(manifest.environment_text(), "")
    with in_field("lifetime"):
        parse_lifetime(manifest.lifetime, "")
    with in_field("threads"):
        check_threads(manifest.threads, "")
    return manifest
