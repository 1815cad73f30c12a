# SPDX-License-Identifier: Apache-2.0
"""Documents for other libraries: tables of pandas, graphs of networkx. Both packages are optional."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

from accord.errors import MissingDependencyError

if TYPE_CHECKING:
    from accord.data.document import Document
    from accord.data.sentence import Sentence

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")


def optional(package: str, use: str) -> ModuleType:
    """An optional package; where it is not installed, an error says what it is needed for."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise MissingDependencyError(f"{use} needs the package {package}: pip install {package}") from None


def to_pandas(document: Document) -> Any:
    pandas = optional("pandas", "Document.to_pandas")
    rows = [
        (number, sentence.sent_id, word.id, *(_plain(word, name) for name in COLUMNS), word.start, word.end)
        for number, sentence in enumerate(document.sentences)
        for word in sentence.words
    ]
    frame = pandas.DataFrame(rows, columns=["sentence", "sent_id", "id", *COLUMNS, "start", "end"])
    return frame.astype({"head": "Int64"})


def _plain(word: Any, name: str) -> Any:
    value = getattr(word, name)
    return str(value) if name == "feats" else value


def document_to_networkx(document: Document) -> Any:
    networkx = optional("networkx", "Document.to_networkx")
    whole = networkx.DiGraph(name=document.name)
    for number, sentence in enumerate(document.sentences):
        graph = sentence_to_networkx(sentence)
        whole.update(networkx.relabel_nodes(graph, {node: (number, node) for node in graph}))
    return whole


def sentence_to_networkx(sentence: Sentence) -> Any:
    networkx = optional("networkx", "Sentence.to_networkx")
    graph = networkx.DiGraph(text=sentence.text, sent_id=sentence.sent_id)
    graph.add_node(0, form="<root>")
    for word in sentence.words:
        columns = ("form", "lemma", "upos", "xpos", "feats", "misc")
        graph.add_node(word.id, **{name: _plain(word, name) for name in columns})
    for word in sentence.words:
        if word.head is not None:
            graph.add_edge(word.head, word.id, deprel=word.deprel)
    return graph
