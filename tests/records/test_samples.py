"""The bundled saved games exist and verify."""

from __future__ import annotations

from arbiter import registry
from arbiter.config.workspace import Workspace, bundled
from arbiter.records.reader import find_records, load_record
from arbiter.records.verify import differences


def test_every_sample_game_is_finished_and_verifies() -> None:
    samples = find_records([bundled() / "matches" / "samples"])
    assert samples
    for path in samples:
        record = load_record(path)
        assert record.result is not None, path
        assert list(differences(record, registry.find_protocol(record.header.protocol, Workspace(bundled())))) == [], (
            path
        )
