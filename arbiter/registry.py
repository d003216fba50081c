"""Finds protocols: those in folders that arbiter.toml names, as the bundled one names the bundled protocols, those of the
libraries that it names, and those installed under the entry-point group ``arbiter.protocols``.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.config.workspace import Workspace, bundled
from arbiter.errors import UserError, nearest, not_installed, unknown
from arbiter.folder_import import import_folder, imported_name
from arbiter.game import GameLibrary, Option, Options, OptionValue, Protocol
from arbiter.text import safe

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

GROUP = "arbiter.protocols"
REFEREE = "referee"
"""The protocol of games that an external program referees. It is not listed, since these games are played with --referee."""


def _bundled_protocols() -> Path:
    return bundled() / "protocols"


def protocol_names(workspace: Workspace) -> list[str]:
    """Return the names of all protocols but those of libraries, sorted. Raises UserError for an unknown one in arbiter.toml without
    a folder."""
    _check_settings(workspace)
    return _known(workspace)


def _known(workspace: Workspace) -> list[str]:
    return sorted({point.name for point in _entry_points()} | set(workspace.protocol_folders()))


def _check_settings(workspace: Workspace) -> None:
    for name in workspace.settings.protocols:
        named = name in _known(workspace) or name in workspace.library_folders()
        if not named and protocol_folder(name, workspace) is None:
            with workspace.located_errors("protocols", name):
                raise unknown("protocol", name, _known(workspace), otherwise='its folder: folder = "…"')


def protocol_folder(name: str, workspace: Workspace) -> Path | None:
    """Return the folder that a protocol is loaded from; None for one that is installed or unknown."""
    if name in _known(workspace):
        return workspace.protocol_folders().get(name)
    libraries = workspace.library_folders()
    return next((libraries[each] for each in libraries if name in library_names(each, workspace)), None)


def library_names(name: str, workspace: Workspace) -> Sequence[str]:
    """Return the names of the protocols of a library, sorted; none if a package that it needs is not installed."""
    folder = workspace.library_folders()[name]
    try:
        found = getattr(import_folder(folder, name), "library", None)
    except ModuleNotFoundError:
        return ()
    except (ImportError, SyntaxError) as error:
        raise _broken(name, folder, error) from error
    if not isinstance(found, GameLibrary):
        raise UserError(f"protocol {name!r}: {folder} defines no `library` of type arbiter.game.GameLibrary")
    return found.names()


def find_protocol(name: str, workspace: Workspace) -> Protocol:
    """Return a protocol by its name. Raises UserError that lists the known names."""
    _check_settings(workspace)
    folder = protocol_folder(name, workspace)
    if folder is not None and not os.path.lexists(folder):
        with workspace.located_errors("protocols", name, "folder"):
            raise UserError(f"protocol {name!r}: no such folder '{folder}'")
    found = load_protocol(name, folder)
    if found is None:
        raise _unknown(name, workspace)
    return found


def _unknown(name: str, workspace: Workspace) -> UserError:
    libraries = workspace.library_folders()
    if name in libraries:
        games = library_names(name, workspace)
        advice = "give the name of one" if games else _needs(name, libraries[name])
        return UserError(f"{name!r} is not a protocol but a library of many: {advice}")
    found = {each: library_names(each, workspace) for each in libraries}
    own = _known(workspace)
    known = [*own, *(game for games in found.values() for game in games)]
    if nearest(name, known):
        return unknown("protocol", name, known)
    if missing := [each for each in libraries if not found[each]]:
        return UserError(
            "; ".join([str(unknown("protocol", name, own)), *(_needs(each, libraries[each]) for each in missing)])
        )
    listed = " or ".join(f"'arbiter protocols {each}'" for each in libraries)
    return unknown("protocol", name, own, otherwise=f"one that {listed} lists" if listed else "")


def _needs(name: str, folder: Path) -> str:
    """Return how to install what a library lacks."""
    try:
        import_folder(folder, name)
    except ModuleNotFoundError as error:
        return not_installed(f"library {name!r}", error.name or name)
    return ""


def load_protocol(name: str, folder: Path | None) -> Protocol | None:
    """Load a protocol from its folder, or the installed one of that name; None if no such protocol is installed."""
    if folder is None and name == REFEREE:
        folder = _bundled_protocols() / REFEREE
    if folder is not None:
        return _from_folder(name, folder)
    for point in _entry_points().select(name=name):
        try:
            loaded = point.load()
        except (ImportError, SyntaxError, AttributeError) as error:
            raise _broken(name, point.value, error) from error
        return _checked(name, point.value, loaded)
    return None


@functools.cache
def _entry_points() -> EntryPoints:
    """Return the installed protocols. Finding them takes reading the metadata of all packages, so a process does it once."""
    from importlib.metadata import entry_points

    return entry_points(group=GROUP)


def _checked(name: str, where: str, loaded: object) -> Protocol:
    if isinstance(loaded, Protocol):
        return loaded
    raise UserError(f"the entry point {where!r} of protocol {name!r} is not a Protocol")


def _from_folder(name: str, folder: Path) -> Protocol:
    init = folder / "__init__.py"
    try:
        exists = init.is_file()
    except OSError as error:
        raise UserError(f"protocol {name!r}: {folder}: {error.strerror}") from None
    if not exists:
        raise UserError(f"protocol {name!r}: {folder} has no __init__.py that defines `protocol`")
    try:
        module = import_folder(folder, name)
    except (ImportError, SyntaxError) as error:
        raise _broken(name, init, error) from error
    library = getattr(module, "library", None)
    loaded = library.find(name) if isinstance(library, GameLibrary) else getattr(module, "protocol", None)
    if not isinstance(loaded, Protocol):
        raise UserError(f"protocol {name!r}: {init} defines no `protocol` of type arbiter.game.Protocol")
    return loaded


def as_protocol_error(error: BaseException) -> UserError | None:
    """Return the error as one line that names the file and line in a third-party protocol; None if the error was raised
    elsewhere."""
    name, where = raised_in_protocol(error)
    return UserError(f"protocol {name!r} failed: {where}") if name else None


def raised_in_protocol(error: BaseException) -> tuple[str, str]:
    """Return the third-party protocol that raised an error, and the file, line and message; empty if none did."""
    import traceback  # only after a mistake

    installed = {point.module.partition(".")[0] for point in _entry_points()}
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        name = package if package in installed else imported_name(package)
        if Path(frame.f_code.co_filename).is_relative_to(_bundled_protocols()):
            break
        if name is not None:
            return name, f"{frame.f_code.co_filename}, line {line}: {type(error).__name__}: {safe(str(error))}"
        # Code of arbiter.game is called by protocols; anything else of the arbiter is not a third-party protocol's fault.
        if package == "arbiter" and not frame.f_globals["__name__"].startswith("arbiter.game"):
            break
    return "", ""


def _broken(name: str, where: object, error: Exception) -> UserError:
    return UserError(f"protocol {name!r}: {where} cannot be loaded: {type(error).__name__}: {error}")


def choose_options(protocol: Protocol, layers: list[tuple[str, dict[str, object]]]) -> dict[str, OptionValue]:
    """Return the value of every option, checked; later layers override earlier ones. Raises UserError."""
    known: dict[str, Option] = {option.name: option for option in protocol.options}
    chosen: dict[str, OptionValue] = {option.name: option.default for option in protocol.options}
    for where, values in layers:
        for name, value in values.items():
            if name not in known:
                raise unknown(f"{protocol.name} option", name, known, where=where)
            try:
                chosen[name] = known[name].check(value)
            except ValueError as error:
                raise UserError(f"{where}: {error}" if where else str(error)) from None
    return chosen


def check_seats(protocol: Protocol, count: int) -> None:
    """Raise UserError unless the protocol can be played by this many agents."""
    fewest, most = protocol.seats
    if not fewest <= count <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise UserError(f"{protocol.title} needs {wanted} agents, not {count}")


__all__ = ["Options", "check_seats", "choose_options", "find_protocol", "load_protocol", "protocol_names"]
