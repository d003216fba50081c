"""The manifest of an agent's folder, ``agent.yaml``: how to build and run the agent, and the settings it asks for."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arbiter.agents.prepare.agent import check_environment, check_threads, parse_lifetime
from arbiter.config.limits import check_fields
from arbiter.config.plain_data import read_struct
from arbiter.errors import FieldError, UserError, in_field, out_of_range
from arbiter.text import safe
from arbiter.units import show_size

if TYPE_CHECKING:
    from arbiter.config.yaml_file import YamlDocument

MANIFEST = "agent.yaml"
MOST_BYTES = 1 << 15
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


def read_manifest(file: Path) -> tuple[Manifest, YamlDocument]:
    """Read an agent.yaml; return also the document, which has the lines. Raises UserError for YAML errors, unknown fields and
    invalid settings."""
    from arbiter.config.yaml_file import YamlDocument  # imports YAML, which few agents need

    document = YamlDocument(file, read_text(file))
    with document.located_errors():
        try:
            return _manifest(document.data), document
        except FieldError as error:  # which quotes the file
            raise FieldError(safe(str(error), _MOST_SHOWN), *error.path) from None
        except (ValueError, RecursionError) as error:  # a number of thousands of digits
            raise FieldError(safe(" ".join(str(error).split()), _MOST_SHOWN)) from None


def read_text(file: Path) -> str:
    """Return the text of a file in an agent's folder. Raises UserError if it is not a regular file in that folder, too large,
    or not UTF-8; a FIFO or a device is never waited for."""
    folder = os.path.realpath(file.parent)
    if os.path.dirname(os.path.realpath(file)) != folder:
        raise UserError(f"{file}: is a link out of the agent's folder; put the file itself there")
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UserError(f"{file}: must be a regular file")
        data = os.read(descriptor, MOST_BYTES + 1)
    finally:
        os.close(descriptor)
    if len(data) > MOST_BYTES:
        raise UserError(f"{file}: is larger than {show_size(MOST_BYTES)}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{file}: not a text file in UTF-8") from None


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
