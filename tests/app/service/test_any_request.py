# SPDX-License-Identifier: Apache-2.0
"""Requests drawn from the OpenAPI description, right ones and wrong ones: no request is answered with a status of 500.

``ACCORD_EXAMPLES=10000`` draws so many.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.app.service.collection import Collection
from accord.app.service.limits import Limits
from accord.tasks import registry
from tests.app.service.serving import Client, serving
from tests.tasks.contract import trained

EXAMPLES = int(os.environ.get("ACCORD_EXAMPLES", "60"))

ROWS = ["1\tGo\t_\t_\t_\t_\t0\troot\t_\t_\n\n", "1\tGo\n\n", "1-2\tGo\t_\t_\t_\t_\t_\t_\t_\t_\n\n"]
RULES = [
    "require 1 -> 2",
    "at-most-one nsubj of VERB",
    "max-dependents 0 of NOUN @ 1",
    "no-crossing",
    "x @",
    "* head-is",
]
TEXTS = st.one_of(
    st.sampled_from(["", "They sleep.", "我爱北京", "a\tb\n", "en", "\x00", *ROWS]),
    st.text(max_size=40),
    st.sampled_from(RULES),
    st.text("\t\n 12_-aGx.|=#", max_size=60),
)
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=6,
)


def values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that a schema describes, for the most part."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema.get("type", "string")
    if isinstance(kinds, list):
        return st.one_of([values({"type": kind}) for kind in kinds])
    if kinds == "object":
        return objects(schema)
    if kinds == "array":
        return st.lists(values(schema.get("items", {})), max_size=5)
    return {
        "string": TEXTS,
        "integer": st.integers(-3, 6) | st.integers(),
        "number": st.floats(0.001, 3) | st.floats(allow_nan=False, allow_infinity=False) | st.integers(),
        "boolean": st.booleans(),
    }[kinds]


def objects(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Objects with some of the members of a schema, now and then one of another type or name."""
    known = {name: values(own) for name, own in schema.get("properties", {}).items()}
    described = st.fixed_dictionaries({}, optional=known)
    odd = st.fixed_dictionaries({}, optional=dict.fromkeys(known, JUNK))
    return st.one_of(described, described, odd, st.dictionaries(st.text(max_size=6), JUNK, max_size=3))


@pytest.fixture(scope="module")
def open_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A service with a model for every task; searches are short."""
    files = []
    for name in ("spans", "joint", "cleaner", "segmenter"):
        one = trained(registry.task(name), tmp_path_factory.mktemp(name))
        files.append(str(tmp_path_factory.mktemp("models") / f"{name}.accord"))
        one.model.save(files[-1])
    with serving(collection=Collection.load(["en", *files]), limits=Limits(seconds=0.2, k=5)) as client:
        yield client


def operations(client: Client) -> list[tuple[str, str, dict[str, Any]]]:
    """Paths, methods and their schemas, of JSON bodies, forms and queries."""
    found = []
    for path, methods in client.get("/openapi.json").json()["paths"].items():
        for method, about in methods.items():
            content = about.get("requestBody", {}).get("content", {})
            query = {one["name"]: one["schema"] for one in about.get("parameters", [])}
            schema = next(iter(content.values()))["schema"] if content else {"properties": query}
            kind = next(iter(content), "query")
            found.append((f"{method.upper()} {path}", kind, schema))
    return found


def test_no_request_breaks_the_service(open_client: Client) -> None:
    asked_for = operations(open_client)
    strategies = [st.tuples(st.just(name), st.just(kind), objects(schema)) for name, kind, schema in asked_for]
    paths = st.sampled_from(["POST /parse", "POST /spans", "POST /process"])
    raw = st.tuples(paths, st.just("raw"), st.binary(max_size=80))
    seen: Counter[str] = Counter()

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(asked=st.one_of(*strategies, raw))
    def ask(asked: tuple[str, str, Any]) -> None:
        operation, kind, request = asked
        method, path = operation.split(" ")
        seen[operation] += 1
        status, text = answered(open_client, method, path, kind, request)
        assert status in (200, 400, 404, 405, 413, 415, 422), f"{operation} {request!r}: {status} {text}"

    ask()
    assert seen.total() >= EXAMPLES
    assert EXAMPLES < 1000 or set(seen) == {name for name, _, _ in asked_for}, seen


def answered(client: Client, method: str, path: str, kind: str, request: Any) -> tuple[int, str]:
    if kind == "query":
        fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in request.items()}
        answer = client.ask(method, f"{quote(path)}?{urlencode(fields)}")
    elif kind == "raw":
        answer = client.ask(method, path, request, {"Content-Type": "multipart/form-data; boundary=x"})
    elif kind == "application/json":
        answer = client.ask(method, path, json.dumps(request).encode(), {"Content-Type": kind})
    else:
        fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in request.items()}
        answer = client.ask(method, path, urlencode(fields).encode(), {"Content-Type": kind})
    return answer.status, answer.text[:300]
