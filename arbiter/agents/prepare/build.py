"""Build agents, each once: builds are cached by the content of the files they were made from."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare.java import main_class
from arbiter.agents.prepare.languages import READLINE, Language, find_tool
from arbiter.errors import UserError

BUILD_SECONDS = 300
_HASHED_BYTES = 1 << 20
"""Larger files (precomputed data, mostly) are compared by size and modification time instead of content."""
_OUTPUT_LINES = 30
"""Lines of a compiler's output that an error message shows."""


def cache_folder() -> Path:
    """Return the folder of the build cache, which may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - HOME may be unset
    return Path(base) / "arbiter" / "builds"


def _make_cache_folder() -> None:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise UserError(
            f"cannot cache builds in {str(folder)!r}: {error.strerror}; set XDG_CACHE_HOME to a writable folder"
        ) from None


def command_for(source: Path, language: Language) -> list[str]:
    """Return the command that runs a source file. Builds it first, unless it needs no build or is in the cache."""
    placeholders = {"source": str(source), "stem": source.stem, "readline": str(READLINE)}
    if language.build or any("{class}" in word for word in language.run):
        out = _build(source, language)
        placeholders |= {"out": str(out), "program": str(out / "program"), "class": main_class(_text(source)) or "Main"}
    command = _fill(language.run, placeholders, source, language)
    if "{" in language.run[0] and not os.access(command[0], os.X_OK):
        raise UserError(
            f"{source.name} is {language.name}: its program {command[0]!r} does not exist or is not executable"
        )
    return command


def _fill(command: Sequence[str], placeholders: dict[str, str], source: Path, language: Language) -> list[str]:
    first, *rest = command
    if "{" not in first:
        tool = find_tool(first)
        if tool is None:
            wanted = language.needs or first.replace("|", " or ")
            raise UserError(
                f"{source.name} is {language.name} and needs {wanted}, which is not installed "
                f"(or set another command under [languages] in arbiter.toml)"
            )
        first = tool
    return [_replace(word, placeholders) for word in (first, *rest)]


def _replace(word: str, placeholders: dict[str, str]) -> str:
    for name, value in placeholders.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _build(source: Path, language: Language) -> Path:
    digest = hashlib.sha256(repr((language.build, str(source.name))).encode())
    for path in (source, *_neighbours(source, language)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    tool = find_tool(language.build[0]) if language.build else None
    digest.update(identifying_bytes(Path(tool)) if tool else b"")
    done = cache_folder() / f"{source.stem[:40]}-{digest.hexdigest()[:20]}"
    if done.is_dir():
        return done
    _make_cache_folder()
    with tempfile.TemporaryDirectory(dir=done.parent, prefix="building-") as scratch:
        out = Path(scratch) / "out"
        out.mkdir()
        placeholders = {"source": str(source), "out": str(out), "program": str(out / "program")}
        if language.name == "Java":
            placeholders["class_source"] = _named_after_class(source, Path(scratch))
        _compile(_fill(language.build, placeholders, source, language), source.parent, f"{source.name} does not build")
        try:
            out.rename(done)
        except OSError:  # another arbiter has built the same at the same time
            if not done.is_dir():
                raise
    return done


def _neighbours(source: Path, language: Language) -> Iterable[Path]:
    near = (path for path in source.parent.iterdir() if path.suffix in language.reads and path != source)
    return sorted(path for path in near if path.is_file())


def _named_after_class(source: Path, scratch: Path) -> str:
    """Copy a Java source to a file named after its public class, as javac requires."""
    name = main_class(_text(source))
    if name is None:
        raise UserError(f"{source.name} has no class with a main method")
    copy = scratch / f"{name.rsplit('.', 1)[-1]}.java"
    shutil.copyfile(source, copy)
    return str(copy)


def _text(source: Path) -> str:
    return source.read_text(encoding="utf-8", errors="replace")


def _compile(command: Sequence[str], folder: Path, failed: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=BUILD_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise UserError(f"{failed}: timed out after {BUILD_SECONDS} s ({' '.join(command)})") from None
    except OSError as error:
        raise UserError(f"{failed}: {command[0]}: {error.strerror}") from None
    if done.returncode:
        output = done.stdout.decode(errors="replace").strip().splitlines()
        more = [f"… and {len(output) - _OUTPUT_LINES} more lines"] if len(output) > _OUTPUT_LINES else []
        raise UserError("\n".join([f"{failed} (exit status {done.returncode}):", *output[:_OUTPUT_LINES], *more]))


def build_folder(folder: Path, command: Sequence[str]) -> None:
    """Run the build command of an agent's folder, unless nothing that went into the last build has changed."""
    stamp = cache_folder() / f"folder-{hashlib.sha256(str(folder).encode()).hexdigest()[:20]}.json"
    if _unchanged(folder, command, _read_stamp(stamp)):
        return
    before = file_hashes(folder)
    _make_cache_folder()
    _compile(command, folder, f"{folder.name} does not build")
    after = file_hashes(folder)
    products = sorted(set(after) - set(before))
    inputs = {name: hashed for name, hashed in before.items() if after.get(name) == hashed}
    stamp.write_bytes(msgspec.json.encode({"command": list(command), "inputs": inputs, "products": products}))


def _read_stamp(stamp: Path) -> dict[str, object]:
    """Return what was saved about the last build; empty if there was none, or the file is incomplete."""
    try:
        return msgspec.json.decode(stamp.read_bytes(), type=dict[str, object])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _unchanged(folder: Path, command: Sequence[str], stamp: dict[str, object]) -> bool:
    inputs, products = stamp.get("inputs"), stamp.get("products")
    if stamp.get("command") != list(command) or not isinstance(inputs, dict) or not isinstance(products, list):
        return False
    now = file_hashes(folder)
    return all(name in now for name in products) and all(now.get(name) == hashed for name, hashed in inputs.items())


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder and its subfolders, by relative path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(identifying_bytes(path)).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def identifying_bytes(path: Path) -> bytes:
    """Return the content of a file, or its size and modification time if it is too large to read every time."""
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}".encode() if stat.st_size > _HASHED_BYTES else path.read_bytes()
