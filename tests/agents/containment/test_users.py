"""Ordinary users play from a copy where they cannot read the checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.containment.users import IMPORTS, packages_to_copy
from tests.tools import ROOT

pytestmark = pytest.mark.slow


def test_what_is_copied_suffices_to_play(tmp_path: Path) -> None:
    for package in packages_to_copy():
        (tmp_path / package.name).symlink_to(package)
    ran = subprocess.run(
        [sys.executable, "-S", "-c", IMPORTS],  # without what else is installed
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}"},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
