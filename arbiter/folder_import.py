"""Imports a Python package from a folder of any name, even if other packages have the same name.

Two protocols may both be in a folder called ``game`` and both have a ``rules.py``, and a package of that name may be installed
as well. So each folder becomes a package with a unique name, and ``import`` statements in its modules are resolved for that
folder:

    from .rules import Board          relative: as in every package
    from game.rules import Board      absolute, by the name of the folder (or of the protocol): this folder
    from rules import Board           by the name of a module in the folder: that module

Names of the standard library always refer to the standard library. Everything else is imported as usual.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

PREFIX = "arbiter_protocol_"
"""The prefix of packages that were imported from a folder."""
_NAME = "__arbiter_name__"
"""The attribute of such a package with the name under which it was requested."""


def import_folder(folder: Path, name: str) -> ModuleType:
    """Import the package in ``folder``, which has an ``__init__.py``, or return it if it is already imported.

    Absolute imports may use ``name`` or the name of the folder. Raises what its modules raise.
    """
    place = folder.resolve()
    package = f"{PREFIX}{re.sub(r'[^0-9A-Za-z_]', '_', name)}_{sha256(str(place).encode()).hexdigest()[:8]}"
    if package in sys.modules:
        return sys.modules[package]
    finder = _Finder(package, place, (name, place.name))
    sys.meta_path.insert(0, finder)
    try:
        module = importlib.import_module(package)
    except BaseException:
        sys.meta_path.remove(finder)
        for each in [each for each in sys.modules if each == package or each.startswith(f"{package}.")]:
            del sys.modules[each]
        raise
    setattr(module, _NAME, name)
    return module


def imported_name(package: str) -> str | None:
    """Return the name under which a package was imported from a folder, given its module name; None for other packages."""
    if not package.startswith(PREFIX):
        return None
    fallback = package.removeprefix(PREFIX).rpartition("_")[0]
    return str(getattr(sys.modules.get(package), _NAME, fallback))


class _Finder:
    """Finds one package and its modules, and resolves their imports for its folder."""

    def __init__(self, package: str, folder: Path, names: Iterable[str]) -> None:
        self._package, self._folder, self._names = package, folder, frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of the package or of a module in it."""
        if fullname == self._package:
            init = self._folder / "__init__.py"
            loader = _Loader(fullname, str(init), self)
            return importlib.util.spec_from_file_location(
                fullname, init, loader=loader, submodule_search_locations=[str(self._folder)]
            )
        if not fullname.startswith(f"{self._package}."):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader) and spec.origin:
            spec.loader = _Loader(fullname, spec.origin, self)
        return spec

    def own_name(self, module: str, importer: str) -> str | None:
        """Return the full name of the module in this folder that an absolute import refers to; None if it refers elsewhere."""
        head, dot, rest = module.partition(".")
        if head in self._names:
            return self._package + dot + rest
        # A module that imports its own name means another module: chess.py may use an installed package chess.
        if head in sys.stdlib_module_names or importer == f"{self._package}.{head}":
            return None
        here = self._folder / head
        if here.with_name(f"{head}.py").is_file() or (here / "__init__.py").is_file():
            return f"{self._package}.{module}"
        return None

    def import_(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """Import as ``__import__`` does."""
        importer = str((globals or {}).get("__name__", ""))
        own = self.own_name(name, importer) if level == 0 else None
        if own is None:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        if fromlist:
            return builtins.__import__(own, globals, locals, fromlist, 0)
        # `import a.b` binds a, the first part of the name.
        importlib.import_module(own)
        return sys.modules[own.removesuffix(name.removeprefix(name.partition(".")[0]))]


class _Loader(SourceFileLoader):
    """Runs a module with its own ``__import__``, which the interpreter looks up in the module's builtins."""

    def __init__(self, fullname: str, path: str, finder: _Finder) -> None:
        super().__init__(fullname, path)
        self._finder = finder

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        module.__dict__["__builtins__"] = {**vars(builtins), "__import__": self._finder.import_}
        super().exec_module(module)
