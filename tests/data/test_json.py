# SPDX-License-Identifier: Apache-2.0
"""JSON lines: nothing lost between CoNLL-U and JSON, and clear words for what is not a sentence."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document, EmptyNode, Range, Sentence, Word, read, stream
from accord.errors import FormatError

from .samples import SAMPLE, TREEBANKS, row


def from_json(text: str | bytes, **settings: str) -> Document:
    data = text.encode() if isinstance(text, str) else text
    return read(io.BytesIO(data), format="json", **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path", [p for p in TREEBANKS if p.name.startswith(("en_ewt-ud-dev", "cs_cltt-ud-dev"))], ids=str
)
def test_treebanks_through_json(path: object) -> None:
    document = read(path)  # type: ignore[arg-type]
    assert from_json(document.to_json()).to_bytes() == document.to_bytes()


def test_schema() -> None:
    text = (
        "# c\n"
        + row("1-2", "_", form="ab")
        + "\n"
        + row("1", "2")
        + "\n"
        + row("2", "_")
        + "\n"
        + row("2.1", "_")
        + "\n\n"
    )
    assert json.loads(Document.from_conllu(text).to_json()) == {
        "comments": ["# c"],
        "words": [{"id": 1, "form": "x", "head": 2}, {"id": 2, "form": "x"}],
        "ranges": [{"first": 1, "last": 2, "form": "ab"}],
        "empty_nodes": [{"word": 2, "index": 1, "form": "x"}],
    }


VALUE = st.text(st.characters(exclude_characters="\t\n\r\0", exclude_categories=["Cs"]), min_size=1, max_size=4)
COLUMNS = st.fixed_dictionaries({"form": VALUE}, optional=dict.fromkeys(("lemma", "feats", "deps", "misc"), VALUE))


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Any sentence a file could hold, ranges and empty nodes included."""
    count = draw(st.integers(1, 5))
    words, ranges, nodes, covered = [], [], [], 0
    for i in range(1, count + 1):
        words.append(Word(i, head=draw(st.none() | st.integers(0, count)), **draw(COLUMNS)))
        if i > covered and draw(st.booleans()):
            covered = draw(st.integers(i, count))
            ranges.append(Range(i, covered, head=draw(VALUE), **draw(COLUMNS)))
    for i in range(count + 1):
        nodes += [EmptyNode(i, j + 1, **draw(COLUMNS)) for j in range(draw(st.integers(0, 2)))]
    comments = draw(st.lists(VALUE.map("#".__add__), max_size=2))
    return Sentence(tuple(words), tuple(comments), tuple(ranges), tuple(nodes))


@settings(deadline=None)
@given(st.lists(sentences(), max_size=3))
def test_sentences_through_conllu_and_json(originals: list[Sentence]) -> None:
    document = Document.from_sentences(originals)
    assert list(document) == originals
    again = from_json(document.to_json())
    assert again.to_bytes() == document.to_bytes()
    assert list(again) == originals


def test_streams_of_json() -> None:
    text = "\ufeff" + Document.from_conllu(SAMPLE).to_json() * 3
    for block_size in (1, 50, 1 << 20):
        parts = list(stream(io.BytesIO(text.encode()), block_size=block_size, format="json"))
        assert "".join(part.to_conllu() for part in parts) == SAMPLE * 3


REFUSED = [
    ("nonsense", "not JSON: Expecting value: line 1 column 1 (char 0)"),
    ("[" * 100_000, "not JSON: "),
    ('{"words":[{"id":' + "9" * 5000 + ',"form":"a"}]}', "not JSON: "),
    (b'{"words":"\xff"}', "invalid UTF-8"),
    ("[]", "a sentence is not an object"),
    ("{}", "comments without a sentence|a sentence needs a word"),
    ('{"words":{}}', "'words' is not a list"),
    ('{"words":[],"score":1}', "unknown key 'score' in a sentence"),
    ('{"words":[1]}', "Word is not an object"),
    ('{"words":[{"id":1}]}', "Word has no 'form'"),
    ('{"words":[{"form":"a"}]}', "Word has no 'id'"),
    ('{"words":[{"id":1,"form":"a","pos":"N"}]}', "unknown key 'pos' in Word"),
    ('{"words":[{"id":true,"form":"a"}]}', "'id' of Word is not a number"),
    ('{"words":[{"id":1,"form":2}]}', "'form' of Word is not a string"),
    ('{"words":[{"id":1,"form":"a","head":null}]}', "'head' of Word is not a number"),
    ('{"words":[{"id":1,"form":"a","head":2}]}', "row 1 of a sentence: HEAD 2 is out of range 0..1"),
    ('{"words":[{"id":2,"form":"a"}]}', "row 1 of a sentence: ID 2 where 1 was expected"),
    ('{"words":[{"id":1,"form":"a\\tb"}]}', "a value holds a tab"),
    ('{"words":[{"id":1,"form":"a\\n"}]}', "a value holds a line end"),
    ('{"words":[{"id":1,"form":"\\ud800"}]}', "a value holds half a surrogate pair"),
    ('{"words":[{"id":1,"form":"\\udc80"}]}', "row 1 of a sentence: invalid UTF-8"),
    ('{"words":[{"id":1,"form":"a"}],"comments":[1]}', "a comment is not a string"),
    ('{"words":[{"id":1,"form":"a"}],"comments":["c"]}', "a comment begins with '#'"),
    ('{"words":[{"id":1,"form":"a"}],"ranges":[{"first":2,"last":3,"form":"b"}]}', "a range or an empty node"),
    ('{"words":[{"id":1,"form":"a"}],"ranges":[{"first":1,"last":2,"form":"b"}]}', "row 1 of a sentence: range"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_lines_that_are_no_sentences(line: str | bytes, reason: str) -> None:
    good = b'{"words":[{"id":1,"form":"a"}]}\n'
    data = good + b"\n" + (line.encode() if isinstance(line, str) else line) + b"\n" + good
    with pytest.raises(FormatError) as caught:
        from_json(data)
    assert caught.value.line == 3
    assert any(caught.value.reason.startswith(choice) for choice in reason.split("|"))
    kept = from_json(data, on_error="keep")
    assert [problem.line for problem in kept.problems] == [3]
    assert kept.lengths.tolist() == [1, 1]
    assert kept.replace(deprels=["x", "y"]).problems == kept.problems


KEYS = st.sampled_from(["words", "id", "form", "head", "ranges"])
VALUES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner)
)


@settings(deadline=None)
@given(st.binary() | VALUES.map(lambda value: json.dumps(value).encode()))
def test_noise_is_read_or_refused(data: bytes) -> None:
    try:
        document = from_json(data)
    except FormatError:
        return
    assert from_json(document.to_json()).to_bytes() == document.to_bytes()
