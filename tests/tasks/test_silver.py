# SPDX-License-Identifier: Apache-2.0
"""Annotated text as training data: other typography, mended lemmas, and no word or arc lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.data import Document, Sentence
from accord.errors import ConfigError, FormatError
from accord.tasks.examples import tiny_treebank
from accord.tasks.pipeline.silver import EMOJI, Variation, read_lemmas, vary

NOTHING = Variation(capitals=0, headline=0, lower=0, curly=0, emoji=0)


def sentence(forms: str, xpos: str = "") -> Document:
    words = forms.split()
    heads = [0, *range(1, len(words))]
    return Document.from_sentences([
        Sentence.from_words(
            words, heads=heads, deprels=["root", *["dep"] * (len(words) - 1)], upos=["NOUN"] * len(words),
            xpos=xpos.split() or ["NN"] * len(words), lemmas=words,
        )
    ])  # fmt: skip


def forms(document: Document, **shares: float) -> list[str]:
    return Document.from_conllu(vary(document, Variation(**{**vars(NOTHING), **shares}))).column("form")


def test_without_shares_nothing_changes() -> None:
    known = tiny_treebank(20)
    for found in (vary(known), vary(known, NOTHING)):
        again = Document.from_conllu(found)
        for name in ("form", "lemma", "upos", "xpos", "feats", "deprel"):
            assert again.column(name) == known.column(name)
        assert again.heads.tolist() == known.heads.tolist()


def test_capitals_headlines_and_lower_case() -> None:
    known = sentence("Dogs often chase the red cats .")
    assert forms(known, capitals=1) == ["DOGS", "OFTEN", "CHASE", "THE", "RED", "CATS", "."]
    assert forms(known, lower=1) == ["dogs", "often", "chase", "the", "red", "cats", "."]
    assert forms(known, headline=1) == ["Dogs", "Often", "Chase", "the", "red", "Cats"]


def test_a_stop_with_words_below_it_stays() -> None:
    known = Document.from_sentences([
        Sentence.from_words(["Dogs", "run", "now", "."], heads=[2, 0, 4, 2], deprels=["nsubj", "root", "dep", "punct"])
    ])  # fmt: skip
    assert forms(known, headline=1)[-1] == "."


def test_quotes_dashes_and_apostrophes() -> None:
    assert forms(sentence('" It is n\'t " -- he said'), curly=1)[:6] == ["“", "It", "is", "n’t", "”", "—"] or forms(
        sentence('" It is n\'t " -- he said'), curly=1
    )[5] in ("—", "–")
    assert forms(sentence("well - known", "RB HYPH JJ"), curly=1) == ["well", "-", "known"]
    found = Document.from_conllu(vary(sentence('" x "'), Variation(**{**vars(NOTHING), "curly": 1.0})))
    assert found.column("lemma") == ["“", "x", "”"]


def test_an_emoji_is_a_symbol_under_the_root() -> None:
    found = Document.from_conllu(vary(sentence("Nice day"), Variation(**{**vars(NOTHING), "emoji": 1.0})))
    assert found.column("form")[-1] in EMOJI and found.column("upos")[-1] == "SYM"
    assert found.heads.tolist()[-1] == 1 and found.column("deprel")[-1] == "discourse"


@given(st.integers(0, 10**6), st.floats(0, 0.3), st.floats(0, 1))
def test_every_variation_is_a_treebank_with_the_same_arcs(seed: int, share: float, curly: float) -> None:
    known = tiny_treebank(6)
    variation = Variation(share, share, share, curly, 0)
    found = Document.from_conllu(vary(known, variation, seed=seed))
    assert not found.check_trees(single_root=True) and len(found) == len(known)
    for old, new in zip(known.sentences, found.sentences, strict=True):
        kept = len(new)  # a headline has no stop at the end
        assert len(old) - kept in (0, 1)
        assert list(new.heads) == list(old.heads)[:kept]
        assert vary(known, variation, seed=seed) == vary(known, variation, seed=seed)


def test_lemmas_of_a_list(tmp_path: Path) -> None:
    (tmp_path / "lemmas.txt").write_text("Dogs\tNOUN\tdog\nleft\tNOUN\tleft\nleft\tNOUN\tleave\n", encoding="utf-8")
    lemmas = read_lemmas(tmp_path / "lemmas.txt")
    assert lemmas == {("dogs", "NOUN"): ("dog",), ("left", "NOUN"): ("left", "leave")}
    found = Document.from_conllu(vary(sentence("Dogs left Bo"), None, lemmas))
    assert found.column("lemma") == ["dog", "left", "Bo"]


@pytest.mark.parametrize(
    "line", [b"dogs\tNOUN", b"dogs", b"\tNOUN\tdog", b"dogs\tNOUN\t", b"dogs\t\tdog", b"\xff\tNOUN\tx"]
)
def test_broken_lists_are_refused_with_their_line(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "lemmas.txt"
    path.write_bytes(b"cats\tNOUN\tcat\n" + line + b"\n")
    with pytest.raises(FormatError, match="expected a form") as caught:
        read_lemmas(path)
    assert caught.value.line == 2
    with pytest.raises(ConfigError, match="no such file"):
        read_lemmas(tmp_path / "missing.txt")
