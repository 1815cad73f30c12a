# SPDX-License-Identifier: Apache-2.0
"""Documents as spaCy's ``Doc`` and back. spaCy is optional.

spaCy's tokens are our words: the words of a multiword token ("do", "n't") are tokens without a blank between them.
Blanks other than one are tokens of their own, as spaCy's own are, so that places in the text stay. What a ``Doc`` has
no place for (multiword tokens, comments, empty nodes, DEPS, MISC) is in its ``user_data`` and comes back from there.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from accord.data.entities import entities_of
from accord.data.exchange import optional
from accord.data.sentence import Sentence
from accord.data.spacing import escape
from accord.data.word import Word
from accord.errors import AccordError, described

if TYPE_CHECKING:
    from accord.data.document import Document

KEY = "accord"  # of user_data: the document in CoNLL-U, and its text


def to_spacy(document: Document, vocab: Any = None) -> Any:
    spacy = optional("spacy", "Document.to_spacy")
    tokens = optional("spacy.tokens", "Document.to_spacy")
    vocab = spacy.blank("xx").vocab if vocab is None else vocab
    rows = _rows(document)
    if not any(row["pos"] != "SPACE" for row in rows):
        return tokens.Doc(vocab)
    columns: dict[str, list[Any]] = {name: [row[name] for row in rows] for name in rows[0]}
    if any(head is None for head in columns["heads"]) or not any(columns["deps"]):
        columns.pop("heads"), columns.pop("deps")
    given = {"conllu": document.labelled.to_conllu(), "text": document.text}
    return tokens.Doc(vocab, **columns, user_data={KEY: given})


def _rows(document: Document) -> list[dict[str, Any]]:
    """What spaCy is told of each token: words, and blanks other than one, which are tokens of their own there."""
    text, place = document.text, 0
    rows: list[dict[str, Any]] = []
    for sentence in document.labelled.sentences:
        labels = _entity_labels(sentence, text)
        starts = {token.first: token for token in sentence.tokens}
        first: dict[int, int] = {}
        own: list[dict[str, Any]] = []
        for word, label in zip(sentence.words, labels, strict=True):
            if token := starts.get(word.id):
                _add_blanks(rows, text[place : token.start])
                place = max(place, token.end)
            first[word.id] = len(rows)
            own.append(_row(word, label))
            if len(rows) == 1 and rows[0]["pos"] == "SPACE":
                own[-1]["sent_starts"] = False  # the blanks before it begin the sentence
            rows.append(own[-1])
        for row, word in zip(own, sentence.words, strict=True):
            row["heads"] = None if word.head is None else first[word.head or word.id]
    _add_blanks(rows, text[place:])
    return rows


def _row(word: Word, label: str) -> dict[str, Any]:
    return {
        "words": word.form,
        "spaces": False,
        "tags": "" if word.xpos == "_" else word.xpos,
        "pos": _pos(word.upos),
        "morphs": "" if word.feats == "_" else str(word.feats),
        "lemmas": "" if word.lemma == "_" else word.lemma,
        "heads": None,
        "deps": "ROOT" if word.deprel == "root" else "" if word.deprel == "_" else word.deprel,
        "sent_starts": word.id == 1,
        "ents": label,
    }


def _pos(upos: str) -> str:
    """A part of speech that spaCy knows, or none."""
    known = optional("spacy.parts_of_speech", "Document.to_spacy").IDS
    return upos if upos in known else ""


def _add_blanks(rows: list[dict[str, Any]], blanks: str) -> None:
    """One blank belongs to the token before it; others are a token, which hangs from that one as in spaCy."""
    if rows and blanks.startswith(" "):
        rows[-1]["spaces"] = True
        blanks = blanks[1:]
    if blanks:
        about = {"words": blanks, "lemmas": blanks, "tags": "_SP", "pos": "SPACE", "morphs": "", "deps": "dep"}
        place = {"heads": len(rows) - 1 if rows else 1, "sent_starts": not rows}
        rows.append({**about, **place, "spaces": False, "ents": "O"})


def _entity_labels(sentence: Sentence, text: str) -> list[str]:
    labels = ["O"] * len(sentence.words)
    for entity in entities_of(sentence, text):
        for place, word in enumerate(entity.words):
            labels[word.id - 1] = f"{'B' if place == 0 else 'I'}-{entity.label}"
    return labels


def from_spacy(doc: Any) -> Document:
    from accord.data.document import Document

    if not hasattr(doc, "has_annotation"):
        raise AccordError(f"a Doc of spaCy is expected, not {described(doc)}")
    spans = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    sentences = [_sentence(span) for span in spans if len(span)]
    if isinstance(given := doc.user_data.get(KEY), dict):
        before = list(Document.from_conllu(given["conllu"]))
        if [_spellings(one) for one in before] == [_spellings(one) for one in sentences]:
            merged = (_merged(old, new) for old, new in zip(before, sentences, strict=True))
            native = Document.from_sentences(merged).native
            return Document.from_native(native, name="<spacy>", text=given["text"])
    return Document.from_sentences(sentences, name="<spacy>")


def _spellings(sentence: Sentence) -> list[str]:
    """The forms as a ``Doc`` gives them back."""
    return [_spelling(form) for form in sentence.forms]


def _spelling(form: str) -> str:
    return form.replace(" ", "\u00a0")


def _merged(old: Sentence, new: Sentence) -> Sentence:
    """The sentence that became a ``Doc``, with what was changed there.

    DEPS stay where the tree did, and labels of names where the names did.
    """
    same_tree = old.heads == new.heads and old.deprels == new.deprels
    same_names = _names(old) == _names(new)
    words = []
    for word, other in zip(old.words, new.words, strict=True):
        feats = word.feats if word.feats.mapping == other.feats.mapping else other.feats
        upos = word.upos if (_pos(word.upos) or "_") == other.upos else other.upos
        columns: dict[str, Any] = {"lemma": other.lemma, "upos": upos, "xpos": other.xpos, "feats": feats}
        columns |= {"head": other.head, "deprel": other.deprel, "deps": word.deps if same_tree else "_"}
        misc = word.misc if same_names else _with_name(word.misc, other.misc)
        words.append(dataclasses.replace(word, **columns, misc=misc))
    return Sentence(tuple(words), old.comments, old.ranges, old.empty_nodes)


def _names(sentence: Sentence) -> list[tuple[str, Sequence[int]]]:
    return [(one.label, [word.id for word in one.words]) for one in entities_of(sentence, sentence.text)]


def _with_name(misc: str, other: str) -> str:
    """MISC with the label of a name that another has, in the place of its own."""
    kept = [entry for entry in misc.split("|") if entry != "_" and not entry.startswith(("NER=", "NERSpanConf="))]
    return "|".join([*kept, *(entry for entry in other.split("|") if entry.startswith("NER="))]) or "_"


def _sentence(span: Any) -> Sentence:
    tokens = [token for token in span if not token.is_space] or list(span)
    number = {token.i: place for place, token in enumerate(tokens, 1)}
    parsed = span.doc.has_annotation("DEP")
    return Sentence.from_words(
        [_spelling(token.text) or "_" for token in tokens],
        lemmas=[token.lemma_ or "_" for token in tokens],
        upos=[token.pos_ or "_" for token in tokens],
        xpos=[token.tag_ or "_" for token in tokens],
        feats=[_feats(str(token.morph)) for token in tokens],
        heads=[_head(token, number) for token in tokens] if parsed else None,
        deprels=["root" if token.dep_ == "ROOT" else token.dep_ or "_" for token in tokens] if parsed else None,
        misc=[_misc(token) for token in tokens],
        comments=[f"# text = {' '.join(span.text.split())}"],
    )


def _feats(morph: str) -> str:
    """FEATS in the order of Universal Dependencies; spaCy sorts capitals first."""
    return "|".join(sorted(morph.split("|"), key=str.lower)) or "_"


def _head(token: Any, number: dict[int, int]) -> int:
    return 0 if token.head.i == token.i or token.dep_ == "ROOT" else number.get(token.head.i, 0)


def _blanks(token: Any) -> str:
    """What stands between a token and the next one that is a word."""
    found, place = token.whitespace_, token.i + 1
    while place < len(token.doc) and token.doc[place].is_space:
        found += token.doc[place].text_with_ws
        place += 1
    return str(found)


def _misc(token: Any) -> str:
    blanks = _blanks(token)
    usual = blanks == " " and token.i + 1 < len(token.doc)
    plain = "SpaceAfter=No" if not blanks else None if usual else f"SpacesAfter={escape(blanks)}"
    entries = [] if plain is None else [plain]
    if token.i and token.nbor(-1).i == 0 and token.doc[0].is_space:
        entries.append(f"SpacesBefore={escape(token.doc[0].text_with_ws)}")
    if token.ent_type_:
        entries.append(f"NER={token.ent_iob_}-{token.ent_type_}")
    return "|".join(entries) or "_"
