"""README.md of the records describes the format."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from arbiter.game import FaultKind
from arbiter.records import format as record_format
from arbiter.records.format import AnnulledLine, AnswerLine, FaultInfo, Header, ResultLine, SeatInfo

PAGE = Path(record_format.__file__).with_name("README.md").read_text(encoding="utf-8")
DESCRIBED = set(re.findall(r"`([^`]+)`", PAGE.split("## Example")[0]))


@pytest.mark.parametrize("line", [Header, SeatInfo, AnswerLine, FaultInfo, ResultLine, AnnulledLine])
def test_every_field_is_on_the_page(line: type[msgspec.Struct]) -> None:
    assert set(line.__struct_fields__) - DESCRIBED == set()


def test_every_kind_of_fault_is_on_the_page() -> None:
    assert {str(kind) for kind in FaultKind} - DESCRIBED == set()
