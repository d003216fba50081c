"""``arbiter cluster doctor`` says what is wrong with a host, also with one that says nothing."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

import pytest

from arbiter.cluster import survey
from arbiter.cluster.connect import connect
from tests.cluster.real import PATIENCE_S, Cluster


def test_a_host_that_hangs_is_not_waited_for_until_dask_gives_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cluster(tmp_path) as cluster:
        cluster.start_worker("hangs")
        with contextlib.closing(connect(cluster.address)) as client:
            client.wait_for_workers(1, timeout=PATIENCE_S)
            cluster.workers["hangs"].send_signal(signal.SIGSTOP)
            monkeypatch.setattr(survey, "PATIENCE_S", 0.2)
            (row,) = survey.survey(client)
    assert (row.facts, row.problem) == (None, "no answer within 0.2 s: it hangs, or cannot be reached")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (OSError("in <TCP (closed) Scheduler Broadcast local=…>: Stream is closed"), "the connection to it was lost"),
        (ImportError("no module"), "arbiter is not installed there, or in another version (no module)"),
        (ValueError("first\nsecond"), "ValueError: first"),
    ],
)
def test_what_is_wrong_is_said_in_words(answer: Exception, problem: str) -> None:
    row = survey._surveyed("tcp://10.0.0.1:1", {"host": "10.0.0.1", "nthreads": 4}, answer)
    assert (row.host, row.threads, row.problem) == ("10.0.0.1", 4, problem)
