"""The files of a starter: the program, agent.yaml and README.md."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from arbiter.errors import UserError, unknown
from arbiter.game import Protocol
from arbiter.starters.description import Description
from arbiter.starters.languages import ALIASES, LANGUAGES
from arbiter.starters.languages.base import SourceWriter
from arbiter.starters.wire_file import WIRE_FILE, read_description

_FILES = Path(__file__).parent / "files"


def find_language(name: str) -> SourceWriter:
    """Return a language by its name, in upper or lower case. Raises UserError that lists the known names."""
    lower = name.lower()
    found = LANGUAGES.get(ALIASES.get(lower, lower))
    if found is None:
        raise unknown("language", name, LANGUAGES)
    return found


def description_of(protocol: Protocol) -> Description:
    """Return the description in the protocol's folder. Raises UserError if there is none."""
    module = sys.modules.get(type(protocol).__module__)
    file = Path(module.__file__).parent / WIRE_FILE if module and module.__file__ else None
    if file is None or not file.is_file():
        where = f" in {file.parent}" if file else ""
        raise UserError(f"protocol {protocol.name!r} has no {WIRE_FILE}{where}, from which starters are generated")
    return read_description(file)


def starter(protocol: Protocol, language: SourceWriter, opponents: str) -> Mapping[str, str]:
    """Return the files of a starter, by name. ``opponents`` are the opponents in the example commands."""
    wire = description_of(protocol)
    return {
        **program(wire, language, protocol.title),
        "README.md": _readme(protocol, language, wire, opponents),
        **({".gitignore": "".join(f"/{each}\n" for each in language.products)} if language.products else {}),
    }


def program(wire: Description, language: SourceWriter, title: str) -> Mapping[str, str]:
    """Return the files needed to build and run an agent: its sources and agent.yaml. The first is the one to edit."""
    files = {language.file: language.program(wire, title)}
    if language.json_file and wire.format != "words":
        files[language.json_file] = (_FILES / language.json_file).read_text(encoding="utf-8")
    lines = [f"language: {_yaml(language.title)}", f"about: {_yaml(f'a first agent for {title}')}"]
    lines += [f"build: {language.build.format(sources=' '.join(files))}"] if language.build else []
    files["agent.yaml"] = "\n".join([*lines, f"run: {language.run}"]) + "\n"
    return files


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write the files to a folder that is new, or empty except for ``.git``. Raises UserError."""
    exists = folder.exists()
    try:
        if folder.is_dir() and any(each.name != ".git" for each in folder.iterdir()):
            raise UserError(f"the directory {str(folder)!r} is not empty; name a new one")
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)
    except OSError as error:
        if not exists:  # half a project would keep the same command from being tried again
            shutil.rmtree(folder, ignore_errors=True)
        raise UserError(f"cannot write to {str(folder)!r}: {error.strerror}; name another directory") from None


def _yaml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _readme(protocol: Protocol, language: SourceWriter, wire: Description, opponents: str) -> str:
    choose = "Choose" if language.key == "csharp" else "choose"
    limit = protocol.limits.get("move", "")
    lives = "is started again for every move" if protocol.lifetime == "move" else "is started once per game"
    lines = [
        f"# An agent for {protocol.title} in {language.title}",
        "",
        f"It reads all of its input into `{wire.root.name}` and answers by a simple plan. Your part is the function `{choose}`",
        f"in `{language.file}`, at the line with THINK HERE.",
        "",
        f"    arbiter play {protocol.name} . {opponents}",
        f"    arbiter play {protocol.name} . {opponents} --games 10 --quiet",
        f"    arbiter check {protocol.name} .",
        f"    arbiter protocols {protocol.name}",
        "",
        "Run these commands in this directory. The first plays a game, the second ten games with rotating seats. The third",
        "checks the agent before you submit it to a contest. The last shows options, limits and where to find the rules.",
        "",
        f"- The program {lives}" + (f" and has {limit} for each answer." if limit else "."),
        "- Standard output is for answers only; it is flushed after each answer.",
        "- A line on standard error that starts with `kibitz ` is shown to spectators next to the move.",
        "- `agent.yaml` says how the agent is " + ("built and run." if language.build else "run."),
    ]
    return "\n".join(lines) + "\n"
