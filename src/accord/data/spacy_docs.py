# SPDX-License-Identifier: Apache-2.0
"""Documents as spaCy's ``Doc`` and back. spaCy is optional.

spaCy's tokens are our words: the words of a multiword token ("do", "n't") are tokens without a blank between them.
Multiword tokens whose words do not spell them, blanks other than one and comments are lost on the way to spaCy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from accord.data.entities import entities_of
from accord.data.exchange import optional
from accord.data.sentence import Sentence

if TYPE_CHECKING:
    from accord.data.document import Document


def to_spacy(document: Document, vocab: Any = None) -> Any:
    spacy = optional("spacy", "Document.to_spacy")
    tokens = optional("spacy.tokens", "Document.to_spacy")
    vocab = spacy.blank("xx").vocab if vocab is None else vocab
    columns: dict[str, list[Any]] = {
        name: [] for name in ("words", "spaces", "tags", "pos", "morphs", "lemmas", "heads", "deps", "sent_starts")
    }
    for sentence in document.sentences:
        _add(sentence, columns, len(columns["words"]))
    if not columns["words"]:
        return tokens.Doc(vocab)
    if any(head is None for head in columns["heads"]) or not any(columns["deps"]):
        columns.pop("heads"), columns.pop("deps")
    return tokens.Doc(vocab, **columns, ents=_entity_labels(document))


def _add(sentence: Sentence, columns: dict[str, list[Any]], first: int) -> None:
    ends = {token.last: token.space_after for token in sentence.tokens}
    for word in sentence.words:
        columns["words"].append(word.form)
        columns["spaces"].append(ends.get(word.id, False))
        columns["tags"].append("" if word.xpos == "_" else word.xpos)
        columns["pos"].append("" if word.upos == "_" else word.upos)
        columns["morphs"].append("" if word.feats == "_" else str(word.feats))
        columns["lemmas"].append("" if word.lemma == "_" else word.lemma)
        head = word.head
        columns["heads"].append(None if head is None else first + (word.id if head == 0 else head) - 1)
        columns["deps"].append("ROOT" if word.deprel == "root" else "" if word.deprel == "_" else word.deprel)
        columns["sent_starts"].append(word.id == 1)


def _entity_labels(document: Document) -> list[str]:
    labels: list[str] = []
    for sentence in document.labelled.sentences:
        first = len(labels)
        labels += ["O"] * len(sentence.words)
        for entity in entities_of(sentence, document.text):
            for place, word in enumerate(entity.words):
                labels[first + word.id - 1] = f"{'B' if place == 0 else 'I'}-{entity.label}"
    return labels


def from_spacy(doc: Any) -> Document:
    from accord.data.document import Document

    sentences = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
    return Document.from_sentences((_sentence(span) for span in sentences if len(span)), name="<spacy>")


def _sentence(span: Any) -> Sentence:
    tokens = [token for token in span if not token.is_space] or list(span)
    number = {token.i: place for place, token in enumerate(tokens, 1)}
    parsed = span.doc.has_annotation("DEP")
    return Sentence.from_words(
        [token.text.replace(" ", "\u00a0") or "_" for token in tokens],
        lemmas=[token.lemma_ or "_" for token in tokens],
        upos=[token.pos_ or "_" for token in tokens],
        xpos=[token.tag_ or "_" for token in tokens],
        feats=[str(token.morph) or "_" for token in tokens],
        heads=[_head(token, number) for token in tokens] if parsed else None,
        deprels=["root" if token.dep_ == "ROOT" else token.dep_ or "_" for token in tokens] if parsed else None,
        misc=[_misc(token, tokens[place + 1 :]) for place, token in enumerate(tokens)],
        comments=[f"# text = {' '.join(span.text.split())}"],
    )


def _head(token: Any, number: dict[int, int]) -> int:
    return 0 if token.head.i == token.i or token.dep_ == "ROOT" else number.get(token.head.i, 0)


def _misc(token: Any, following: Sequence[Any]) -> str:
    spaced = bool(token.whitespace_) or bool(following and following[0].i > token.i + 1)
    entries = [] if spaced else ["SpaceAfter=No"]
    if token.ent_type_:
        entries.append(f"NER={token.ent_iob_}-{token.ent_type_}")
    return "|".join(entries) or "_"
