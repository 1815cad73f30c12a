# SPDX-License-Identifier: Apache-2.0
"""What a parse writes into a document: heads, labels, and no enhanced graph that belongs to another tree."""

from __future__ import annotations

import pytest

import accord
from accord.data import Document

TREE = """\
# sent_id = 1
1\tThey\tthey\tPRON\t_\t_\t{head}\tnsubj\t{head}:nsubj\t_
2\tsleep\tsleep\tVERB\t_\t_\t{root}\troot\t{root}:root\tSpaceAfter=No
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t2:punct\t_

"""
RIGHT, WRONG = TREE.format(head=2, root=0), TREE.format(head=3, root=0).replace("sent_id = 1", "sent_id = 2")


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    return accord.load("en")


def test_parsed_sentences_lose_their_enhanced_graphs(nlp: accord.Pipeline) -> None:
    parsed = nlp.parse(Document.from_conllu(WRONG + RIGHT))
    assert [word.head for word in parsed.sentences[0]] == [2, 0, 2]
    assert parsed.column("deps") == ["_"] * 6  # also of the tree that was right: the graph was not predicted
    assert all(word.deps == "_" for tree in nlp.parse(Document.from_conllu(RIGHT), k=2) for word in tree)
    assert parsed.column("misc") == ["_", "SpaceAfter=No", "_"] * 2


def test_a_tree_that_is_given_in_full_keeps_its_enhanced_graph(nlp: accord.Pipeline) -> None:
    document = Document.from_conllu(WRONG + RIGHT)
    assert nlp.parse(document, keep="given").to_bytes() == document.to_bytes()
    label_unknown = Document.from_conllu(RIGHT.replace("2\tnsubj\t2:nsubj", "2\t_\t2:nsubj"))
    assert nlp.parse(label_unknown, keep="given").column("deps") == ["_", "_", "_"]


def test_formats_without_an_enhanced_graph_are_written_as_before(nlp: accord.Pipeline) -> None:
    document = Document(Document.from_conllu(WRONG).to_bytes("conllx"), format="conllx")
    assert nlp.parse(document).heads.tolist() == [2, 0, 2]
