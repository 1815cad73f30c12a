# SPDX-License-Identifier: Apache-2.0
"""What a service refuses, and how."""

from __future__ import annotations

import gzip
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from accord.app.service.limits import Limits, Rates, RefusalError
from tests.app.service.serving import Answer, serving


def test_bodies_are_limited_packed_or_not() -> None:
    with serving(limits=Limits(body_bytes=2000)) as client:
        body = json.dumps({"text": "a " * 2000}).encode()
        assert client.ask("POST", "/parse", body).status == 413
    with serving(limits=Limits(body_bytes=2000)) as client:
        assert client.ask("POST", "/parse", gzip.compress(body), {"Content-Encoding": "gzip"}).status == 413
        assert client.post("/parse", {"text": "short"}).status == 200
        assert client.ask("POST", "/parse", b"no gzip", {"Content-Encoding": "gzip"}).status == 400
        assert client.ask("POST", "/parse", b"{}", {"Content-Encoding": "br"}).status == 415


def test_sentences_are_limited() -> None:
    with serving(limits=Limits(words=10)) as client:
        answer = client.post("/parse", {"text": "a b c d e f g h i j k l", "input": "tokens"})
        assert answer.status == 413 and "12 words; a sentence may have 10" in answer.json()["error"]


def test_answers_whose_time_ran_out_are_flagged_and_complete() -> None:
    many = [
        "at-most-one nsubj",
        "at-most-one obj",
        "max-dependents 1 of NOUN",
        "no-crossing",
        "max-dependents 1 of VERB",
    ]
    text = "The cat that the dog that the man saw chased ran and they said that we knew who it was , and so on . " * 6
    with serving() as client:
        asked = {"text": text, "input": "tokens", "rules": many, "budget_ms": 0.001}
        answer = client.post("/parse", asked).json()
        assert answer["flags"] == ["budget"]
        assert all(word["head"] is not None for one in answer["sentences"] for word in one["words"])
        assert "budget ran out" in " ".join(one["certificate"]["says"] for one in answer["sentences"])


def test_a_full_queue_refuses_with_a_time_to_wait_and_keeps_what_it_has() -> None:
    with serving(limits=Limits(queue=2, batch=1), threads=1) as client:
        begun, go_on = threading.Event(), threading.Event()
        work = client.service._parsing["en"]

        class Slow:
            def __call__(self, asked: object) -> object:
                begun.set()
                go_on.wait(30)
                return work(asked)  # type: ignore[arg-type]

        client.service._parsing["en"] = Slow()  # type: ignore[assignment]

        def ask(_: int) -> Answer:
            one = client.another()
            try:
                return one.post("/parse", {"text": "They sleep.", "output": "conllu"})
            finally:
                one.close()

        with ThreadPoolExecutor(8) as pool:
            first = pool.submit(ask, 0)
            assert begun.wait(30)
            others = [pool.submit(ask, n) for n in range(6)]
            while len(client.service.queue) < 2 or sum(other.done() for other in others) < 4:
                time.sleep(0.01)
            go_on.set()
            answers = [one.result() for one in (first, *others)]
        refused = [answer for answer in answers if answer.status == 503]
        assert len(refused) == 4 and all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert sum(answer.status == 200 for answer in answers) == 3


def test_each_client_has_a_rate() -> None:
    now = 0.0
    rates = Rates(2.0, clock=lambda: now)
    for _ in range(4):
        rates.check("a")
    with pytest.raises(RefusalError) as refused:
        rates.check("a")
    assert refused.value.status == 429 and refused.value.headers["Retry-After"] == "1"
    rates.check("b")
    now = 0.5
    rates.check("a")


def test_too_many_requests_of_a_client_are_refused() -> None:
    with serving(limits=Limits(rate=0.5)) as client:
        assert client.get("/models").status == 200
        answer = client.get("/models")
        assert answer.status == 429 and int(answer.headers["retry-after"]) >= 1
        assert client.get("/health").status == 200  # which anybody may ask at any time


def test_a_token_guards_everything_but_health_and_the_page() -> None:
    with serving(token="secret") as client:
        assert client.post("/parse", {"text": "a"}).status == 200
        client.headers = {}
        answer = client.post("/parse", {"text": "a"})
        assert answer.status == 401 and answer.headers["www-authenticate"] == "Bearer"
        assert client.get("/metrics").status == 401
        assert client.get("/health").status == 200 and client.get("/").status == 200
        assert client.get("/models", Authorization="Bearer wrong").status == 401


def test_other_sites_may_ask_only_where_that_is_said() -> None:
    origin = "https://example.org"
    with serving() as client:
        assert "access-control-allow-origin" not in client.get("/models", Origin=origin).headers
    with serving(cors=(origin,)) as client:
        assert client.get("/models", Origin=origin).headers["access-control-allow-origin"] == origin
