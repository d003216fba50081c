"""Runs commands of the arbiter without importing it for each: a process that has imported it forks for every command."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from tests.nullgame.command import Ran
from tests.tools import ROOT


class ForkServer:
    """A process that runs commands one after the other. Every command has a process, folder and environment of its own."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )  # fmt: skip

    def run(self, words: list[str], folder: Path, environment: Mapping[str, str], typed: str = "") -> Ran:
        """Run ``arbiter WORDS`` to its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with tempfile.TemporaryDirectory() as scratch:
            files = {name: Path(scratch) / name for name in ("in", "out", "err")}
            files["in"].write_text(typed, encoding="utf-8")
            request = {"words": words, "folder": str(folder), "environment": dict(environment),
                       "files": [str(files[name]) for name in ("in", "out", "err")]}  # fmt: skip
            print(json.dumps(request), file=self._process.stdin, flush=True)
            code = int(self._process.stdout.readline())
            raw = files["out"].read_bytes()
            return Ran(code, raw.decode(errors="replace"), files["err"].read_text(errors="replace"), raw)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def serve() -> None:
    """Answer every request on standard input with an exit status."""
    from arbiter.cli import COMMANDS

    for name in COMMANDS:
        importlib.import_module(f"arbiter.cli.{name.replace('-', '_')}")
    importlib.import_module("arbiter.contest.runner")
    importlib.import_module("arbiter.one_game")
    for line in sys.stdin:
        child = os.fork() or _child(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _child(request: Any) -> NoReturn:
    code = 70
    try:
        for target, path in enumerate(request["files"]):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), target)
        sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
        os.chdir(request["folder"])
        os.environ.update(request["environment"])
        sys.argv = ["arbiter", *request["words"]]
        from arbiter.cli import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(bool(end.code))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()
