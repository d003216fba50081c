"""Every public class has a name of its own: a reader who searches for a name finds one meaning."""

from __future__ import annotations

import ast
from collections import defaultdict

from tests.tools import ROOT


def test_no_two_public_classes_share_a_name() -> None:
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "arbiter").rglob("*.py")):
        path = file.relative_to(ROOT)
        if path.parts[1] not in ("new_game", "protocols"):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    modules[node.name].append(str(path))
    assert len(modules) > 500
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}
