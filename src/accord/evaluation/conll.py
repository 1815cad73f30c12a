# SPDX-License-Identifier: Apache-2.0
"""The metrics of the CoNLL 2018 shared task, for any two analyses of the same text.

Words are aligned first (see ``alignment``), then each metric counts the aligned pairs that agree:

=========  ============================================================================================
Tokens     surface tokens with the same characters
Sentences  sentences with the same characters
Words      aligned words
UPOS ...   words with the same UPOS, XPOS, universal features (UFeats), all three (AllTags), lemma (Lemmas)
UAS, LAS   words with the same head; and the same relation, subtypes dropped
CLAS       LAS over content words
MLAS       CLAS, with UPOS, universal features and the functional children right as well
BLEX       CLAS, with the lemma right as well
=========  ============================================================================================

A gold lemma ``_`` accepts every lemma. CLAS, MLAS and BLEX count the words whose relation is a content relation: gold
words for recall, system words for precision. One difference from the official script: a sentence may have several
roots. Linear in the number of words, but for the multiword blocks of the alignment.

Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from accord.evaluation.alignment import Pair, align
from accord.evaluation.corpus import ROOT, Corpus, CorpusWord, Span, flatten
from accord.evaluation.protocols import DocumentLike
from accord.evaluation.score import Evaluation, Score

CONTENT_RELATIONS = frozenset({
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse", "dislocated",
    "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl", "orphan",
    "parataxis", "reparandum", "root", "vocative", "xcomp",
})  # fmt: skip

WORD_METRICS = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS")
CONTENT_METRICS = ("CLAS", "MLAS", "BLEX")

_UNALIGNED = -2  # stands for a system word that has no gold word: equal to no gold index and not to ROOT


def evaluate(
    gold: DocumentLike, system: DocumentLike, *, gold_name: str = "gold", system_name: str = "system"
) -> Evaluation:
    """Score ``system`` against ``gold``.

    The two must have the same characters, whitespace aside; tokens, words and sentences may differ.

    Parameters
    ----------
    gold, system: documents, that is, sentences with ``words`` and ``tokens`` (see ``protocols``).
    gold_name, system_name: what errors call them, file names for example.

    Returns
    -------
    Thirteen scores under their official names, all figures in percent.

    Raises
    ------
    FormatError: the texts differ, a head is missing or outside its sentence, or the heads form a cycle.
    """
    gold_corpus = flatten(gold, gold_name)
    system_corpus = flatten(system, system_name)
    pairs = align(gold_corpus, system_corpus)
    scores = {
        "Tokens": _span_score(gold_corpus.tokens, system_corpus.tokens),
        "Sentences": _span_score(gold_corpus.sentences, system_corpus.sentences),
        "Words": Score(len(pairs), len(gold_corpus.words), len(system_corpus.words)),
    }
    correct = _count_correct(gold_corpus, system_corpus, pairs)
    for name in WORD_METRICS:
        scores[name] = Score(correct[name], len(gold_corpus.words), len(system_corpus.words), len(pairs))
    gold_content = sum(map(_is_content, gold_corpus.words))
    system_content = sum(map(_is_content, system_corpus.words))
    aligned_content = sum(_is_content(gold_corpus.words[g]) for g, _ in pairs)
    for name in CONTENT_METRICS:
        scores[name] = Score(correct[name], gold_content, system_content, aligned_content)
    return Evaluation(scores)


def _span_score(gold: Sequence[Span], system: Sequence[Span]) -> Score:
    gold_spans = {(span.start, span.end) for span in gold}
    correct = sum((span.start, span.end) in gold_spans for span in system)
    return Score(correct, len(gold), len(system))


def _is_content(word: CorpusWord) -> bool:
    return word.deprel in CONTENT_RELATIONS


def _count_correct(gold: Corpus, system: Corpus, pairs: Sequence[Pair]) -> Counter[str]:
    """For each metric, the number of pairs that agree on it."""
    gold_index = {s: g for g, s in pairs}
    gold_index[ROOT] = ROOT

    def to_gold(system_index: int) -> int:
        return gold_index.get(system_index, _UNALIGNED)

    correct: Counter[str] = Counter()
    for g, s in pairs:
        word, answer = gold.words[g], system.words[s]
        upos, xpos, feats = word.upos == answer.upos, word.xpos == answer.xpos, word.feats == answer.feats
        lemma = word.lemma in ("_", answer.lemma)
        head = word.parent == to_gold(answer.parent)
        relation = head and word.deprel == answer.deprel
        correct["UPOS"] += upos
        correct["XPOS"] += xpos
        correct["UFeats"] += feats
        correct["AllTags"] += upos and xpos and feats
        correct["Lemmas"] += lemma
        correct["UAS"] += head
        correct["LAS"] += relation
        if relation and _is_content(word):
            correct["CLAS"] += 1
            correct["MLAS"] += upos and feats and _same_functional_children(gold, system, word, answer, to_gold)
            correct["BLEX"] += lemma
    return correct


def _same_functional_children(
    gold: Corpus, system: Corpus, word: CorpusWord, answer: CorpusWord, to_gold: Callable[[int], int]
) -> bool:
    if len(word.functional_children) != len(answer.functional_children):
        return False
    for g, s in zip(word.functional_children, answer.functional_children, strict=True):
        child, guess = gold.words[g], system.words[s]
        if g != to_gold(s) or (child.deprel, child.upos, child.feats) != (guess.deprel, guess.upos, guess.feats):
            return False
    return True
