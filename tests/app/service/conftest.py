# SPDX-License-Identifier: Apache-2.0
"""One service for all tests that only ask it. Without the extra ``serve`` these tests are skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.app.service.serving import Client, serving

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with serving(("en", "zh")) as one:
        yield one
