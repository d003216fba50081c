"""The manifest of an agent's folder, ``agent.yaml``: how to build and run the agent, and the settings it asks for."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import check_environment, check_threads, parse_lifetime
from arbiter.config.limits import check_fields
from arbiter.config.plain_data import read_struct
from arbiter.errors import FieldError, in_field, out_of_range
from arbiter.text import safe

MANIFEST = "agent.yaml"
MOST_THREADS = 1024
_MOST_SHOWN = 300
"""The most characters of an error that quotes the file."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of an agent.yaml."""

    run: str | list[str]
    """The command that starts the agent in its folder: a line, or a list of words."""
    name: str = ""
    """What it is called in results; the name of its folder by default."""
    build: str | list[str] = ""
    """The command that builds it, in its folder: run once, and again when the folder changes."""
    lifetime: str = ""
    """How long its process lives: move or game; that of the protocol by default."""
    environment: dict[str, str | int | float] = {}
    """Environment variables."""
    limits: dict[str, str | int] = {}
    """Limits by name, such as ``move: 2s``; they may lower those of the protocol and the organiser, not raise them."""
    threads: int = 1
    """Threads that compute at the same time: it gets more cores if there are idle ones."""
    language: str = ""
    """For lists of agents."""
    author: str = ""
    """For lists of agents."""
    about: str = ""
    """A sentence for lists of agents."""

    def environment_text(self) -> dict[str, str]:
        """Return the environment variables with numbers as text."""
        return {name: str(value) for name, value in self.environment.items()}


def read_manifest(file: Path) -> Manifest:
    """Read an agent.yaml. Raises UserError for YAML errors, unknown fields and invalid settings."""
    from arbiter.agents.prepare.agent_yaml import read_agent_yaml, read_text  # imports YAML, which few agents need
    from arbiter.config.yaml_file import located_errors

    data = read_agent_yaml(file)
    with located_errors(file, read_text):
        try:
            return _manifest(data)
        except FieldError as error:  # which quotes the file
            raise FieldError(safe(str(error), _MOST_SHOWN), *error.path) from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits
            raise FieldError(safe(" ".join(str(error).split()), _MOST_SHOWN)) from None


def _manifest(data: object) -> Manifest:
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
        if manifest.threads > MOST_THREADS:
            raise out_of_range("threads", manifest.threads, 1, MOST_THREADS)
    return manifest
