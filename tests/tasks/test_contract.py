# SPDX-License-Identifier: Apache-2.0
"""The contract of tests/tasks/contract.py, for every task of the registry."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accord.tasks import registry
from tests.tasks.contract import CLAIMS, Trained, trained


@pytest.fixture(scope="module", params=[row.name for row in registry.rows()])
def one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trained:
    return trained(registry.task(request.param), tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.__name__)
def test_every_task_keeps_the_contract(one: Trained, claim: Callable[[Trained], None]) -> None:
    claim(one)
