"""One cluster for all tests of a process: starting Dask takes longer than what most of them do with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cluster.real import Cluster


@pytest.fixture(scope="session")
def _shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def cluster(_shared: Cluster) -> Cluster:
    """A scheduler with two workers; what an earlier test has killed is started again."""
    _shared.repair(2)
    return _shared
