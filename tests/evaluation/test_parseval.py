# SPDX-License-Identifier: Apache-2.0
"""PARSEVAL: figures counted by hand, equality with a plain loop over brackets, and the measure over characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accord.data.constituents import Constituents, category
from accord.errors import ConfigError, FormatError
from accord.evaluation.bracket_parameters import BracketParameters
from accord.evaluation.parseval import COLLINS, Bracketing, parseval
from tests.data.constituents.random_trees import constituents, forms_of

PLAIN = BracketParameters.load("plain")


def bracketing(text: str) -> Bracketing:
    return Bracketing(*Constituents.from_text(text))


def test_a_sentence_counted_by_hand() -> None:
    """Gold: S, NP, VP, NP, PP, NP. System: S, NP, VP, NP, PRT as ADVP, and a tag that is wrong."""
    gold = bracketing("(TOP (S (NP-SBJ (PRP we)) (VP (VBD gave) (PRT (RP up)) (NP (DT the) (NN plan))) (. .)))")
    system = bracketing("(S (NP (PRP we)) (VP (VBD gave) (ADVP (RB up)) (NP (DT the)) (NN plan)) (. .))")
    score = parseval([gold], [system])
    counts = score.sentences[0]
    assert (counts.correct, counts.gold, counts.system) == (4, 5, 5)  # S, NP, VP, and ADVP for PRT
    assert (counts.tags, counts.words, counts.length) == (4, 5, 6)
    assert score.recall == score.precision == score.f1 == pytest.approx(80)
    assert score.complete == 0 and score.crossing == 0


def test_punctuation_moves_no_bracket() -> None:
    gold = bracketing("(S (NP (NN a)) (, ,) (VP (VB b)) (. .))")
    system = bracketing("(S (NP (NN a) (, ,)) (VP (VB b) (. .)))")
    assert parseval([gold], [system]).complete == 100
    assert parseval([gold], [system], PLAIN).complete == 0


def test_equal_brackets_are_matched_once_each() -> None:
    gold = bracketing("(NP (NP (NN a) (NN b)))")
    once, thrice = bracketing("(NP (NN a) (NN b))"), bracketing("(NP (NP (NP (NN a) (NN b))))")
    assert parseval([gold], [once]).sentences[0].correct == 1
    assert parseval([gold], [thrice]).sentences[0].correct == 2


def test_crossing_brackets_are_counted_once_each() -> None:
    gold = bracketing("(S (A (X a) (X b)) (B (X c) (X d)))")
    system = bracketing("(S (X a) (C (X b) (X c)) (X d))")
    counts = parseval([gold], [system]).sentences[0]
    assert counts.crossing == 1
    score = parseval([gold, gold], [system, gold])
    assert score.crossing == 0.5 and score.crossing_at_most(0) == 50 and score.crossing_at_most(2) == 100


def test_sentences_without_a_tree_are_skipped_and_told() -> None:
    gold = bracketing("(S (NN a))")
    score = parseval([gold, gold], [gold, Bracketing(None, ())])
    assert score.f1 == 100 and score.to_json()["skipped"] == 1
    assert score.counts().tolist() == [[1, 1, 1], [0, 1, 0]]  # a test of significance holds it against the system


def naive(gold: Constituents, system: Constituents, parameters: BracketParameters) -> tuple[int, int, int, int]:
    """Sets of words for spans, and a loop over all pairs."""
    kept = [number for number, tag in enumerate(gold.tags) if category(tag) not in parameters.delete]

    def brackets(tree: Constituents) -> list[tuple[frozenset[int], str]]:
        found = []
        for phrase in tree.phrases:
            words = frozenset(range(phrase.begin, phrase.end)) & frozenset(kept)
            if words and phrase.category and phrase.category not in parameters.delete:
                label = "ADVP" if phrase.category == "PRT" and parameters.equal_labels else phrase.category
                found.append((words, label))
        return found

    wanted, found = brackets(gold), brackets(system)
    left = list(wanted)
    correct = 0
    for one in found:
        if one in left:
            left.remove(one)
            correct += 1
    crossing = sum(any(one & other and one - other and other - one for other, _ in wanted) for one, _ in found)
    return correct, len(wanted), len(found), crossing


@settings(deadline=None)
@given(constituents(6, empties=False), st.data(), st.sampled_from([COLLINS, PLAIN]))
def test_counts_are_those_of_a_plain_loop(
    gold: Constituents, data: st.DataObject, parameters: BracketParameters
) -> None:
    system = data.draw(constituents(6, empties=False).filter(lambda tree: tree.words == gold.words))
    forms = forms_of(gold)
    counts = parseval([Bracketing(gold, forms)], [Bracketing(system, forms)], parameters).sentences[0]
    assert (counts.correct, counts.gold, counts.system, counts.crossing) == naive(gold, system, parameters)


@settings(deadline=None)
@given(constituents(6, empties=False), st.data(), st.sampled_from([COLLINS, PLAIN]))
def test_with_equal_words_characters_count_as_words_do(
    gold: Constituents, data: st.DataObject, parameters: BracketParameters
) -> None:
    system = data.draw(constituents(6, empties=False).filter(lambda tree: tree.words == gold.words))
    forms = forms_of(gold)
    pair = [Bracketing(gold, forms)], [Bracketing(system, forms)]
    words = parseval(*pair, parameters).sentences[0]
    characters = parseval(*pair, parameters, over_characters=True).sentences[0]
    assert (words.correct, words.gold, words.system, words.crossing, words.tags) == (
        *(characters.correct, characters.gold, characters.system, characters.crossing, characters.tags),
    )


def test_wrong_boundaries_inside_a_bracket_make_it_wrong() -> None:
    """The noun phrase over characters 0 to 5 with a boundary at 2 is not the one with a boundary at 3."""
    gold = bracketing("(S (NP (NN ab) (NN cde)) (VP (VV f)))")
    system = bracketing("(S (NP (NN abc) (NN de)) (VP (VV f)))")
    score = parseval([gold], [system], PLAIN, over_characters=True)
    assert (score.sentences[0].correct, score.sentences[0].gold) == (1, 3)  # VP alone
    assert score.sentences[0].tags == 1
    assert parseval([gold], [gold], PLAIN, over_characters=True).f1 == 100


def test_unequal_sentences_are_refused_with_their_number() -> None:
    one, two = bracketing("(S (NN a))"), bracketing("(S (NN b))")
    with pytest.raises(FormatError, match="sentence 2: word 1 is 'b', and in gold 'a'"):
        parseval([one, one], [one, two])
    with pytest.raises(FormatError, match="gold has 1 sentences"):
        parseval([one], [one, one])
    with pytest.raises(FormatError, match="sentence 1: 2 words, and gold has 1"):
        parseval([one], [bracketing("(S (NN a) (NN b))")])
    with pytest.raises(FormatError, match="the text is 'b'"):
        parseval([one], [two], over_characters=True)


def test_parameters_come_from_a_file_of_evalb(tmp_path: Path) -> None:
    file = tmp_path / "my.prm"
    file.write_text("##\nDEBUG 0\nCUTOFF_LEN 10\nLABELED 0\nDELETE_LABEL X\nEQ_WORD a b\n", encoding="utf-8")
    parameters = BracketParameters.load(file)
    assert parameters.cutoff == 10 and not parameters.labelled and parameters.delete == {"X"}
    score = parseval([bracketing("(S (NN a))")], [bracketing("(NP (NN b))")], parameters)
    assert score.f1 == 100
    file.write_text("DELETE_LABELS X\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"my\.prm:1"):
        BracketParameters.load(file)
    with pytest.raises(ConfigError, match="collins"):
        BracketParameters.load("no-such-parameters")


SAMPLE = """DELETE_LABEL TOP
DELETE_LABEL -NONE-
DELETE_LABEL :
DELETE_LABEL_FOR_LENGTH -NONE-
EQ_LABEL T TT
EQ_WORD This this
"""
THIS = "(S (A (P this)) (B (Q is) (A (R a) (T test))))"


@pytest.mark.parametrize(
    ("gold", "system", "counts"),
    [
        (THIS, "(S (A (P this)) (B (Q is) (C (R a) (T test))))", (3, 4, 4, 0, 4, 4)),
        (THIS, "(S (A (P this)) (B (Q is) (A (R a) (U test))))", (4, 4, 4, 0, 4, 3)),
        (THIS, "(S (A (P this) (Q is)) (A (R a) (T test)))", (2, 4, 3, 1, 4, 4)),
        (THIS, "(S (P this) (Q is) (R a) (T test))", (1, 4, 1, 0, 4, 4)),
        (THIS, "(S (A (P this)) (B (Q is) (A (A (A (A (A (R a) (T test))))))))", (4, 4, 8, 0, 4, 4)),
        (THIS, "(TOP (S (A (P this)) (B (Q is) (A (R a) (T test)))))", (4, 4, 4, 0, 4, 4)),
        (THIS, "(S (A (P This)) (B (Q is) (A (R a) (TT test))))", (4, 4, 4, 0, 4, 4)),
        (THIS[:-1] + " (: *))", THIS[:-1] + " (: *))", (4, 4, 4, 0, 4, 4)),
        (THIS[:-1] + " (-NONE- *))", THIS[:-1] + " (-NONE- *))", (4, 4, 4, 0, 4, 4)),
    ],
)
def test_counts_are_those_of_evalb_on_its_own_sample(gold: str, system: str, counts: tuple[int, ...]) -> None:
    """Sentences of the sample that comes with evalb (in the public domain), with the counts that evalb prints."""
    one = parseval([bracketing(gold)], [bracketing(system)], BracketParameters.parse(SAMPLE)).sentences[0]
    assert (one.correct, one.gold, one.system, one.crossing, one.words, one.tags) == counts


def test_a_quote_that_the_system_takes_for_something_else_counts() -> None:
    """Its gold tag is deleted and the system's is not; evalb's `new.prm` names such tags."""
    gold = bracketing("(TOP (S (NP (NP (NNS dogs)) ('' ')) (VP (VBP bark))))")
    system = bracketing("(TOP (S (NP (NP (NNS dogs)) (POS ')) (VP (VBP bark))))")
    parameters = BracketParameters.parse("DELETE_LABEL TOP\nDELETE_LABEL ''\nQUOTE_LABEL ''\nQUOTE_LABEL POS\n")
    one = parseval([gold], [system], parameters).sentences[0]
    assert (one.correct, one.gold, one.system, one.words, one.tags) == (4, 4, 4, 3, 2)
    assert parseval([gold], [system], COLLINS).sentences[0].words == 2
    assert parseval([system], [gold], parameters).sentences[0].words == 3


@pytest.mark.parametrize("over_characters", [False, True])
def test_a_sentence_of_which_no_word_counts_is_left_out(over_characters: bool) -> None:
    dots, words = bracketing("(FRAG (. .))"), bracketing("(S (NN a))")
    score = parseval([dots, words], [dots, words], over_characters=over_characters)
    assert [one.skipped for one in score.sentences] == [True, False]
    assert score.complete == 100 and len(score.counted) == 1


def test_collins_ignores_what_the_published_parameters_ignore() -> None:
    assert {"TOP", "-NONE-", ",", ":", "``", "''", "."} <= COLLINS.delete
    assert COLLINS.canonical("PRT") == COLLINS.canonical("ADVP") == "ADVP" and COLLINS.cutoff == 40
