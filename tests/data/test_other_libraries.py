# SPDX-License-Identifier: Apache-2.0
"""What users of other libraries bring: their names for things, their objects, and caches that go by pickles."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.data import Document, elsewhere, read
from accord.drawing import draw_sentence
from accord.errors import AccordError, ConfigError

UD = Path(__file__).parents[3] / "shared" / "data" / "ud"
TEXT = "Angela Merkel didn't see  John.\n\nShe left."


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    found = accord.load("en")
    assert isinstance(found, accord.Pipeline)
    return found


@pytest.fixture(scope="module")
def document(nlp: accord.Pipeline) -> Document:
    return nlp(TEXT)


def test_names_of_other_libraries_are_translated(nlp: accord.Pipeline, document: Document) -> None:
    word, token = document[0].words[0], document[0].tokens[0]
    for thing, name, here in (
        (document, "sents", "document.sentences"),
        (document, "ents", "document.entities"),
        (document[0], "ents", "document.entities"),
        (word, "dep_", "word.deprel"),
        (word, "idx", "word.start"),
        (token, "text", "word.form"),
        (nlp, "pipe_names", "nlp.tokenizer"),
    ):
        assert not hasattr(thing, name)
        with pytest.raises(AttributeError, match=f"{name}'; it is {here}"):
            getattr(thing, name)
    with pytest.raises(AttributeError, match=r"^'Word' object has no attribute 'colour'$"):
        word.colour  # type: ignore[attr-defined]  # noqa: B018


def test_names_that_are_translated_are_not_there_and_those_they_point_to_are(
    nlp: accord.Pipeline, document: Document
) -> None:
    things = {"word": document[0].words[0], "sentence": document[0], "document": document, "nlp": nlp}
    tables = {"word": elsewhere.WORD, "sentence": elsewhere.SENTENCE}
    tables |= {"document": elsewhere.DOCUMENT, "nlp": elsewhere.PIPELINE}
    for kind, names in tables.items():
        for name, here in names.items():
            assert not hasattr(things[kind], name), name
            owner, dot, attribute = here.partition("(")[0].partition(",")[0].partition(".")
            if dot and owner in things:
                attribute = attribute.split()[0].split(".")[0]
                assert hasattr(things[owner], attribute), here


def test_copies_of_a_pipeline_pickle_to_the_same_bytes(nlp: accord.Pipeline) -> None:
    before = pickle.dumps(nlp)
    copy = pickle.loads(before)
    copy(TEXT)
    assert pickle.dumps(copy) == before and copy.fingerprint() == nlp.fingerprint()
    other = accord.load("en", precision="float32")
    assert other.fingerprint() != nlp.fingerprint() != accord.load("en", lexicon=["New York"]).fingerprint()


@pytest.mark.parametrize(
    ("mistake", "reason"),
    [
        (
            lambda nlp, document: nlp.kbest("They saw her."),
            r"kbest takes one sentence, not a str: nlp.tokenize\(text\)",
        ),
        (lambda nlp, document: nlp.kbest(document), "kbest takes one sentence, not a Document"),
        (lambda nlp, document: nlp.tagger("They"), r"a pipeline takes texts, nlp\(text\)"),
        (lambda nlp, document: Document("text"), r"the bytes of a file, not a str: Document.from_conllu\(text\)"),
        (lambda nlp, document: Document.from_conllu(UD), "from_conllu takes a text, not a PosixPath: accord.data.read"),
        (lambda nlp, document: draw_sentence(document), "draws one sentence, not a Document; draw_page"),
        (lambda nlp, document: draw_sentence(document[0], "png"), "one of text, svg, not 'png'"),
    ],
)
def test_mistakes_with_documents_are_told(
    nlp: accord.Pipeline, document: Document, mistake: Callable[[Any, Any], Any], reason: str
) -> None:
    with pytest.raises(AccordError, match=reason):
        mistake(nlp, document)


@pytest.mark.parametrize("lexicon", [5, [1], ["a", None]])
def test_a_lexicon_that_is_no_list_of_words_is_told(lexicon: Any) -> None:
    with pytest.raises(ConfigError, match="lexicon: "):
        accord.load("en", lexicon=lexicon)


def test_texts_and_sentences_can_be_tagged_alone(nlp: accord.Pipeline, document: Document) -> None:
    assert nlp.tag("They left.").column("upos") == ["PRON", "VERB", "PUNCT"]
    assert nlp.tag(document[1]).column("upos") == document[1:].column("upos")


def test_a_sentence_is_drawn_in_a_notebook(document: Document) -> None:
    shown = document[0]._repr_html_()
    assert (
        shown.count("<svg ") == 1 and "Angela Merkel didn't see" in shown and draw_sentence(document[0]).count("nsubj")
    )


def test_a_doc_of_spacy_says_how_it_becomes_a_document(nlp: accord.Pipeline) -> None:
    spacy = pytest.importorskip("spacy")
    with pytest.raises(AccordError, match=r"Document.from_spacy\(doc\)"):
        nlp(spacy.blank("en")("They left."))


def test_spacy_gives_a_document_back_byte_for_byte(document: Document) -> None:
    spacy = pytest.importorskip("spacy")
    tokens = pytest.importorskip("spacy.tokens")
    doc = document.to_spacy()
    back = Document.from_spacy(doc)
    assert back.to_conllu() == document.labelled.to_conllu() and back.text == TEXT
    box = tokens.DocBin(store_user_data=True, docs=[doc])
    (stored,) = tokens.DocBin().from_bytes(box.to_bytes()).get_docs(spacy.blank("xx").vocab)
    assert Document.from_spacy(stored).to_conllu() == back.to_conllu()


def test_what_was_changed_in_spacy_is_kept_beside_what_spacy_does_not_know(document: Document) -> None:
    pytest.importorskip("spacy")
    span = pytest.importorskip("spacy.tokens").Span
    doc = document.to_spacy()
    doc[2].lemma_, doc[0].dep_ = "DO", "obj"
    doc.set_ents([span(doc, 0, 2, "ORG")])
    back = Document.from_spacy(doc)
    assert (back[0].words[2].lemma, back[0].deprels[0], back[0].ranges) == ("DO", "obj", document[0].ranges)
    assert [(one.text, one.label) for one in back.entities] == [("Angela Merkel", "ORG")]
    assert back[1].to_conllu().replace("|NER=O", "").replace("NER=O", "_") == document[1].to_conllu()
    merged = doc[0:3].as_doc(copy_user_data=True)  # other tokens than those of the document
    assert Document.from_spacy(merged).column("form") == ["Angela", "Merkel", "did"]


@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
@pytest.mark.parametrize("name", ["fr_sequoia-ud-test", "de_lit-ud-test", "en_ewt-ud-dev"])
def test_treebanks_come_back_from_spacy_byte_for_byte(name: str) -> None:
    pytest.importorskip("spacy")
    treebank = read(UD / f"{name}.conllu.xz")[:150]
    assert Document.from_spacy(treebank.to_spacy()).to_conllu() == treebank.to_conllu()


def test_tags_that_spacy_does_not_know_come_back() -> None:
    pytest.importorskip("spacy")
    rows = "1\tEn\t_\tDT\t_\t_\t2\tdet\t_\t_\n2\tbok\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    document = Document.from_conllu(rows)
    doc = document.to_spacy()
    assert [token.pos_ for token in doc] == ["", "NOUN"] and Document.from_spacy(doc).to_conllu() == rows
    doc[0].pos_ = "DET"
    assert Document.from_spacy(doc).column("upos") == ["DET", "NOUN"]
