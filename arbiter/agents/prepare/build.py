"""Building agents once: what was built is cached by the content of what it was built from."""

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

from arbiter.agents.prepare.languages import READLINE, Language, find_tool, main_class
from arbiter.errors import UserError

BUILD_SECONDS = 300
_LARGE = 1 << 20
"""Files beyond this (precomputed data, mostly) are told apart by size and time, not content."""
_WORDS_SHOWN = 30
"""Lines of a compiler's complaint that are shown."""


def cache_folder() -> Path:
    """Where builds are kept; may be deleted at any time."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 - may be unset
    return Path(base) / "arbiter" / "builds"


def _make_cache_folder() -> None:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise UserError(
            f"cannot keep builds in {str(folder)!r}: {error.strerror}; set XDG_CACHE_HOME to a folder that can be written"
        ) from None


def command_for(source: Path, language: Language) -> list[str]:
    """The command that runs a source file, after building it if it needs building and is not built yet."""
    words = {"source": str(source), "stem": source.stem, "readline": str(READLINE)}
    if language.build or any("{class}" in word for word in language.run):
        out = _build(source, language)
        words |= {"out": str(out), "program": str(out / "program"), "class": main_class(_text(source)) or "Main"}
    command = _fill(language.run, words, source, language)
    if "{" in language.run[0] and not os.access(command[0], os.X_OK):
        raise UserError(f"{source.name} is {language.name}, whose program {command[0]!r} is not there or cannot be run")
    return command


def _fill(command: Sequence[str], words: dict[str, str], source: Path, language: Language) -> list[str]:
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
    return [_replace(word, words) for word in (first, *rest)]


def _replace(word: str, words: dict[str, str]) -> str:
    for name, value in words.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _build(source: Path, language: Language) -> Path:
    digest = hashlib.sha256(repr((language.build, str(source.name))).encode())
    for path in (source, *_neighbours(source, language)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    tool = find_tool(language.build[0]) if language.build else None
    digest.update(file_print(Path(tool)) if tool else b"")
    done = cache_folder() / f"{source.stem[:40]}-{digest.hexdigest()[:20]}"
    if done.is_dir():
        return done
    _make_cache_folder()
    with tempfile.TemporaryDirectory(dir=done.parent, prefix="building-") as scratch:
        out = Path(scratch) / "out"
        out.mkdir()
        words = {"source": str(source), "out": str(out), "program": str(out / "program")}
        if language.name == "Java":
            words["class_source"] = _named_after_class(source, Path(scratch))
        _compile(_fill(language.build, words, source, language), source.parent, f"{source.name} does not build")
        try:
            out.rename(done)
        except OSError:  # somebody else has built the same at the same time
            if not done.is_dir():
                raise
    return done


def _neighbours(source: Path, language: Language) -> Iterable[Path]:
    near = (path for path in source.parent.iterdir() if path.suffix in language.reads and path != source)
    return sorted(path for path in near if path.is_file())


def _named_after_class(source: Path, scratch: Path) -> str:
    """Java insists that a public class lives in a file of its name: give it one, whatever the file is called."""
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
        raise UserError(f"{failed}: no end after {BUILD_SECONDS} s ({' '.join(command)})") from None
    except OSError as error:
        raise UserError(f"{failed}: {command[0]}: {error.strerror}") from None
    if done.returncode:
        words = done.stdout.decode(errors="replace").strip().splitlines()
        more = [f"… and {len(words) - _WORDS_SHOWN} more lines"] if len(words) > _WORDS_SHOWN else []
        raise UserError("\n".join([f"{failed} (exit code {done.returncode}):", *words[:_WORDS_SHOWN], *more]))


def build_folder(folder: Path, command: Sequence[str]) -> None:
    """Run the build command of an agent's folder, unless nothing it was built from has changed since."""
    stamp = cache_folder() / f"folder-{hashlib.sha256(str(folder).encode()).hexdigest()[:20]}.json"
    if _unchanged(folder, command, _read_stamp(stamp)):
        return
    before = contents_of(folder)
    _make_cache_folder()
    _compile(command, folder, f"{folder.name} does not build")
    after = contents_of(folder)
    products = sorted(set(after) - set(before))
    kept = {name: print_ for name, print_ in before.items() if after.get(name) == print_}
    stamp.write_bytes(msgspec.json.encode({"command": list(command), "inputs": kept, "products": products}))


def _read_stamp(stamp: Path) -> dict[str, object]:
    """What was noted of the last build; nothing if there was none, or the note was cut off."""
    try:
        return msgspec.json.decode(stamp.read_bytes(), type=dict[str, object])
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return {}


def _unchanged(folder: Path, command: Sequence[str], stamp: dict[str, object]) -> bool:
    inputs, products = stamp.get("inputs"), stamp.get("products")
    if stamp.get("command") != list(command) or not isinstance(inputs, dict) or not isinstance(products, list):
        return False
    now = contents_of(folder)
    return all(name in now for name in products) and all(now.get(name) == print_ for name, print_ in inputs.items())


def contents_of(folder: Path) -> dict[str, str]:
    """Every file in a folder and below it, with a hash of it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(file_print(path)).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def file_print(path: Path) -> bytes:
    """What tells a file from others: its content, unless it is too large to read every time."""
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}".encode() if stat.st_size > _LARGE else path.read_bytes()
