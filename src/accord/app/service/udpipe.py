# SPDX-License-Identifier: Apache-2.0
"""The requests of UDPipe's REST service, ``/models`` and ``/process``, and answers in the same envelope.

A step of the pipeline runs when its parameter is there, even an empty one: ``tokenizer``, ``tagger``, ``parser``.
Without a tokeniser the data are sentences in the format that ``input`` names. Errors are plain text, as clients of
UDPipe print them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.app.service.collection import Collection
from accord.app.service.limits import Limits, RefusalError
from accord.app.service.parsing import check_lengths
from accord.data import Document, Sentence
from accord.tasks.pipeline import Pipeline

INPUTS = ("conllu", "generic_tokenizer", "horizontal", "vertical")
OUTPUTS = ("conllu", "horizontal", "vertical", "plaintext")
STEPS = ("tokenizer", "tagger", "parser")
ACKNOWLEDGEMENTS = ("Accord",)


def models_answer(collection: Collection) -> dict[str, Any]:
    """The pipelines and their steps."""
    steps = {
        name: [step for step in STEPS if getattr(pipeline, step) is not None]
        for name, pipeline in collection.pipelines.items()
    }
    first = {"default_model": next(iter(steps))} if steps else {}
    return {"models": steps, **first}


@dataclass(frozen=True)
class Process:
    """One request to ``/process``, checked. Options of steps that Accord does not have are refused."""

    model: str
    data: str
    input: str
    output: str
    steps: frozenset[str]
    presegmented: bool
    ranges: bool

    @staticmethod
    def read(fields: Mapping[str, str], collection: Collection) -> Process:
        if "data" not in fields:
            raise RefusalError(400, "Required argument 'data' is missing")
        tokenizer = [one for one in fields.get("tokenizer", "").split(";") if one]
        for option in tokenizer:
            if option not in ("presegmented", "ranges", "normalized_spaces"):
                raise RefusalError(400, f"tokenizer option {option[:40]!r}: expected presegmented or ranges")
        return Process(
            find_model(fields.get("model", ""), collection),
            fields["data"].replace("\r\n", "\n"),
            _one_of(fields.get("input") or "conllu", INPUTS, "input"),
            _one_of(fields.get("output") or "conllu", OUTPUTS, "output"),
            frozenset(step for step in STEPS if step in fields),
            "presegmented" in tokenizer,
            "ranges" in tokenizer,
        )


def find_model(asked: str, collection: Collection) -> str:
    """The pipeline of a name, of a language (``english``) or of a longer name of UDPipe (``english-ewt-ud-2.15``)."""
    if not asked or asked in collection.pipelines:
        return collection.pipeline_name(asked or None)
    language = asked.lower().split("-")[0]
    for name, pipeline in collection.pipelines.items():
        if language in (name, str(pipeline.model.card.get("language", "")).lower()):
            return name
    return collection.pipeline_name(asked)


def process(asked: Process, pipeline: Pipeline, limits: Limits) -> dict[str, Any]:
    """The answer to a request."""
    document = _document(asked, pipeline)
    check_lengths(document, limits)
    if "tagger" in asked.steps:
        document = pipeline.tag(document, tags="predict", threads=1)
    if "parser" in asked.steps:
        document = pipeline.parse(document, tags="keep", threads=1, seconds=limits.seconds)
    result = _written(document, asked.output)
    return {"model": asked.model, "acknowledgements": list(ACKNOWLEDGEMENTS), "result": result}


def _document(asked: Process, pipeline: Pipeline) -> Document:
    if "tokenizer" in asked.steps or asked.input == "generic_tokenizer":
        mode = "sentences" if asked.presegmented else "text"
        return pipeline.tokenize(asked.data, input=mode, offsets=asked.ranges, threads=1)
    if asked.input == "horizontal":
        return pipeline.tokenize(asked.data, input="tokens", threads=1)
    if asked.input == "vertical":
        blocks = [block.split("\n") for block in asked.data.strip("\n").split("\n\n")]
        words = [[line.strip() for line in lines if line.strip()] for lines in blocks]
        return Document.from_sentences([Sentence.from_words(forms) for forms in words if forms])
    return Document.from_conllu(asked.data, name="data")


def _written(document: Document, output: str) -> str:
    if output == "conllu":
        return document.to_conllu()
    if output == "horizontal":
        return "".join(" ".join(form.replace(" ", "\xa0") for form in one.forms) + "\n" for one in document.sentences)
    if output == "vertical":
        return "".join("\n".join(one.forms) + "\n\n" for one in document.sentences)
    return "".join(one.text + "\n" for one in document.sentences)


def _one_of(value: str, choices: tuple[str, ...], name: str) -> str:
    if value not in choices:
        raise RefusalError(400, f"{name} {value[:40]!r}: expected one of {', '.join(choices)}")
    return value
