# SPDX-License-Identifier: Apache-2.0
"""Clients of UDPipe's REST service work with this one: the same parameters, the same envelope."""

from __future__ import annotations

import email.mime.multipart
import email.mime.nonmultipart
import email.policy
from urllib.parse import urlencode

import pytest

import accord
from tests.app.service.serving import Answer, Client

TEXT = "They sleep. Nobody’s here.\n\nGood!"
ALL = {"tokenizer": "", "tagger": "", "parser": ""}


def multipart(client: Client, fields: dict[str, str]) -> Answer:
    """A form as the email package of Python writes it: lines end with CRLF, also those of the values."""
    message = email.mime.multipart.MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in fields.items():
        part = email.mime.nonmultipart.MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        message.attach(part)
    body = message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1]
    return client.ask("POST", "/process", body, {"Content-Type": message["Content-Type"]})


def urlencoded(client: Client, fields: dict[str, str]) -> Answer:
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return client.ask("POST", "/process", urlencode(fields).encode(), kind)


def query(client: Client, fields: dict[str, str]) -> Answer:
    return client.get("/process?" + urlencode(fields))


@pytest.mark.parametrize("way", [multipart, urlencoded, query])
def test_all_steps_give_what_the_pipeline_gives(client: Client, way: object) -> None:
    assert callable(way)
    answer = way(client, {**ALL, "data": TEXT}).json()
    assert list(answer) == ["model", "acknowledgements", "result"]
    assert answer["model"] == "en" and answer["result"] == accord.load("en")(TEXT).to_conllu()


def test_models_and_their_steps(client: Client) -> None:
    answer = client.get("/models").json()
    assert answer["models"]["zh"] == ["tokenizer", "tagger", "parser"] and answer["default_model"] == "en"


@pytest.mark.parametrize("name", ["en", "english", "english-ewt-ud-2.15-241121", "English-gum"])
def test_a_model_is_found_by_its_language(client: Client, name: str) -> None:
    assert query(client, {"tokenizer": "", "model": name, "data": "a"}).json()["model"] == "en"


def test_steps_that_are_not_asked_for_do_not_run(client: Client) -> None:
    tokens = query(client, {"tokenizer": "", "data": "They sleep."}).json()["result"]
    assert "1\tThey\t_\t_\t_\t_\t_\t_\t_\t_" in tokens
    tagged = multipart(client, {"tagger": "", "data": tokens}).json()["result"]
    assert "1\tThey\tthey\tPRON" in tagged and "nsubj" not in tagged
    assert "nsubj" in multipart(client, {"parser": "", "data": tagged}).json()["result"]


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        (
            {"input": "horizontal", "output": "vertical", "data": "They sleep .\nGood !\n"},
            "They\nsleep\n.\n\nGood\n!\n\n",
        ),
        ({"input": "vertical", "output": "horizontal", "data": "They\nsleep\n\nGood\n"}, "They sleep\nGood\n"),
        ({"tokenizer": "presegmented", "output": "horizontal", "data": "A b. C\nd"}, "A b. C\nd\n"),
        ({"tokenizer": "", "output": "plaintext", "data": "They sleep. Good!"}, "They sleep.\nGood!\n"),
    ],
)
def test_formats(client: Client, fields: dict[str, str], result: str) -> None:
    found = query(client, fields).json()["result"]
    assert found.replace(" .", ".") == result.replace(" .", ".")


@pytest.mark.parametrize(
    "fields", [{}, {"data": "a", "output": "epe"}, {"data": "a", "input": "x"}, {"data": "not\tconllu", "parser": ""}]
)
def test_errors_are_plain_text(client: Client, fields: dict[str, str]) -> None:
    answer = query(client, fields)
    assert answer.status == 400 and answer.headers["content-type"].startswith("text/plain")
