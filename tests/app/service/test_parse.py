# SPDX-License-Identifier: Apache-2.0
"""``/parse`` answers what the package answers, with certificates, lists, kept heads and pictures."""

from __future__ import annotations

import gzip
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import accord
from tests.app.service.serving import Client

TELESCOPE = "They saw the girl with the telescope."
TEXTS = [TELESCOPE, "She waved! Nobody slept.", "", "I don't know.", "A dog\n\nbarked."]


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    return accord.load("en")


def test_the_answer_is_that_of_the_pipeline(client: Client, nlp: accord.Pipeline) -> None:
    for text in TEXTS:
        answer = client.post("/parse", {"text": text, "output": "conllu"}).json()
        assert answer == {"model": "en", "conllu": nlp(text).to_conllu()}


def test_sentences_have_rows_text_and_certificate(client: Client) -> None:
    (sentence,) = client.post("/parse", {"text": TELESCOPE}).json()["sentences"]
    assert sentence["text"] == TELESCOPE
    assert [word["head"] for word in sentence["words"]] == [2, 0, 4, 2, 7, 7, 2, 2]
    assert sentence["certificate"]["proved"] and sentence["certificate"]["says"] == "proved best of all trees"
    assert sentence["certificate"]["score"] == sentence["certificate"]["bound"]


def test_rules_hold_and_are_in_the_certificate(client: Client) -> None:
    request = {"text": TELESCOPE, "rules": ["require 4 -> 7"]}
    (sentence,) = client.post("/parse", request).json()["sentences"]
    assert sentence["words"][6]["head"] == 4
    assert sentence["certificate"]["says"] == "proved best of all trees with your rules"


def test_rules_that_cannot_be_kept_are_named(client: Client) -> None:
    request = {"text": TELESCOPE, "rules": ["require 4 -> 7", "require 2 -> 7"]}
    (sentence,) = client.post("/parse", request).json()["sentences"]
    assert sentence["unkept"] and not sentence["certificate"]["proved"]


def test_the_k_best_trees_come_best_first(client: Client, nlp: accord.Pipeline) -> None:
    (sentence,) = client.post("/parse", {"text": TELESCOPE, "k": 3, "draw": True}).json()["sentences"]
    expected = nlp.kbest(nlp.tokenize(TELESCOPE).sentences[0], 3)
    assert [tuple(tree["heads"]) for tree in sentence["trees"]] == [tree.heads for tree in expected]
    assert all(tree["svg"].startswith("<svg") for tree in sentence["trees"])


def test_probabilities_stand_in_misc(client: Client) -> None:
    (sentence,) = client.post("/parse", {"text": TELESCOPE, "probabilities": True}).json()["sentences"]
    assert all("ArcConf=" in word["misc"] for word in sentence["words"])


def test_given_heads_are_kept(client: Client) -> None:
    rows = [f"{i}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_" for i, form, head in ((1, "Time", "_"), (2, "flies", "1"))]
    request = {"conllu": "\n".join(rows) + "\n\n", "keep": "given"}
    (sentence,) = client.post("/parse", request).json()["sentences"]
    assert [word["head"] for word in sentence["words"]] == [0, 1]


def test_given_heads_that_are_no_tree_are_reported(client: Client) -> None:
    rows = [f"{i}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_" for i, form, head in ((1, "Time", 2), (2, "flies", 1))]
    answer = client.post("/parse", {"conllu": "\n".join(rows) + "\n\n", "keep": "given"}).json()
    assert "dropped" in answer["problems"][0]


def test_pictures_have_handles_for_the_page(client: Client) -> None:
    (sentence,) = client.post("/parse", {"text": TELESCOPE, "draw": True}).json()["sentences"]
    assert 'data-head="2" data-dependent="4"' in sentence["svg"] and 'data-word="8"' in sentence["svg"]


def test_bodies_may_be_packed_both_ways(client: Client) -> None:
    body = gzip.compress(json.dumps({"text": " ".join([TELESCOPE] * 20)}).encode())
    answer = client.ask("POST", "/parse", body, {"Content-Encoding": "gzip", "Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert len(json.loads(gzip.decompress(answer.body))["sentences"]) == 20


def test_requests_that_arrive_together_get_the_answers_they_would_get_alone(
    client: Client, nlp: accord.Pipeline
) -> None:
    texts = [f"{TELESCOPE} Number {n} waved{'.' * (n % 3)}" for n in range(60)]
    expected = [nlp(text).to_conllu() for text in texts]
    before = client.service.queue.batched

    def ask(text: str) -> str:
        one = client.another()
        try:
            return str(one.post("/parse", {"text": text, "output": "conllu"}).json()["conllu"])
        finally:
            one.close()

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(ask, texts)) == expected
    assert client.service.queue.batched > before


@pytest.mark.parametrize(
    ("request_", "status", "reason"),
    [
        ({}, 400, "either a string 'text' or a string 'conllu'"),
        ({"text": "a", "conllu": "b"}, 400, "either"),
        ({"text": 1}, 400, "a string as 'text'"),
        ({"text": "a", "k": True}, 400, "a whole number as 'k'"),
        ({"text": "a", "k": 0}, 400, "k = 0"),
        ({"text": "a", "k": 101}, 413, "100 trees"),
        ({"text": "a", "rules": ["nonsense"]}, 400, "no rule begins so"),
        ({"text": "a", "rules": [1]}, 400, "a list of strings"),
        ({"text": "a", "solver": "magic"}, 400, "solver"),
        ({"text": "a", "budget_ms": 0}, 400, "more than 0"),
        ({"text": "a", "model": "xx"}, 404, "one of en, zh"),
        ({"text": "a", "nonsense": 1}, 400, "unknown 'nonsense'"),
        ({"conllu": "1\tonly\n"}, 400, "request:1"),
        ({"text": "a", "k": 2, "probabilities": True}, 400, "k > 1"),
    ],
)
def test_wrong_requests_get_a_reason(client: Client, request_: object, status: int, reason: str) -> None:
    answer = client.post("/parse", request_)
    assert (answer.status, reason in answer.json()["error"]) == (status, True), answer.text
