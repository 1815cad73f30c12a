# SPDX-License-Identifier: Apache-2.0
"""Every way a file can be wrong: the decided behaviour, the line and the reason."""

from __future__ import annotations

import pytest

from accord.data import Document
from accord.errors import FormatError

from .samples import SAMPLE, block, row

WORD = row("1", "0")

REFUSED = [
    # (text, line, reason)
    (row(columns=9) + "\n", 1, "9 columns where conllu has 10, separated by tabs"),
    (row(columns=11) + "\n", 1, "11 columns where conllu has 10, separated by tabs"),
    ("1 x _ _ _ _ 0 _ _ _\n", 1, "1 column where conllu has 10, separated by tabs"),
    (block(WORD) + block("# c", row(form="")), 4, "column 2 is empty: a missing value is written _"),
    (block(WORD + "\t").replace("_\t\n", "\t\n"), 1, "11 columns where conllu has 10, separated by tabs"),
    (block(WORD[:-1]), 1, "column 10 is empty: a missing value is written _"),
    (block(WORD[:-1]).replace("\n", "\r\n"), 1, "column 10 is empty: a missing value is written _"),
    (block(WORD, "  "), 2, "line of white space: a blank line must be empty"),
    (block(WORD, " \t "), 2, "line of white space: a blank line must be empty"),
    (block("\t" * 9), 1, "line of white space: a blank line must be empty"),
    (block(WORD, "# late", row("2", "1")), 2, "comment inside a sentence: comments stand before its first row"),
    ("# alone\n\n" + block(WORD), 1, "comments without a sentence"),
    (block(WORD) + "\n# at the end", 4, "comments without a sentence"),
    (block("# c", row("0.1", "_")), 1, "sentence without words"),
    # IDs
    (block(row("2", "0")), 1, "ID 2 where 1 was expected"),
    (block(WORD, row("1", "0")), 2, "ID 1 where 2 was expected"),
    (block(WORD, row("3", "0")), 2, "ID 3 where 2 was expected"),
    (block(row("0", "_")), 1, "ID 0 where 1 was expected"),
    (block(row("01", "0")), 1, "ID '01' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("x", "0")), 1, "ID 'x' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("+1", "0")), 1, "ID '+1' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("-1", "0")), 1, "ID '-1' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("1-", "0")), 1, "ID '1-' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("1.", "0")), 1, "ID '1.' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("1-2-3", "0")), 1, "ID '1-2-3' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("9" * 30, "0")), 1, "ID 2147483647 where 1 was expected"),
    (block(row("é" * 30, "0")), 1, "ID '" + "é" * 20 + "...' is not a word (3), a range (3-4) or an empty node (3.1)"),
    (block(row("a\x01", "0")), 1, "ID 'a\\x01' is not a word (3), a range (3-4) or an empty node (3.1)"),
    # ranges
    (block(row("2-1", "_"), WORD), 1, "range '2-1' ends before it begins"),
    (block(row("2-3", "_"), WORD), 1, "range '2-3' does not stand before its first word: word 1 is next"),
    (block(WORD, row("1-2", "_")), 2, "range '1-2' does not stand before its first word: word 2 is next"),
    (block(row("1-2", "_"), row("1-2", "_"), WORD, row("2", "1")), 2, "range '1-2' overlaps the range before it"),
    (block(row("1-2", "_"), WORD, row("2-3", "_"), row("2", "1")), 3, "range '2-3' overlaps the range before it"),
    (block("# c", row("1-3", "_"), WORD, row("2", "1")), 2, "range reaches word 3 of 2"),
    (block(row("1-1", "_")), 1, "range reaches word 1 of 0"),
    # empty nodes
    (block(WORD, row("1.2", "_")), 2, "empty node '1.2' where '1.1' was expected"),
    (block(WORD, row("1.1", "_"), row("1.1", "_")), 3, "empty node '1.1' where '1.2' was expected"),
    (block(WORD, row("2.1", "_")), 2, "empty node '2.1' where '1.1' was expected"),
    (block(row("1-2", "_"), row("0.1", "_"), WORD), 2, "empty node '0.1' between a range and its first word"),
    # heads
    (block(row("1", "root")), 1, "HEAD 'root' is neither a number nor _"),
    (block(row("1", "-1")), 1, "HEAD '-1' is neither a number nor _"),
    (block(row("1", "00")), 1, "HEAD '00' is neither a number nor _"),
    (block(row("1", "1.1")), 1, "HEAD '1.1' is neither a number nor _"),
    (block("# c", row("1", "0"), row("1.1", "_"), row("2", "3")), 4, "HEAD 3 is out of range 0..2"),
    (block(row("1", "9" * 30)), 1, "HEAD 2147483647 is out of range 0..1"),
    # bytes
    (block(WORD, row("2", "0", form="a\0b")), 2, "NUL byte"),
    (block("# a\0b", WORD), 1, "NUL byte"),
    (block(row(form="a\rb")), 1, "carriage return inside a line"),
    (block("# a\rb", WORD), 1, "carriage return inside a line"),
    (block(WORD + "\r\r"), 1, "carriage return inside a line"),
]  # fmt: skip

INVALID_UTF8 = [
    b"\x80",
    b"\xc3",
    b"\xc0\xaf",
    b"\xe0\x80\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xff",
]


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED)
def test_refused_with_line_and_reason(text: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError) as caught:
        Document.from_conllu(text, name="f.conllu")
    assert (caught.value.line, caught.value.reason) == (line, reason)
    assert str(caught.value) == f"f.conllu:{line}: {reason}"


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED)
def test_kept_verbatim_between_good_neighbours(text: str, line: int, reason: str) -> None:
    whole = SAMPLE + text.rstrip("\n") + "\n\n" + SAMPLE
    document = Document.from_conllu(whole, on_error="keep")
    assert document.to_conllu() == whole
    assert [(problem.line, problem.reason) for problem in document.problems] == [(line + SAMPLE.count("\n"), reason)]
    readable = [sentence for sentence in document if sentence.verbatim is None]
    assert [s.to_conllu() for s in readable][:2] + [s.to_conllu() for s in readable][-2:] == [
        sentence.to_conllu() for sentence in Document.from_conllu(SAMPLE + SAMPLE)
    ]
    changed = document.replace(deprels=["new"] * len(document.heads))
    assert len(changed.problems) == 1
    broken = next(sentence for sentence in document if sentence.verbatim is not None)
    assert len(broken) == 0 and broken.problem() == "the sentence could not be read"
    assert broken.verbatim in changed.to_conllu()
    assert Document.from_sentences(document.sentences).to_bytes().count(b"\n\n") == len(document)


@pytest.mark.parametrize("bad", INVALID_UTF8)
@pytest.mark.parametrize("place", ["form", "comment"])
def test_invalid_utf8(bad: bytes, place: str) -> None:
    good = block("# c", row("1", "2"), row("2", "0", form="é")).encode()
    data = good + (good.replace(b"# c", b"# " + bad) if place == "comment" else good.replace("é".encode(), bad))
    line = 5 if place == "comment" else 7
    with pytest.raises(FormatError) as caught:
        Document(data)
    assert (caught.value.line, caught.value.reason) == (line, "invalid UTF-8")
    kept = Document(data + good, on_error="keep")
    assert kept.to_bytes() == data + good
    assert kept.to_conllu().encode("utf-8", "surrogateescape") == data + good
    assert kept.lengths.tolist() == [2, 0, 2]
    assert Document.from_sentences(kept).to_bytes() == data + good


ACCEPTED = [
    "",
    "\n",
    "\n\n\r\n",
    "\ufeff",
    "\ufeff" + block(WORD),
    block(WORD).rstrip("\n"),
    block(WORD).rstrip("\n") + "\r",
    block(WORD)[:-1],
    "\n\n" + block(WORD) + "\n\n\n" + block(WORD) + "\n\n",
    block("#", "#c", "# c = \u2028 \x85 \x0b", WORD),
    block(row(form="New York")),
    block(row(form="#")),
    block(row(form="\u00a0\ufeff𝒳")),
    block(row("1", "_")),
    block(row("1", "1")),  # its own head: a matter of trees, not of reading
    block(row("1", "2"), row("2", "1")),
    block(row("1", "0"), row("2", "0")),
    block(row("1-1", "7"), row("1", "0"), row("1.1", "x")),  # heads of ranges and empty nodes are not looked at
    block(*(row(f"0.{i}", "_") for i in range(1, 12)), WORD),
    block(WORD + "\r") + block(WORD),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted_and_written_back(text: str) -> None:
    document = Document.from_conllu(text)
    assert document.to_conllu() == text
    assert Document.from_conllu(text, on_error="keep").problems == ()
    assert len(document) == sum(line.startswith("1\t") for line in text.removeprefix("\ufeff").split("\n"))


def test_unknown_heads() -> None:
    document = Document.from_conllu(block(row("1", "_"), row("2", "1")))
    assert document.heads.tolist() == [-1, 1]
    assert document.sentences[0].heads == (None, 1)


class TestOtherLayouts:
    SENTENCE_2008 = block(
        "1\tthe-cat\tthe-cat\tNN\tNN\tthe\tthe_\tDT\t2\tNMOD\t_\tA0",
        "2\t_\t_\t_\tNN\tcat\tcat_\tNN2\t0\tROOT\tcat.01\t_",
    )
    SENTENCE_2009 = block(
        "1\tthe\tthel\tthep\tD\tDP\tf=1\tf=2\t2\t9\tNMOD\tNMODP\t_\t_\tA0",
        "2\tcat\tcatl\tcatp\tN\tNP\tf=3\tf=4\t0\t1\tROOT\tX\tY\tcat.01\t_",
    )

    def test_conll2008(self) -> None:
        document = Document(self.SENTENCE_2008.encode(), format="conll2008")
        words = document.sentences[0].words
        assert [(w.form, w.lemma, w.upos, w.xpos, w.feats, w.head, w.deprel) for w in words] == [
            ("the", "the_", "NN", "DT", "_", 2, "NMOD"),
            ("cat", "cat_", "_", "NN2", "_", 0, "ROOT"),
        ]
        changed = document.replace(
            lemmas=["a", "b"], upos=["U", "V"], xpos=["S", "T"], heads=[0, 1], deprels=["R", "Q"]
        )
        assert changed.to_bytes() == (
            b"1\tthe-cat\tthe-cat\tU\tNN\tthe\ta\tS\t0\tR\t_\tA0\n2\t_\t_\tV\tNN\tcat\tb\tT\t1\tQ\tcat.01\t_\n\n"
        )

    def test_conll2009(self) -> None:
        document = Document(self.SENTENCE_2009.encode(), format="conll2009")
        words = document.sentences[0].words
        assert [(w.form, w.lemma, w.upos, w.xpos, w.feats, w.head, w.deprel) for w in words] == [
            ("the", "thel", "D", "DP", "f=1", 2, "NMOD"),
            ("cat", "catl", "N", "NP", "f=3", 0, "ROOT"),
        ]
        assert (
            document.replace(heads=[0, 1]).to_bytes()
            == self.SENTENCE_2009.replace("\t2\t9", "\t0\t9").replace("\t0\t1\tROOT", "\t1\t1\tROOT").encode()
        )

    def test_conllx_keeps_its_last_columns(self) -> None:
        text = block("1\ta\tl\tC\tP\tf\t0\tROOT\t7\tX").encode()
        document = Document(text, format="conllx")
        assert document.sentences[0].words[0].deps == document.sentences[0].words[0].misc == "_"
        assert document.replace(deprels=["Y"]).to_bytes() == text.replace(b"ROOT", b"Y")
        assert document.to_conllu() == block("1\ta\tl\tC\tP\tf\t0\tROOT\t_\t_")

    def test_too_few_columns(self) -> None:
        with pytest.raises(FormatError, match="9 columns where conll2008 has 10 or more"):
            Document(row(columns=9).encode(), format="conll2008")
        with pytest.raises(FormatError, match="column 13 is empty"):
            Document(row(columns=12).encode() + b"\t\t_", format="conll2009")
