# SPDX-License-Identifier: Apache-2.0
"""What the OpenAPI page says of requests: a JSON schema for each path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.app.service import playground, udpipe
from accord.app.service.parsing import OUTPUTS
from accord.inference.graph import SOLVERS
from accord.tasks.parser.options import ALL_SOLVERS, TAGS
from accord.tasks.registry import Task
from accord.tasks.tokenizer.model import MODES

STRING = {"type": "string"}
COUNT = {"type": "integer", "minimum": 1}
FLAG = {"type": "boolean"}
STRINGS = {"type": "array", "items": STRING}
SHARE = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
BUDGET = {"type": "number", "exclusiveMinimum": 0, "description": "Milliseconds for the search of this request."}


def _choice(values: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "string", "enum": list(values)}


PARSE: dict[str, Any] = {
    "model": STRING,
    "text": {**STRING, "description": "Raw text; or give conllu."},
    "conllu": {**STRING, "description": "Sentences as CoNLL-U; or give text."},
    "input": _choice(MODES),
    "rules": {"type": "array", "items": STRING, "description": "Rules, e.g. 'at-most-one nsubj'."},
    "k": {**COUNT, "description": "The k best trees of each sentence."},
    "probabilities": FLAG,
    "keep": {**_choice(("given", "nothing")), "description": "given: keep heads and labels that are there."},
    "tags": _choice(TAGS),
    "solver": _choice(ALL_SOLVERS),
    "iterations": COUNT,
    "budget_ms": BUDGET,
    "output": _choice(OUTPUTS),
    "draw": {**FLAG, "description": "Add the picture of each tree as SVG."},
    "offsets": FLAG,
    "id": {"type": ["string", "number"], "description": "Comes back in the answer."},
}

SOLVE: dict[str, Any] = {
    "scores": {"type": "array", "items": {"type": "number"}},
    "factors": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "kind": _choice(playground.KINDS),
                "variables": {"type": "array", "items": {"type": "integer"}},
                "output": {"type": "integer"},
                "count": {"type": "integer"},
                "costs": {"type": "array", "items": {"type": "number"}},
                "limit": {"type": "number"},
                "score": {"type": "number"},
            },
            "required": ["kind", "variables"],
        },
    },
    "evidence": {"type": "object", "additionalProperties": FLAG},
    "solver": _choice(SOLVERS),
    "budget_ms": BUDGET,
}

# Requests that the page of the API shows, to be tried.
TEXT = {"text": "They saw the girl with the telescope."}
RAIN = {
    "scores": [1.5, 1.2, -1],
    "factors": [{"kind": "exactly_one", "variables": [0, 1]}, {"kind": "implies", "variables": [0], "output": 2}],
}

PROCESS: dict[str, Any] = {
    "data": STRING,
    "model": STRING,
    "tokenizer": {**STRING, "description": "Run the tokeniser; presegmented and ranges are its options."},
    "tagger": STRING,
    "parser": STRING,
    "input": _choice(udpipe.INPUTS),
    "output": _choice(udpipe.OUTPUTS),
}

# What requests of built-in tasks may have besides what their example shows.
FURTHER: dict[str, dict[str, Any]] = {
    "compressor": {
        "rate": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "words": COUNT,
        "characters": COUNT,
        "keep": STRINGS,
        "drop": STRINGS,
        "rules": STRINGS,
    },
    "summarizer": {
        "words": COUNT,
        "characters": COUNT,
        "sentences": COUNT,
        "query": STRING,
        "earlier": STRINGS,
        "compress": FLAG,
    },
    "cleaner": {"lookahead": {"type": "integer", "minimum": 0}},
    "tagger": {"text": STRING},
    "constituents": {"text": STRING, "draw": FLAG},
    "spans": {"text": STRING},
    "joint": {"text": STRING},
    "joint-constituents": {"nbest": COUNT, "lattices": {"type": "array", "items": {"type": "object"}}},
}


def of_task(task: Task) -> dict[str, Any]:
    """The members of a request to a task: those of its example, and further ones."""
    shown = {name: _schema(value) for name, value in task.example().request.items()}
    return {"model": STRING, **shown, **FURTHER.get(task.name, {})}


def _schema(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return FLAG
    if isinstance(value, int):
        return {"type": "integer"}
    if isinstance(value, float):
        return {"type": "number"}
    if isinstance(value, list):
        return {"type": "array", "items": _schema(value[0]) if value else {}}
    return {"type": "object"} if isinstance(value, Mapping) else STRING


def example_of_task(task: Task) -> dict[str, Any]:
    """A request to a task, with a text where the task takes one."""
    return TEXT if "text" in FURTHER.get(task.name, {}) else dict(task.example().request)


def body(properties: Mapping[str, Any], example: Mapping[str, Any]) -> dict[str, Any]:
    """The ``requestBody`` of a path that takes a JSON object."""
    schema = {"type": "object", "properties": dict(properties), "required": []}
    content = {"application/json": {"schema": schema, "example": dict(example)}}
    return {"requestBody": {"required": True, "content": content}}


def form(properties: Mapping[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    """The ``requestBody`` of a path that takes a form."""
    schema = {"type": "object", "properties": dict(properties), "required": list(required)}
    kinds = ("application/x-www-form-urlencoded", "multipart/form-data")
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}


def parameters(properties: Mapping[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    """The same members as parameters of a query."""
    return {
        "parameters": [
            {"name": name, "in": "query", "required": name in required, "schema": schema}
            for name, schema in properties.items()
        ]
    }
