# SPDX-License-Identifier: Apache-2.0
"""Good files of the inputs that one task or one command reads, and their readers."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from accord.app.rouge import read_summaries
from accord.data.arrays import read_array
from accord.data.constituents.tag_rules import TagRules
from accord.data.constituents.tree import Constituents
from accord.data.tables import text_rows
from accord.errors import FormatError
from accord.inference.rules import decode_tree
from accord.ranked import Ranked
from accord.tasks.cleaner.gold import read_gold
from accord.tasks.joint.files import read_corpus, read_label_columns
from accord.tasks.network.raw_text import read_words
from accord.tasks.pipeline.silver import read_lemmas
from accord.tasks.reranker.kinds import Arcs
from accord.tasks.reranker.lists import CandidateList, list_to_json, read_lists
from accord.tasks.summarizer.topics import topic_of_object
from accord.tasks.tokenizer import Tokenizer
from accord.tasks.vector_clusters import read_word_vectors


def array_bytes(array: Any) -> bytes:
    """A ``.npy`` file."""
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _scores(path: Path) -> None:
    """As ``accord decode`` does."""
    array = read_array(path)
    try:
        decode_tree(array, ["max-dependents 2 @ 0.5"])
    except ValueError as error:
        raise FormatError(str(error), file=str(path)) from None


def _lists(path: Path) -> None:
    for one in read_lists(path):
        list_to_json(one)


@cache
def _tokenizer() -> Tokenizer:
    return Tokenizer.load("en")


def _topics(path: Path) -> None:
    from accord.tasks import registry

    task = registry.task("summarizer")
    task.read([path], task.settings())
    topic_of_object({"text": path.read_bytes().decode(errors="replace"), "summaries": []}, _tokenizer(), "x", 1)


def _rows(suffix: str) -> Any:
    def read(path: Path) -> None:
        named = path.with_suffix(suffix)
        named.write_bytes(path.read_bytes())
        _ = [(row.name, row.text) for row in text_rows(str(named), "text", "id")]
        rejected: list[bytes] = []
        _ = list(text_rows(str(named), "text", "id", lambda problem, raw: rejected.append(raw)))

    return read


def _summaries(path: Path) -> None:
    named = path.with_suffix(".jsonl")
    named.write_bytes(path.read_bytes())
    read_summaries(str(named))


def _candidates() -> bytes:
    """A list of trees and a list of phrases."""
    arcs = [Arcs((2, 0), ("nsubj", "root")), Arcs((0, 1), ("root", "dep"))]
    trees = tuple(Ranked(one, -float(rank)) for rank, one in enumerate(arcs))
    phrases, _ = Constituents.from_text("(S (NP (PRP It)) (VP (VBZ rains)))")
    words = ("It", "rains")
    lists = (
        CandidateList("dependencies", words, ("PRON", "VERB"), trees, arcs[1]),
        CandidateList("phrases", words, phrases.tags, (Ranked(phrases, 1.0, -0.5),), phrases),
    )
    return "".join(json.dumps(list_to_json(one)) + "\n" for one in lists).encode()


_SENTENCES = (
    b'[{"comments": ["# nbest = 1", "# score = 1.5"], "words": [{"id": 1, "form": "It", "head": 2, "deprel": "x"}, '
    b'{"id": 2, "form": "rains", "head": 0, "deprel": "root"}]}]\n'
)
_TOPIC = b'{"documents": ["It rains. It pours.", "It rains, too."], "summaries": ["It rains."], "query": "rain"}\n'
_GOLD = (
    b'{"words": ["uh", "I", "we", "go"], "labels": ["filler", "edit", "", ""]}\n'
    b'{"disfluent": "I we go", "original": "we go"}\n'
)
_SEGMENTS = "我 r B-NP\n昨天 t E-NP\n去 v O\n\n他 r O\n".encode()

READERS: dict[str, tuple[bytes, Any]] = {
    "scores": (array_bytes(np.arange(9.0).reshape(3, 3)), _scores),
    "lists": (_candidates() + _SENTENCES, _lists),
    "topics": (_TOPIC + b'{"sentences": ["It rains."], "summaries": ["Rain."]}\n', _topics),
    "summaries": (b'{"summaries": ["It rains.", "Rain."]}\n{"text": "It rains."}\n', _summaries),
    "tags": (b"# tags\n@column xpos\nhead NP NN NNS\nbare NP PRP\n", TagRules.load),
    "tables": (b'id,text\n1,"It rains.\nNo."\n2,Yes\n', _rows(".csv")),
    "lines": (b'{"id": 1, "text": "It rains."}\n{"id": "b", "text": "No."}\n', _rows(".jsonl")),
    "transcripts": (_GOLD, lambda path: read_gold([path])),
    "edits": (b"uh\tUH\tF\nI\tPRP\tRM\nwe\tPRP\tO\n\ngo\tVB\tO\n", lambda path: read_gold([path])),
    "segments": (_SEGMENTS, lambda path: (read_corpus(path), read_label_columns(path, 2))),
    "lemmas": (b"runs\tVERB\trun\nleaves\tNOUN\tleaf\tleave\n", read_lemmas),
    "word-vectors": (b"2 3\nIt 1 2 3\nrain .5 -1 0\n", lambda path: read_word_vectors(str(path))),
    "raw-words": ("It rains .\n我 去 。\n".encode(), read_words),
}
