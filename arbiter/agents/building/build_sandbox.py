"""The sandbox of one build: the inputs are copied in, the build command runs, the result is copied out."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from arbiter.agents.building import archive, toolchain
from arbiter.agents.building.failure import failed
from arbiter.agents.building.run import Output, StepResult, run_step
from arbiter.agents.prepare.build import OUT, SOURCE, Build
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox import own_folder
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.config.limits import Limits
from arbiter.errors import UserError
from arbiter.text import safe

_MOST_OUTPUT = 64 << 20
_MEMBER_BYTES = 1024
"""Bytes that a file in an archive takes in addition to its content: header and padding."""


@contextlib.contextmanager
def build_errors(build: Build) -> Iterator[None]:
    """Add what was being built to a UserError raised inside this context."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{build.title} cannot be built: {error}") from None


class BuildSandbox:
    """Where one agent is built: a sandbox, or a temporary folder at level ``none``."""

    def __init__(self, level: Level, build: Build, limits: Limits) -> None:
        self._build, self._limits = build, limits
        self._tools = toolchain.tools_for(build.tools)
        self._sandbox = Sandbox(level, toolchain.visible_toolchain(self._tools), limits) if level != "none" else None
        self._folder = self._sandbox.folder if self._sandbox else own_folder.make(())

    def __enter__(self) -> BuildSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        if self._sandbox:
            self._sandbox.close()
        else:
            own_folder.remove(self._folder)

    def copy_in(self, inputs: Sequence[archive.Input], sources: str, spool: Path) -> None:
        """Copy the inputs to where they are built. Raises UserError."""
        if self._sandbox:
            self._start_sandbox(self._sandbox)
        with tempfile.TemporaryFile(dir=spool) as packed, build_errors(self._build):
            try:
                found = archive.pack_inputs(inputs, SOURCE, (SOURCE, OUT, "tmp", "home"), packed)
            except OSError as error:
                raise UserError(f"{error.strerror or error}") from None
            if found != sources:
                raise UserError("its files have changed meanwhile; try again")
            words = (_tar(), "-x", "-m", "--no-same-owner", "--no-same-permissions", "-f", "-")
            printed = Output()
            outcome = self._run(words, self._folder, packed.fileno(), printed)
            if not outcome.good:
                raise UserError(f"its files cannot be copied: {safe(printed.kept.decode(errors='replace'))}")

    def build(self, origin: Path | None) -> None:
        """Run the build command. Raises UserError with what it printed."""
        command, extra = self._build.command, self._build.extra
        outcome, printed = self._run_build((*command, *extra))
        if extra and outcome.ended == "exited" and not outcome.good:
            outcome, printed = self._run_build(command)
        if not outcome.good:
            raise failed(self._build, origin, outcome, printed, self._limits)

    def _run_build(self, words: Sequence[str]) -> tuple[StepResult, Output]:
        printed = Output()
        with Path(os.devnull).open("rb") as null:
            return self._run(words, f"{self._folder}/{SOURCE}", null.fileno(), printed), printed

    def copy_out(self, result: IO[bytes]) -> None:
        """Write the result as an archive. Everything that the build has started is dead by now. Raises UserError."""
        made = OUT if self._build.alone else SOURCE
        words = (_tar(), "-c", "-f", "-", "-C", made, ".")
        with Path(os.devnull).open("rb") as null, build_errors(self._build):
            outcome = self._run(words, self._folder, null.fileno(), result, errors_too=False)
            if outcome.ended == "flooded":
                raise UserError("its result is too large")
            if not outcome.good:
                raise UserError(
                    "its result cannot be read: it has files that it may not read itself, or breaks its sandbox"
                )

    def begin_close(self) -> None:
        """Start to remove the sandbox, without waiting for it."""
        if self._sandbox:
            self._sandbox.begin_close()

    def _run(
        self, words: Sequence[str], folder: str, stdin: int, sink: Output | IO[bytes], *, errors_too: bool = True
    ) -> StepResult:
        launch = Launch(words, folder, toolchain.environment(self._tools, self._folder))
        most = _MOST_OUTPUT if errors_too else archive.MOST_BYTES + archive.MOST_FILES * _MEMBER_BYTES
        try:
            return run_step(
                launch,
                self._limits,
                self._sandbox,
                stdin=stdin,
                stdout=sink.write,
                most_bytes=most,
                errors_too=errors_too,
            )
        except OSError as error:
            raise UserError(f"{self._build.title} does not build: {words[0]}: {error.strerror}") from None

    def _start_sandbox(self, sandbox: Sandbox) -> None:
        try:
            sandbox.prepare()
        except BoxFailed as failure:
            raise UserError(f"{self._build.title} cannot be built: {failure}") from None


def _tar() -> str:
    found = shutil.which("tar")
    if found is None:
        raise UserError("tar is not installed; it copies files in and out of the sandbox")
    return found
