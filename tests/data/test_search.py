# SPDX-License-Identifier: Apache-2.0
"""Patterns find what plain enumeration finds, and rules change that and nothing else."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data import Document, Sentence, read
from accord.data.search import Pattern, Rewriter
from accord.errors import ConfigError

UD = Path(__file__).parents[3] / "shared" / "data" / "ud"
TREE = Sentence.from_words(
    ["They", "never", "saw", "old", "dogs"],
    lemmas=["they", "never", "see", "old", "dog"],
    upos=["PRON", "ADV", "VERB", "ADJ", "NOUN"],
    feats=["Case=Nom", "_", "Tense=Past|VerbForm=Fin", "Degree=Pos", "Number=Plur"],
    heads=[3, 3, 0, 5, 3],
    deprels=["nsubj", "advmod", "root", "amod", "obj"],
    misc=["_", "Gloss=not", "_", "_", "_"],
)


def found(pattern: str, *sentences: Sentence) -> list[dict[str, int]]:
    return [match.words for match in Pattern(pattern).search(Document.from_sentences(sentences or (TREE,)))]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("V[upos=VERB]", [{"V": 3}]),
        ("[lemma=see] >obj O", [{"_1": 3, "O": 5}]),
        ("O <obj|nsubj V", [{"O": 1, "V": 3}, {"O": 5, "V": 3}]),
        ("V >> A[upos=ADJ]", [{"V": 3, "A": 4}, {"V": 5, "A": 4}]),
        ("A << V[upos=VERB]; A[Degree]", [{"A": 4, "V": 3}]),
        ("A . B[upos=NOUN]", [{"A": 4, "B": 5}]),
        ("S[Case=Nom] .. N[Number=Plur]", [{"S": 1, "N": 5}]),
        ("V[upos=VERB]; !V >obj []", []),
        ("V[upos=VERB]; !V >iobj []", [{"V": 3}]),
        ("N[upos=NOUN|PRON]; !N > [upos=ADJ]", [{"N": 1}]),
        ("X[form~^[ot]]", [{"X": 4}]),
        ("X[!Tense, upos!~^(A|P)]", [{"X": 5}]),
        ("X[misc.Gloss=not]", [{"X": 2}]),
        ("A[upos=ADJ] < N < V", [{"A": 4, "N": 5, "V": 3}]),
        ("X[id=1]; X[upos=VERB]", []),
    ],
)
def test_patterns_find_words(pattern: str, words: list[dict[str, int]]) -> None:
    assert sorted(found(pattern), key=str) == sorted(words, key=str)


def test_labels_with_a_star_take_subtypes() -> None:
    tree = Sentence.from_words(["a", "b", "c"], heads=[0, 1, 1], deprels=["root", "nsubj:pass", "nsubjx"])
    assert found("[] >nsubj* S", tree) == [{"_1": 1, "S": 2}]
    assert found("[] >nsubj S", tree) == []


@st.composite
def trees(draw: st.DrawFn) -> Sentence:
    size = draw(st.integers(1, 6))
    heads = [0] + [draw(st.integers(1, i)) for i in range(1, size)]
    order = draw(st.permutations(range(size)))
    place = {old: new + 1 for new, old in enumerate(order)}
    mixed: list[int] = [0] * size
    for old, head in enumerate(heads):
        mixed[place[old] - 1] = 0 if head == 0 else place[head - 1]
    labels = ["root" if head == 0 else draw(st.sampled_from(["a", "b"])) for head in mixed]
    tags = [draw(st.sampled_from(["X", "Y"])) for _ in range(size)]
    return Sentence.from_words([f"w{i}" for i in range(size)], upos=tags, heads=mixed, deprels=labels)


def above(tree: Sentence, one: int, other: int) -> bool:
    return one in [word.id for word in tree.words[other - 1].ancestors]


@settings(max_examples=60, deadline=None)
@given(trees())
def test_search_equals_enumeration(tree: Sentence) -> None:
    words = range(1, len(tree) + 1)
    heads, labels, tags = tree.heads, tree.deprels, [word.upos for word in tree.words]
    pairs = list(itertools.permutations(words, 2))
    assert {(m["A"], m["B"]) for m in found("A[upos=X] >a B", tree)} == {
        (a, b) for a, b in pairs if heads[b - 1] == a and labels[b - 1] == "a" and tags[a - 1] == "X"
    }
    assert {(m["A"], m["B"]) for m in found("A >> B; B .. A", tree)} == {
        (a, b) for a, b in pairs if above(tree, a, b) and b < a
    }
    assert {m["A"] for m in found("A[upos=Y]; !A >b []", tree)} == {
        a for a in words if tags[a - 1] == "Y" and not any(heads[b - 1] == a and labels[b - 1] == "b" for b in words)
    }
    assert {(m["A"], m["B"]) for m in found("A[] . B[]; !A > B; !B > A", tree)} == {
        (a, a + 1) for a in words if a + 1 in words and heads[a] != a and heads[a - 1] != a + 1
    }


WRONG = ["", "V[upos=VERB", "!V >obj []", "V >", "V[=x]", "V[form~(]", "> V", "V ? W"]
# Expressions that Python's reader refuses by other errors than its own.
HARD = [f"V[form~{'(' * 5000}]", "V[form~a{99999999999999999999}]"]


@pytest.mark.parametrize("pattern", WRONG + HARD)
def test_wrong_patterns_are_told(pattern: str) -> None:
    with pytest.raises(ConfigError, match=r"pattern|condition"):
        Pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        ("upos=VERB", r"conditions stand in brackets: \[upos=VERB\]"),
        ("V upos=VERB", r"conditions stand in brackets: \[upos=VERB\]"),
        ("pattern { V -[nsubj]-> S }", "an arc is written V >nsubj S"),
        ("[pos=VERB]", "no column is named 'pos'; did you mean 'upos'"),
        ("[lema=see]", "did you mean 'lemma'"),
        ("[colour=red]", "there are id, form, lemma"),
    ],
)
def test_mistakes_in_patterns_come_with_what_is_meant(pattern: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        Pattern(pattern)


def test_entries_without_a_capital_are_asked_for_by_their_column() -> None:
    tree = Sentence.from_words(["a", "b"], heads=[2, 0], feats=["num=1", "_"], misc=["_", "gloss=x"])
    assert found("A[feats.num=1]", tree) == [{"A": 1}] and found("A[misc.gloss=x]", tree) == [{"A": 2}]


def test_tags_that_stand_as_names_are_doubted() -> None:
    (doubt,) = Pattern("VERB > O[upos=NOUN]").doubts
    assert doubt.endswith("VERB[upos=VERB]")
    assert not Pattern("VERB[upos=VERB] > X").doubts


def test_enhanced_arcs_change_with_those_of_the_tree() -> None:
    rows = ["1\tgo\t_\tVERB\t_\t_\t0\troot\t0:root\t_", "2\tto\t_\tADP\t_\t_\t3\tcase\t3:case\t_"]
    rows += ["3\tRome\t_\tPROPN\t_\t_\t1\tobl\t1:obl:to|5:conj\t_", "4\tor\t_\tCCONJ\t_\t_\t5\tcc\t_\t_"]
    rows += ["5\tBonn\t_\tPROPN\t_\t_\t3\tconj\t1:obl:to|3:conj:or\t_"]
    document = Document.from_conllu("\n".join(rows) + "\n\n")
    changed, _ = Rewriter(["[] >obl O => O.deprel=nmod"])(document)
    assert changed[0].words[2].deps == "1:nmod:to|5:conj" and changed[0].words[1].deps == "3:case"
    changed, _ = Rewriter(["R[form=go]; B[form=Bonn] => B.head=R"])(document)
    assert changed[0].words[4].deps == "1:conj:or|1:obl:to" and changed[0].heads[4] == 1
    changed, _ = Rewriter(["C[form=or] => C.deprel=mark"])(document)
    assert changed[0].words[3].deps == "_"


@pytest.mark.parametrize("edit", ["O.label=obj", "O.pos=NOUN", "O.misc=_", "O.deps=_", "O.id=3"])
def test_edits_of_what_is_no_column_are_refused(edit: str) -> None:
    with pytest.raises(ConfigError, match=r"no column is named|not changed as a whole"):
        Rewriter([f"[] >obj O => {edit}"])


def test_rules_change_what_matches() -> None:
    rules = ["V[upos=VERB] >obj O => O.deprel=obl; O.Case=Acc; O.Number=", "A[upos=ADJ] < N < V => A.head=V",
             "X[upos=PRON] => X.lemma=X.form; X.misc.Seen=Yes"]  # fmt: skip
    changed, count = Rewriter(rules)(Document.from_sentences([TREE]))
    words = changed[0].words
    assert count == 3
    assert (words[4].deprel, str(words[4].feats), words[3].head) == ("obl", "Case=Acc", 3)
    assert (words[0].lemma, words[0].misc) == ("They", "Seen=Yes")


def test_sentences_without_a_match_keep_their_bytes() -> None:
    text = "# odd  comment\n1\tX\t_\t_\t_\t_\t0\troot\t_\tb=2|a=1\n\n"
    changed, count = Rewriter(["A[upos=NOUN] => A.upos=PROPN"])(Document.from_conllu(text + TREE.to_conllu()))
    assert count == 1 and changed.to_conllu().startswith(text)


@pytest.mark.parametrize("rule", ["A => ", "A", "A => B.upos=X", "A => A.head=9", "A => A.upos="])
def test_wrong_rules_are_told(rule: str) -> None:
    with pytest.raises(ConfigError):
        Rewriter([rule])


def test_a_rule_that_breaks_the_tree_is_told() -> None:
    with pytest.raises(ConfigError, match="cycle"):
        Rewriter(["V[upos=VERB] >obj O => V.head=O"])(Document.from_sentences([TREE]))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
def test_udapi_finds_the_same(tmp_path: Path) -> None:
    udapi = pytest.importorskip("udapi.core.document")
    document = read(UD / "en_ewt-ud-dev.conllu.xz")[:200]
    document.write(tmp_path / "some.conllu")
    theirs = [
        (node.root.sent_id, node.ord, child.ord)
        for bundle in udapi.Document(str(tmp_path / "some.conllu")).bundles
        for node in bundle.get_tree().descendants
        for child in node.children
        if node.upos == "VERB" and child.deprel == "obj" and child.feats["Number"] == "Plur"
    ]
    ours = [
        (match.sentence.sent_id, match.words["V"], match.words["O"])
        for match in Pattern("V[upos=VERB] >obj O[Number=Plur]").search(document)
    ]
    assert sorted(ours) == sorted(theirs) and ours
