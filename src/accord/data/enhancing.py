# SPDX-License-Identifier: Apache-2.0
"""Enhanced dependencies of English by rules over basic trees (Schuster & Manning 2016; the UD guidelines).

- labels say the preposition or conjunction: ``obl:in``, ``nmod:of``, ``advcl:if``, ``conj:and``
- conjuncts share the head of the first one, and verbs that are conjuncts share its subject
- the subject of an open clause is the object or subject of the clause above: ``nsubj:xsubj``
- what a relative clause modifies is an argument inside the clause, and the relative pronoun its ``ref``

Elided predicates get no empty nodes. Linear in the words, but for chains of conjuncts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from accord.data.document import Document
from accord.data.sentence import Sentence
from accord.data.word import Word

_CASED = ("nmod", "obl", "acl", "advcl")
_WITHOUT_CASE = ("acl:relcl", "advcl:relcl", "obl:unmarked", "nmod:unmarked", "obl:agent")
_SUBJECTS = ("nsubj", "nsubj:pass", "csubj", "csubj:pass", "nsubj:outer")
_RELATIVE = ("who", "whom", "which", "that", "whose", "where", "when", "why")
_NOT_SHARED = ("root", "parataxis", "punct", "cc")

Arcs = dict[tuple[int, str], None]  # head and label; a dictionary keeps their order


def enhance(document: Document) -> Document:
    """The document with DEPS made from its trees; sentences without a whole tree are left as they are."""
    parts = []
    native = document.native
    for index, sentence in enumerate(document.sentences):
        whole = len(sentence) > 0 and all(head is not None for head in sentence.heads)
        text = enhanced_sentence(sentence).to_conllu().encode() if whole else bytes(native.text(index)) + b"\n"
        parts.append(text)
    return Document(b"".join(parts), name=document.name, on_error="keep" if document.problems else "raise")


def enhanced_sentence(sentence: Sentence) -> Sentence:
    """The sentence with DEPS; empty nodes that it had are taken away.

    >>> words = ["Dogs", "eat", "and", "sleep"]
    >>> tree = Sentence.from_words(words, lemmas=words, upos=["NOUN", "VERB", "CCONJ", "VERB"],
    ...                            heads=[2, 0, 4, 2], deprels=["nsubj", "root", "cc", "conj"])
    >>> [word.deps for word in enhanced_sentence(tree).words]
    ['2:nsubj|4:nsubj', '0:root', '4:cc', '2:conj:and']
    """
    arcs: list[Arcs] = [{(word.head or 0, _label(word)): None} for word in sentence.words]
    _relative_clauses(sentence, arcs)
    _share_conjuncts(sentence, arcs)
    _open_clauses(sentence, arcs)
    words = tuple(
        dataclasses.replace(word, deps=_column(found)) for word, found in zip(sentence.words, arcs, strict=True)
    )
    return dataclasses.replace(sentence, words=words, empty_nodes=())


def _column(arcs: Arcs) -> str:
    return "|".join(f"{head}:{label}" for head, label in sorted(arcs))


def _label(word: Word) -> str:
    """The label with the words that introduce it."""
    base = word.deprel.split(":")[0]
    if base == "conj":
        marks = [child for child in word.children if child.deprel == "cc"]
        return f"conj:{_lemma(marks[0])}" if marks else _borrowed_conjunction(word)
    if base not in _CASED or word.deprel in ("nmod:poss", *_WITHOUT_CASE):
        return word.deprel
    kind = "mark" if base in ("acl", "advcl") else "case"
    marks = [child for child in word.children if child.deprel == kind and child.id < word.id]
    if not marks and kind == "mark":
        marks = [child for child in word.children if child.deprel == "case" and child.id < word.id]
    if not marks:
        return word.deprel
    names = [_lemma(part) for mark in marks for part in (mark, *(c for c in mark.children if c.deprel == "fixed"))]
    return f"{word.deprel}:{'_'.join(names)}"


def _borrowed_conjunction(word: Word) -> str:
    """Of "a, b and c", b takes the conjunction of c."""
    head = word.head_word
    later = [child for child in head.children if child.deprel == "conj" and child.id > word.id] if head else []
    for other in later:
        for child in other.children:
            if child.deprel == "cc":
                return f"conj:{_lemma(child)}"
    return "conj"


def _lemma(word: Word) -> str:
    return {"/": "slash", "&": "and"}.get(word.form, word.form.lower())


def _share_conjuncts(sentence: Sentence, arcs: list[Arcs]) -> None:
    """Conjuncts get the arcs of the first one; verbs among them its subject."""
    for word in sentence.words:
        first = word.head_word
        if word.deprel.split(":")[0] != "conj" or first is None:
            continue
        for head, label in list(arcs[first.id - 1]):
            if label.split(":")[0] in ("conj", *_NOT_SHARED) and label != "root":
                continue
            if label == "root" or head == word.id:
                continue
            own = _relabelled(label, first, word)
            arcs[word.id - 1][head, own] = None
        if not any(child.deprel in _SUBJECTS for child in word.children) and word.upos in ("VERB", "AUX", "ADJ"):
            for child in first.children:
                if child.deprel in _SUBJECTS and child.id < word.id and first.upos == word.upos:
                    arcs[child.id - 1][word.id, child.deprel] = None


def _relabelled(label: str, first: Word, word: Word) -> str:
    """The label of the first conjunct for another: with its own preposition where it has one."""
    base = label.split(":")[0]
    if base in _CASED and any(child.deprel in ("case", "mark") and child.id < word.id for child in word.children):
        return _with_own_case(word, first.deprel)
    return label


def _with_own_case(word: Word, deprel: str) -> str:
    marks = [child for child in word.children if child.deprel in ("case", "mark") and child.id < word.id]
    names = [_lemma(part) for mark in marks for part in (mark, *(c for c in mark.children if c.deprel == "fixed"))]
    return f"{deprel}:{'_'.join(names)}"


def _open_clauses(sentence: Sentence, arcs: list[Arcs]) -> None:
    """The subject of an xcomp: the object of the clause above, else its subject."""
    for word in sentence.words:
        above = word.head_word
        if word.deprel != "xcomp" or above is None or any(child.deprel in _SUBJECTS for child in word.children):
            continue
        for subject in _controllers(above):
            arcs[subject.id - 1][word.id, "nsubj:xsubj"] = None


def _controllers(above: Word) -> Iterator[Word]:
    objects = [child for child in above.children if child.deprel in ("obj", "iobj")]
    if objects:
        yield objects[0]
        return
    word: Word | None = above
    while word is not None:
        subjects = [child for child in word.children if child.deprel in _SUBJECTS[:2]]
        if subjects:
            yield subjects[0]
            return
        word = word.head_word if word.deprel.split(":")[0] in ("xcomp", "conj") else None


def _relative_clauses(sentence: Sentence, arcs: list[Arcs]) -> None:
    """The antecedent takes the place of the relative pronoun, and the pronoun is its ref."""
    for clause in sentence.words:
        antecedent = clause.head_word
        if clause.deprel != "acl:relcl" or antecedent is None:
            continue
        pronouns = [word for word in clause.subtree if _is_relative(word) and word.id < clause.id]
        if not pronouns:
            continue
        pronoun = pronouns[0]
        head, label = next(iter(arcs[pronoun.id - 1]))
        if head == antecedent.id or pronoun.id < antecedent.id:
            continue
        if label not in ("mark", "det", "advmod"):
            arcs[antecedent.id - 1][head, label] = None
        elif label == "advmod":
            arcs[antecedent.id - 1][head, "obl"] = None
        else:
            continue
        arcs[pronoun.id - 1] = {(antecedent.id, "ref"): None}


def _is_relative(word: Word) -> bool:
    return word.feats.get("PronType") == "Rel" or (
        _lemma(word) in _RELATIVE and word.upos in ("PRON", "ADV") and word.feats.get("PronType") in (None, "Rel")
    )
