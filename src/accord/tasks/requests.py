# SPDX-License-Identifier: Apache-2.0
"""Requests to the service: JSON objects, and what they must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.data import Document
from accord.errors import ConfigError


def text_of(request: Mapping[str, Any], key: str = "text") -> str:
    """A string of a request."""
    value = request.get(key)
    if not isinstance(value, str):
        raise ConfigError(f"request: expected a string {key!r}")
    return value


def texts_of(request: Mapping[str, Any], key: str = "texts") -> list[str]:
    """A list of strings of a request."""
    value = request.get(key)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ConfigError(f"request: expected a list of strings {key!r}")
    return value


def flag_of(request: Mapping[str, Any], key: str) -> bool:
    """True or false of a request."""
    value = request.get(key)
    if not isinstance(value, bool):
        raise ConfigError(f"request: expected true or false {key!r}")
    return value


def document_of(request: Mapping[str, Any]) -> Document:
    """The sentences of a request, as CoNLL-U."""
    return Document.from_conllu(text_of(request, "conllu"), name="request")


def conllu_answer(document: Document) -> dict[str, Any]:
    """A document as an answer."""
    return {"conllu": document.to_bytes("conllu").decode()}
