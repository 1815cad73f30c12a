# SPDX-License-Identifier: Apache-2.0
"""Tiny training data that the examples of all tasks are made of: sentences like *the cat saw a dog in Rio .*"""

from __future__ import annotations

from accord.data import Document

_SUBJECTS = (("the", "cat"), ("a", "dog"), ("the", "girls"), ("", "Ana"), ("", "Bo"))
_VERBS = ("saw", "liked", "found")
_OBJECTS = (("a", "dog"), ("the", "cats"), ("", "Ana"))
_PLACES = ("", "Rio", "Oslo")
_PROPER = {"Ana": "PER", "Bo": "PER", "Rio": "LOC", "Oslo": "LOC"}
_LEMMAS = {"girls": "girl", "cats": "cat", "saw": "see", "liked": "like", "found": "find", "a": "a"}

Word = tuple[str, str, int, str, str]  # form, UPOS, head, label, entity


def _words(number: int) -> list[Word]:
    """The words of one of the sentences."""
    words: list[Word] = []

    def phrase(determiner: str, noun: str, head: int, label: str) -> None:
        if determiner:
            words.append((determiner, "DET", len(words) + 2, "det", "O"))
        entity = _PROPER.get(noun)
        words.append((noun, "PROPN" if entity else "NOUN", head, label, f"B-{entity}" if entity else "O"))

    subject = _SUBJECTS[number % len(_SUBJECTS)]
    verb = 3 if subject[0] else 2
    phrase(*subject, verb, "nsubj")
    words.append((_VERBS[number % len(_VERBS)], "VERB", 0, "root", "O"))
    phrase(*_OBJECTS[number // 3 % len(_OBJECTS)], verb, "obj")
    place = _PLACES[number // 2 % len(_PLACES)]
    if place:
        words.append(("in", "ADP", len(words) + 2, "case", "O"))
        phrase("", place, verb, "obl")
    words.append((".", "PUNCT", verb, "punct", "O"))
    return words


def tiny_treebank(count: int, first: int = 0) -> Document:
    """So many sentences with tags, lemmas, trees and entities (``NER`` in MISC)."""
    blocks = []
    for number in range(first, first + count):
        words = _words(number)
        text = " ".join(form for form, *_ in words).replace(" .", ".")
        rows = [f"# text = {text}"]
        for index, (form, upos, head, label, entity) in enumerate(words, 1):
            feats = "Number=Plur" if form in ("girls", "cats") else "_"
            misc = f"NER={entity}" + ("|SpaceAfter=No" if index == len(words) - 1 else "")
            lemma = _LEMMAS.get(form, form)
            rows.append(f"{index}\t{form}\t{lemma}\t{upos}\t{upos[0]}\t{feats}\t{head}\t{label}\t_\t{misc}")
        blocks.append("\n".join(rows) + "\n\n")
    return Document.from_conllu("".join(blocks), name="tiny treebank")


def tiny_constituents(count: int, first: int = 0) -> Document:
    """The same sentences with trees of phrases instead of dependencies, in a comment."""
    document = tiny_treebank(count, first)
    trees = []
    for sentence in document.sentences:
        tags = [word.xpos for word in sentence.words]
        verb = next(number for number, word in enumerate(sentence.words) if word.deprel == "root")
        place = next((number for number, word in enumerate(sentence.words) if word.form == "in"), None)
        end = len(tags) - 1
        trees.append(
            f"(S {_noun_phrase(tags, 0, verb)} (VP ({tags[verb]} {verb + 1}) "
            f"{_noun_phrase(tags, verb + 1, end if place is None else place)}"
            + ("" if place is None else f" (PP ({tags[place]} {place + 1}) {_noun_phrase(tags, place + 1, end)})")
            + f") ({tags[end]} {end + 1}))"
        )
    return document.with_comments("constituents", trees)


def _noun_phrase(tags: list[str], begin: int, end: int) -> str:
    return f"(NP {' '.join(f'({tags[word]} {word + 1})' for word in range(begin, end))})"


def tiny_entities(count: int, first: int = 0) -> list[str]:
    """The entity labels of the words of :func:`tiny_treebank`."""
    return [entity for number in range(first, first + count) for *_, entity in _words(number)]


def tiny_words(count: int, first: int = 0) -> list[list[str]]:
    """The words of its sentences, to be found in text without blanks."""
    return [[form for form, *_ in _words(number)] for number in range(first, first + count)]


def tiny_tagged_words(count: int, first: int = 0) -> list[list[tuple[str, str]]]:
    """Its words and their parts of speech."""
    return [[(form, upos) for form, upos, *_ in _words(number)] for number in range(first, first + count)]
