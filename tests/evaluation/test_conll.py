# SPDX-License-Identifier: Apache-2.0
"""The CoNLL 2018 metrics on sentences small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.errors import FormatError
from accord.evaluation import Score, evaluate
from tests.evaluation.small_treebank import Sentence, Token, Word, sentence

OFFICIAL_NAMES = [
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX",
]  # fmt: skip


def counts(score: Score) -> tuple[int, int, int, int | None]:
    return score.correct, score.gold_total, score.system_total, score.aligned_total


SHE_READS = sentence(
    "She 2 nsubj PRON Case=Nom|Number=Sing she PRP",
    "reads 0 root VERB Number=Sing|Tense=Pres read VBZ",
    "the 4 det DET Definite=Def the DT",
    "book 2 obj NOUN Number=Sing book NN",
    ". 2 punct PUNCT _ . .",
)


def test_the_same_document_scores_a_hundred_under_all_official_names() -> None:
    evaluation = evaluate([SHE_READS, SHE_READS], [SHE_READS, SHE_READS])
    assert list(evaluation) == OFFICIAL_NAMES
    for name, score in evaluation.items():
        assert (score.precision, score.recall, score.f1) == (100, 100, 100)
        assert score.aligned_accuracy == (None if name in ("Tokens", "Sentences", "Words") else 100)


def test_documents_may_be_generators() -> None:
    assert evaluate(iter([SHE_READS]), (s for s in [SHE_READS]))["LAS"].f1 == 100


def test_each_tag_column_is_counted_alone_and_together() -> None:
    system = sentence(
        "She 2 nsubj NOUN Case=Nom|Number=Sing she PRP",  # UPOS wrong
        "reads 0 root VERB Number=Sing|Tense=Pres read VB",  # XPOS wrong
        "the 4 det DET Definite=Ind the DT",  # features wrong
        "book 2 obj NOUN Number=Sing books NN",  # lemma wrong
        ". 2 punct PUNCT _ . .",
    )
    evaluation = evaluate([SHE_READS], [system])
    assert counts(evaluation["UPOS"]) == (4, 5, 5, 5)
    assert counts(evaluation["XPOS"]) == (4, 5, 5, 5)
    assert counts(evaluation["UFeats"]) == (4, 5, 5, 5)
    assert counts(evaluation["AllTags"]) == (2, 5, 5, 5)  # book and the full stop
    assert counts(evaluation["Lemmas"]) == (4, 5, 5, 5)
    assert evaluation["LAS"].f1 == 100
    assert counts(evaluation["CLAS"]) == (3, 3, 3, 3)  # nsubj, root, obj
    # MLAS: She has a wrong UPOS; book has a child whose features are wrong; reads is right, for XPOS does not count.
    assert counts(evaluation["MLAS"]) == (1, 3, 3, 3)
    assert counts(evaluation["BLEX"]) == (2, 3, 3, 3)  # all but book


def test_features_outside_the_universal_list_and_their_order_do_not_count() -> None:
    gold = sentence("a 0 root X Typo=Yes|Case=Nom|Number=Sing")
    system = sentence("a 0 root X Number=Sing|Case=Nom|Style=Coll")
    assert evaluate([gold], [system])["UFeats"].f1 == 100
    assert evaluate([gold], [sentence("a 0 root X Case=Nom")])["UFeats"].f1 == 0


def test_a_gold_lemma_left_open_accepts_every_lemma_but_not_the_reverse() -> None:
    open_lemma, lemma = sentence("a 0 root X _ _"), sentence("a 0 root X _ b")
    assert evaluate([open_lemma], [lemma])["Lemmas"].f1 == 100
    assert evaluate([open_lemma], [lemma])["BLEX"].f1 == 100
    assert evaluate([lemma], [open_lemma])["Lemmas"].f1 == 0
    assert evaluate([lemma], [open_lemma])["BLEX"].f1 == 0


def test_a_token_split_in_two_costs_precision_and_recall() -> None:
    gold = sentence("ab 2 nsubj", "c 0 root", "d 2 obj")
    system = sentence("a 3 nsubj", "b 1 flat", "c 0 root", "d 3 obj")
    evaluation = evaluate([gold], [system])
    # Of ab|c|d and a|b|c|d the tokens c and d are common: P = 2/4, R = 2/3, F1 = 4/7.
    assert counts(evaluation["Tokens"]) == (2, 3, 4, None)
    assert evaluation["Tokens"].f1 == pytest.approx(400 / 7)
    assert counts(evaluation["Words"]) == (2, 3, 4, None)
    assert evaluation["Sentences"].f1 == 100
    # c is root on both sides, d hangs from the word that is aligned to gold's c although its number differs.
    assert counts(evaluation["UAS"]) == (2, 3, 4, 2)
    assert evaluation["UAS"].aligned_accuracy == 100


def test_a_head_that_is_not_aligned_is_wrong() -> None:
    gold = sentence("ab 0 root", "c 1 obj")
    system = sentence("a 0 root", "b 1 flat", "c 1 obj")
    assert counts(evaluate([gold], [system])["UAS"]) == (0, 2, 3, 1)


def test_a_multiword_token_missed_by_the_system() -> None:
    gold = sentence("er 2 nsubj", "geht 0 root", "in 5 case", "das 5 det", "Haus 2 obl", multiword=[(3, 4, "ins")])
    system = sentence("er 2 nsubj", "geht 0 root", "ins 4 case", "Haus 2 obl")
    evaluation = evaluate([gold], [system])
    assert evaluation["Tokens"].f1 == 100  # er, geht, ins, Haus: the surface is the same
    # Within "ins" the forms in, das | ins have nothing in common.
    assert counts(evaluation["Words"]) == (3, 5, 4, None)
    assert counts(evaluation["LAS"]) == (3, 5, 4, 3)
    # Haus loses MLAS: its functional children in, das are not those of the system (ins).
    assert counts(evaluation["CLAS"]) == (3, 3, 3, 3)
    assert counts(evaluation["MLAS"]) == (2, 3, 3, 3)


def test_multiword_tokens_split_differently_are_aligned_by_their_forms() -> None:
    # "dámelo" = da me lo | Da melo: case does not count, da is common, me, lo, melo are not.
    gold = sentence("da 0 root", "me 1 iobj", "lo 1 obj", "ya 1 advmod", multiword=[(1, 3, "dámelo")])
    system = sentence("Da 0 root", "melo 1 obj", "ya 1 advmod", multiword=[(1, 2, "dámelo")])
    evaluation = evaluate([gold], [system])
    assert counts(evaluation["Words"]) == (2, 4, 3, None)
    assert counts(evaluation["LAS"]) == (2, 4, 3, 2)


def test_overlapping_multiword_tokens_form_one_block() -> None:
    # Characters abcd: gold ab|cd with cd = c d; system abc|d with abc = ab c. The plain gold word ab starts before
    # gold's block but inside the system's: the block is abcd, with words ab c d on both sides.
    gold = sentence("ab 0 root", "c 1 obj", "d 1 obl", multiword=[(2, 3, "cd")])
    system = sentence("ab 0 root", "c 1 obj", "d 1 obl", multiword=[(1, 2, "abc")])
    evaluation = evaluate([gold], [system])
    assert counts(evaluation["Tokens"]) == (0, 2, 2, None)
    assert counts(evaluation["Words"]) == (3, 3, 3, None)
    assert evaluation["LAS"].f1 == 100


def test_a_plain_word_that_sticks_out_behind_a_multiword_token_is_not_in_its_block() -> None:
    # Characters abc: gold ab (= x bc) and c; system a and bc. The word bc ends behind ab, so it meets no word of it.
    gold = sentence("x 0 root", "bc 1 obj", "c 1 obl", multiword=[(1, 2, "ab")])
    system = sentence("a 0 root", "bc 1 obj")
    assert counts(evaluate([gold], [system])["Words"]) == (0, 3, 2, None)
    assert counts(evaluate([system], [gold])["Words"]) == (0, 2, 3, None)


def test_a_plain_word_that_sticks_out_before_a_multiword_token_is_not_in_its_block() -> None:
    # Characters abc: gold a and bc (= ab c); system ab and c. The word ab starts before bc, so only c is in common.
    gold = sentence("a 0 root", "ab 1 obj", "c 1 obl", multiword=[(2, 3, "bc")])
    system = sentence("ab 0 root", "c 1 obj")
    assert counts(evaluate([gold], [system])["Words"]) == (1, 3, 2, None)
    assert counts(evaluate([system], [gold])["Words"]) == (1, 2, 3, None)


def test_sentences_split_differently_keep_their_words() -> None:
    gold = [sentence("a 0 root", "b 1 obj"), sentence("c 0 root", "d 1 obj"), sentence("e 0 root")]
    system = [sentence("a 0 root", "b 1 obj", "c 1 parataxis", "d 3 obj"), sentence("e 0 root")]
    evaluation = evaluate(gold, system)
    assert counts(evaluation["Sentences"]) == (1, 3, 2, None)  # the sentence e
    assert evaluation["Words"].f1 == 100
    assert counts(evaluation["LAS"]) == (4, 5, 5, 5)  # c is no root in the system
    assert counts(evaluation["UAS"]) == (4, 5, 5, 5)


def test_subtypes_are_dropped() -> None:
    gold = sentence("a 2 nsubj:pass", "b 0 root", "c 2 obl:agent")
    system = sentence("a 2 nsubj", "b 0 root", "c 2 obj:agent")
    evaluation = evaluate([gold], [system])
    assert counts(evaluation["LAS"]) == (2, 3, 3, 3)
    assert counts(evaluation["CLAS"]) == (2, 3, 3, 3)


def test_content_words_are_counted_on_each_side_by_its_own_relations() -> None:
    gold = sentence("a 3 det", "b 3 amod", "c 0 root")
    system = sentence("a 3 amod", "b 3 case", "c 0 root")
    # Gold content: b, c. System content: a, c. Right: c. Aligned content words are gold's.
    assert counts(evaluate([gold], [system])["CLAS"]) == (1, 2, 2, 2)
    # A relation that is neither content nor function, such as punct or the UD 1 label dobj, is in no count.
    unknown = sentence("a 3 punct", "b 3 dobj", "c 0 root")
    assert counts(evaluate([unknown], [unknown])["CLAS"]) == (1, 1, 1, 1)


def test_mlas_wants_the_same_functional_children() -> None:
    gold = sentence("the 2 det", "cat 0 root", "too 2 advmod")
    extra_child = sentence("the 2 det", "cat 0 root", "too 2 cc")
    lost_child = sentence("the 3 det", "cat 0 root", "too 2 advmod")
    other_relation = sentence("the 2 case", "cat 0 root", "too 2 advmod")
    no_function = sentence("the 2 dep", "cat 0 root", "too 2 advmod")
    for system in (extra_child, lost_child, other_relation, no_function):
        evaluation = evaluate([gold], [system])
        word_is_right = system is not extra_child
        assert evaluation["CLAS"].correct == 1 + word_is_right
        # too keeps its point except where it became a cc, or got a functional child
        assert evaluation["MLAS"].correct == (1 if system in (other_relation, no_function) else 0)


def test_mlas_wants_the_functional_children_to_be_the_same_words() -> None:
    gold = sentence("a 3 det", "b 3 punct", "c 0 root")
    system = sentence("a 3 punct", "b 3 det", "c 0 root")
    assert counts(evaluate([gold], [system])["CLAS"]) == (1, 1, 1, 1)
    assert counts(evaluate([gold], [system])["MLAS"]) == (0, 1, 1, 1)


def test_several_roots_are_accepted() -> None:
    two_roots = sentence("a 0 root", "b 0 root")
    assert counts(evaluate([two_roots], [sentence("a 0 root", "b 1 conj")])["UAS"]) == (1, 2, 2, 2)


def test_whitespace_inside_forms_does_not_count() -> None:
    with_space = Sentence((Word(1, "10 000", head=0, deprel="root"),), (Token(1, 1, "10\u00a0000"),))
    assert evaluate([with_space], [sentence("10000 0 root")])["Words"].f1 == 100


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ([sentence("a 0 root", "c 1 obj")], "system: the text differs from gold at character 2 .*'b', found 'c'"),
        ([sentence("a 0 root")], "character 2 .*expected 'b', found 'the end'"),
        ([sentence("a 0 root", "b 1 obj", "c 1 obj")], "character 3 .*expected 'the end', found 'c'"),
        ([sentence("a 0 root", "b ? obj")], r"system: sentence 1: word 2 \('b'\) has no head"),
        ([sentence("a 0 root", "b 3 obj")], r"head 3 of word 2 is out of range 0\.\.2"),
        ([sentence("a 2 obj", "b 1 obj")], "sentence 1: the heads form a cycle: 1 → 2 → 1"),
        ([sentence("a 0 root"), sentence("b 1 obj")], "sentence 2: the heads form a cycle: 1 → 1"),
        ([Sentence((), ())], "sentence 1: it has no words"),
        ([Sentence((Word(1, "ab", head=0),), ())], "its tokens cover 0 of 1 words"),
        ([Sentence((Word(1, "ab", head=0),), (Token(2, 2, "ab"),))], "expected to start at 1"),
        ([Sentence((Word(1, " ", head=0),), (Token(1, 1, " "),))], "the token of word 1 has an empty form"),
    ],
)
def test_documents_that_cannot_be_scored_are_named(system: list[Sentence], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        evaluate([sentence("a 0 root", "b 1 obj")], system)


def test_a_defect_of_gold_is_reported_under_its_name() -> None:
    with pytest.raises(FormatError, match=r"^dev\.conllu: sentence 1: the heads form a cycle"):
        evaluate([sentence("a 1 obj")], [sentence("a 0 root")], gold_name="dev.conllu")


def test_json_and_table_hold_the_same_figures() -> None:
    evaluation = evaluate([SHE_READS], [sentence("She 2 obj", "reads 0 root", "the 4 det", "book 2 obj", ". 2 punct")])
    report = evaluation.to_json()
    assert list(report) == OFFICIAL_NAMES
    assert report["LAS"]["f1"] == 80.0
    assert report["Words"]["aligned_accuracy"] is None
    rows = evaluation.rows()
    assert rows[OFFICIAL_NAMES.index("LAS")] == ("LAS", "80.00", "80.00", "80.00", "80.00")
    assert rows[0] == ("Tokens", "100.00", "100.00", "100.00", "")
    assert len(evaluation.table().splitlines()) == 2 + len(OFFICIAL_NAMES)


def test_scores_of_two_files_add_up_to_the_score_of_both() -> None:
    other = sentence("She 2 obj", "reads 0 root", "the 2 det", "book 2 obj", ". 2 punct")
    together = evaluate([SHE_READS, SHE_READS], [other, SHE_READS])
    assert (evaluate([SHE_READS], [other]) + evaluate([SHE_READS], [SHE_READS])).to_json() == together.to_json()


@st.composite
def flat_sentences(draw: st.DrawFn, text: str) -> list[Sentence]:
    """The characters of ``text`` cut into sentences of plain and multiword tokens, every word a root."""
    sentences: list[Sentence] = []
    lines: list[str] = []
    multiword: list[tuple[int, int, str]] = []
    token = ""
    for character in text:
        token += character
        if character != text[-1] and draw(st.booleans()):
            continue
        first = len(lines) + 1
        words = draw(st.one_of(st.just([token]), st.lists(st.sampled_from("abc"), min_size=2, max_size=3)))
        lines.extend(f"{word} 0 root" for word in words)
        if len(words) > 1:
            multiword.append((first, len(lines), token))
        token = ""
        if character == text[-1] or draw(st.integers(0, 3)) == 0:
            sentences.append(sentence(*lines, multiword=multiword))
            lines, multiword = [], []
    return sentences


@settings(deadline=None)
@given(flat_sentences("abcdefgh"), flat_sentences("abcdefgh"))
def test_exchanging_gold_and_system_exchanges_precision_and_recall(
    gold: list[Sentence], system: list[Sentence]
) -> None:
    there, back = evaluate(gold, system), evaluate(system, gold)
    for name in ("Tokens", "Sentences"):  # word blocks lean on gold where tokens overlap, so Words need not agree
        assert there[name].precision == back[name].recall
        assert there[name].recall == back[name].precision
    assert evaluate(gold, gold)["LAS"].f1 == 100
