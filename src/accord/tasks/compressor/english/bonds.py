# SPDX-License-Identifier: Apache-2.0
"""Words that English keeps together with their heads: without them the rest is no sentence or says something else.

Six kinds of words, found in the tree and not learnt from any corpus:

* relative and question words, with all that stands between them and their clause (*the lake in which he swam*);
* what belongs to a number (*more than 40,000*) or to a comparison (*as old as*);
* words that change what a noun stands for (*most homes*, *the former minister*);
* the partners of *between*, *both*, *either* and *neither*, and the conjunction before what is listed last;
* possessive pronouns and particles of verbs;
* commas, brackets and quotation marks around a part of a sentence: they stay and go with the part.

Less strongly, a verb without an object keeps what stands right behind it (*lived near the lake*).
"""

from __future__ import annotations

from accord.tasks.compressor.analysis import Analysis

_CLAUSES = frozenset(("acl", "advcl", "ccomp", "csubj", "xcomp", "parataxis", "conj", "root"))
_NUMBERS = ("most", "many", "few", "several", "some", "all", "half", "each", "every", "no", "any")
_DOUBTS = ("former", "alleged", "suspected", "so-called", "would-be", "potential", "possible", "likely", "unlikely")
_CHANGING = frozenset((*_NUMBERS, *_DOUBTS, "fake", "false", "deputy", "vice", "acting"))
_COMPARING = frozenset(("more", "less", "most", "least", "as", "so", "too", "enough", "than", "how", "very"))
_PARTNERS = frozenset(("between", "both", "either", "neither"))
_QUESTION_TAGS = frozenset(("WDT", "WP", "WP$", "WRB"))


def bonds_of(analysis: Analysis) -> set[int]:
    """The words that are bound to their heads."""
    labels = [label.partition(":")[0] for label in analysis.deprels]
    lower = [form.lower() for form in analysis.forms]
    partnered = {analysis.heads[word] - 1 for word, form in enumerate(lower) if form in _PARTNERS}
    bound = {word for word in range(len(analysis)) if _is_bound(analysis, word, labels, lower, partnered)}
    for word, tag in enumerate(analysis.xpos):
        if tag in _QUESTION_TAGS:
            bound.update(_below_clause(analysis, word, labels))
    return bound


def places_of(analysis: Analysis) -> set[int]:
    """Words that tell where or how, right behind an active verb without an object: *lived near the lake*."""
    heads, labels = [head - 1 for head in analysis.heads], analysis.deprels
    others = {
        head
        for head, label in zip(heads, labels, strict=True)
        if label in ("obj", "ccomp", "xcomp", "aux:pass", "nsubj:pass")
    }
    found = set()
    for verb, tag in enumerate(analysis.upos[:-1]):
        if tag != "VERB" or verb in others:
            continue
        word = verb + 1
        for _ in heads:  # up to the verb, if the next word is below it
            if heads[word] < 0 or heads[word] == verb:
                break
            word = heads[word]
        if heads[word] == verb and labels[word].startswith("obl"):
            found.add(word)
    return found


def _is_bound(analysis: Analysis, word: int, labels: list[str], lower: list[str], partnered: set[int]) -> bool:
    head, label = analysis.heads[word] - 1, labels[word]
    if head < 0 or label == "punct":
        return head >= 0
    if label == "cc":
        return labels[head] == "conj" and word > 0
    if label == "conj":
        return head in partnered
    if label == "compound" and analysis.upos[head] == "VERB":
        return True  # a subject that the parser took for a part of the verb, mostly
    if analysis.upos[head] == "NUM" and label not in ("acl", "appos", "parataxis", "advcl"):
        return True
    if label == "advmod" and analysis.upos[head] in ("ADJ", "ADV", "DET"):
        return lower[word] in _COMPARING
    return lower[word] in _CHANGING or analysis.xpos[word] in ("PRP$", "RP") or lower[word] in _PARTNERS


def _below_clause(analysis: Analysis, word: int, labels: list[str]) -> list[int]:
    """A word and the words above it, up to the top of its clause and without it."""
    path: list[int] = []
    while word >= 0 and labels[word] not in _CLAUSES and len(path) <= len(labels):
        path.append(word)
        word = analysis.heads[word] - 1
    return path
