# SPDX-License-Identifier: Apache-2.0
"""Documents as people work with them: offsets, features, trees, slices, entities, edits, other libraries, pickles."""

from __future__ import annotations

import concurrent.futures
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Document, Sentence, read
from accord.errors import AccordError, FormatError, MissingDependencyError

UD = Path(__file__).parents[3] / "shared" / "data" / "ud"
TEXT = "They saw the girl.  She didn't\nwave!\n\nNobody in New York slept. "


@pytest.fixture(scope="module")
def nlp() -> accord.Pipeline:
    found = accord.load("en")
    assert isinstance(found, accord.Pipeline)
    return found


@pytest.fixture(scope="module")
def document(nlp: accord.Pipeline) -> Document:
    return nlp(TEXT)


def test_the_text_is_the_input(nlp: accord.Pipeline, document: Document) -> None:
    assert document.text == TEXT
    assert [one.text for one in nlp.pipe(["One.  Two. ", "\tThree"])] == ["One.  Two. ", "\tThree"]
    assert Document.from_conllu(document.to_conllu()).text.rstrip() == TEXT.rstrip()


def test_offsets_are_those_of_the_text(document: Document) -> None:
    for sentence in document:
        for token in sentence.tokens:
            assert TEXT[token.start : token.end] == token.form
        for word in sentence.words:
            assert TEXT[word.start : word.end] == word.form
        assert TEXT[sentence.start : sentence.end] == sentence.text or "\n" in TEXT[sentence.start : sentence.end]
    did, not_ = document[1].words[1:3]
    assert (did.form, not_.form, did.end) == ("did", "n't", not_.start)


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="ab. \n\t'!é\u4e2d\U0001f600", max_size=40))
def test_offsets_hold_for_any_text(text: str) -> None:
    document = accord.Tokenizer.load("en")(text)
    assert document.text == text
    for sentence in document:
        for token in sentence.tokens:
            assert text[token.start : token.end].split() == token.form.split()


def test_words_of_a_token_that_they_do_not_spell_have_its_place() -> None:
    rows = "1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\t_\t_\t_\t_\t_\t_\t_\t_\n2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    sentence = Document.from_conllu(rows)[0]
    assert [(word.start, word.end) for word in sentence.words] == [(0, 2), (0, 2)]


def test_features_are_a_mapping_and_a_text(document: Document) -> None:
    girl = document[0].words[3]
    assert girl.feats["Number"] == "Sing" and str(girl.feats) == "Number=Sing" and girl.feats.get("Tense") is None
    assert "Number" in girl.feats and "Number=Plur" not in girl.feats and dict(girl.feats.items()) == {"Number": "Sing"}
    with pytest.raises(KeyError):
        girl.feats["Tense"]


def test_trees_are_walked(document: Document) -> None:
    they, saw, the, girl, _ = document[0].words
    assert they.head_word == saw and saw.head_word is None and document[0].root == saw
    assert [word.form for word in saw.children] == ["They", "girl", "."]
    assert [word.form for word in girl.subtree] == ["the", "girl"]
    assert the.ancestors == (girl, saw)
    assert [word.form for word in the.path(they)] == ["the", "girl", "saw", "They"]
    assert girl.sentence is document[0] or girl.sentence == document[0]
    with pytest.raises(AccordError, match="in no sentence"):
        accord.data.Word(1, "alone", head=2).head_word  # noqa: B018


def test_indexing_and_slicing(document: Document) -> None:
    assert document[0] == document.sentences[0] and document[-1] == document.sentences[2]
    assert document[1:] == document[1:] or [one.text for one in document[1:]] == [
        s.text for s in document.sentences[1:]
    ]
    assert len(document.sentences[0:2]) == 2 and document[0][1].form == "saw"
    with pytest.raises(IndexError):
        document[9]


def test_edits_make_new_sentences(document: Document) -> None:
    first = document[0]
    edited = first.edited(4, head=1, deprel="obl")
    assert (edited.heads[3], edited.deprels[3]) == (1, "obl") and first.heads[3] == 2
    assert edited.words[3].head_word == edited.words[0] and first.words[3].head_word == first.words[1]
    changed = document.with_sentence(0, edited)
    assert changed[0] == edited and changed[1] == document[1]
    both = first.edited(1, head=np.int64(2), feats={"Case": "Nom", "Number": "Plur"}, misc={}).words[0]
    assert (both.head, both.feats, both.misc) == (2, "Case=Nom|Number=Plur", "_")


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"head": 99}, "head 99 is out of range 0..5"),
        ({"head": "2"}, "head is a str, not the number of a word"),
        ({"head": 1.0}, "head is 1.0"),
        ({"head": True}, "head is True"),
        ({"deprel": None}, "deprel is None, not a text"),
        ({"deprel": "a\tb"}, "deprel = 'a\\\\tb'"),
        ({"lemma": ""}, "lemma = ''"),
        ({"misc": {"A": "b\n"}}, "misc = 'A=b"),
        ({"label": "x"}, "no column 'label' to edit"),
    ],
)
def test_edits_that_fit_no_column_are_told(document: Document, columns: dict[str, object], reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        document[0].edited(1, **columns)


def test_sentences_are_found_by_their_places(document: Document) -> None:
    assert document[np.int64(1)] == document[1]
    for wrong in ("1", 1.0, None):
        with pytest.raises(TypeError, match="counted by whole numbers"):
            document[wrong]  # type: ignore[call-overload]


def test_entities_have_text_label_and_place() -> None:
    sentence = Sentence.from_words(
        ["Ann", "Lee", "met", "Bo", "in", "Rio"],
        misc=["NER=B-PER|NERSpanConf=0.9", "NER=I-PER|NERSpanConf=0.9", "NER=O", "NER=B-PER", "_", "NER=S-LOC"],
    )
    found = Document.from_sentences([sentence, sentence]).entities
    assert [(one.text, one.label) for one in found[:3]] == [("Ann Lee", "PER"), ("Bo", "PER"), ("Rio", "LOC")]
    assert found[0].probability == 0.9 and found[1].probability is None
    text = Document.from_sentences([sentence, sentence]).text
    assert all(text[one.start : one.end] == one.text for one in found) and len(found) == 6


def test_dictionaries_round_trip(document: Document) -> None:
    again = Document.from_dict(document.to_dict())
    assert again.to_conllu() == document.to_conllu()
    assert Sentence.from_dict(document[0].to_dict()) == document[0]
    with pytest.raises(FormatError):
        Document.from_dict({"words": []})


def test_pandas(document: Document) -> None:
    pytest.importorskip("pandas")
    frame = document.to_pandas()
    assert frame.form.tolist() == document.column("form") and frame["head"].tolist() == document.heads.tolist()
    assert [TEXT[a:b] for a, b in zip(frame.start, frame.end, strict=True)] == frame.form.tolist()


def test_networkx(document: Document) -> None:
    networkx = pytest.importorskip("networkx")
    graph = document[0].to_networkx()
    assert networkx.is_arborescence(graph) and graph.edges[2, 4]["deprel"] == "obj" and graph.nodes[2]["form"] == "saw"


def test_what_is_not_installed_is_told(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "networkx", "spacy"):
        monkeypatch.setitem(sys.modules, name, None)
    for ask in (document.to_pandas, document[0].to_networkx, document.to_spacy):
        with pytest.raises(MissingDependencyError, match="pip install"):
            ask()


def test_spacy_round_trip(document: Document) -> None:
    pytest.importorskip("spacy")
    tagged = document.replace(misc=[{"NER": "B-X" if word.form == "Nobody" else "O"} for word in document.words])
    doc = tagged.to_spacy()
    assert [token.text for token in doc if not token.is_space] == document.column("form")
    assert [(entity.text, entity.label_) for entity in doc.ents] == [("Nobody", "X")]
    back = Document.from_spacy(doc)
    for column in ("form", "lemma", "upos", "xpos", "feats", "deprel"):
        assert back.column(column) == document.column(column)
    assert back.heads.tolist() == document.heads.tolist()


@settings(deadline=None)
@given(st.text(st.sampled_from("ab.  \t\n'!"), max_size=30))
def test_texts_survive_spacy(text: str) -> None:
    pytest.importorskip("spacy")
    document = accord.load("en")(text)
    doc = document.to_spacy()
    back = Document.from_spacy(doc)
    if len(document):
        assert doc.text == document.text == back.text == text
    words = [token for token in doc if not token.is_space]
    assert [token.idx for token in words] == [word.start for word in document.words]
    assert [token.dep_ == "ROOT" for token in words] == [word.head == 0 for word in document.words]
    assert back.heads.tolist() == document.heads.tolist() and back.column("feats") == document.column("feats")


def test_a_path_stays_in_its_sentence(document: Document) -> None:
    first, second = document[0].words[0], document[1].words[0]
    with pytest.raises(AccordError, match="within one sentence"):
        first.path(second)
    assert first.path(document[0].words[0]) == (first,)  # the same sentence, read again


@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
def test_treebanks_survive_spacy_and_readers_of_others() -> None:
    spacy = pytest.importorskip("spacy")
    treebank = read(UD / "en_ewt-ud-dev.conllu.xz")[:100]
    whole = treebank.to_spacy(spacy.blank("en").vocab)
    back = Document.from_spacy(whole)
    assert back.heads.tolist() == treebank.heads.tolist() and back.column("deprel") == treebank.column("deprel")
    assert [word.feats.mapping for word in back.words] == [word.feats.mapping for word in treebank.words]
    conllu = pytest.importorskip("conllu")
    theirs = conllu.parse(treebank.to_conllu())
    assert [[word["form"] for word in s if isinstance(word["id"], int)] for s in theirs] == [
        list(s.forms) for s in treebank
    ]
    assert [dict(word.feats.items()) for s in treebank for word in s] == [
        word["feats"] or {} for s in theirs for word in s if isinstance(word["id"], int)
    ]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.skipif(not UD.is_dir(), reason="needs shared data")
def test_udapi_and_pyconll_agree(tmp_path: Path) -> None:
    document = read(UD / "fr_sequoia-ud-test.conllu.xz")[:60]
    document.write(tmp_path / "some.conllu")
    pyconll = pytest.importorskip("pyconll")
    if hasattr(pyconll, "load_from_string"):
        theirs = pyconll.load_from_string(document.to_conllu())
        assert [s.id for s in theirs] == [s.sent_id for s in document]
    udapi = pytest.importorskip("udapi.core.document")
    found = udapi.Document(str(tmp_path / "some.conllu"))
    for tree, sentence in zip((bundle.get_tree() for bundle in found.bundles), document, strict=True):
        nodes = tree.descendants
        assert [node.parent.ord for node in nodes] == list(sentence.heads)
        for node, word in zip(nodes, sentence.words, strict=True):
            assert [child.ord for child in node.children] == [child.id for child in word.children]
            assert [below.ord for below in node.descendants(add_self=True)] == [below.id for below in word.subtree]
            assert node.feats["Number"] == (word.feats.get("Number") or "")


def test_everything_pickles(nlp: accord.Pipeline, document: Document) -> None:
    for thing in (document, document[0], document[0].words[0], document[0].tokens[0], document[1:]):
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing or again.to_bytes() == thing.to_bytes()
    word = pickle.loads(pickle.dumps(document[2])).words[0]
    assert TEXT[word.start : word.end] == "Nobody"
    assert pickle.loads(pickle.dumps(nlp))("They left.").to_bytes() == nlp("They left.").to_bytes()


def lemmas(nlp: accord.Pipeline, text: str) -> list[str]:
    return nlp(text, threads=1).column("lemma")


def test_pipelines_go_to_other_processes(nlp: accord.Pipeline) -> None:
    import multiprocessing

    texts = ["They left.", "She saw dogs."]
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(lemmas, [nlp, nlp], texts))
    assert found == [["they", "leave", "."], ["she", "see", "dog", "."]]


def test_the_fingerprint_of_a_pipeline_is_stable() -> None:
    """What Hugging Face datasets hash: the pickle of a function's pipeline is the same in every process."""
    code = (
        "import accord, hashlib, pickle; nlp = accord.load('zh', lexicon=['华为', '笔记本', '昨天', '今天']);"
        "print(hashlib.sha256(pickle.dumps(nlp, protocol=4)).hexdigest(), nlp.fingerprint())"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={**env, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1 and accord.load("zh").fingerprint() != accord.load("en").fingerprint()


@pytest.mark.parametrize("value", [None, float("nan"), b"bytes", 3, ["One.", "Two."], {}, {"text": "One."}, object()])
def test_what_is_no_text_is_refused(nlp: accord.Pipeline, value: object) -> None:
    with pytest.raises(AccordError):
        nlp(value)  # type: ignore[arg-type]
    with pytest.raises(AccordError, match="item 2 of pipe"):
        list(nlp.pipe(["fine", value]))
    with pytest.raises(AccordError, match="pipe takes many texts"):
        list(nlp.pipe(7))  # type: ignore[arg-type]


def test_many_texts_come_back_one_by_one_in_order(nlp: accord.Pipeline) -> None:
    pandas = pytest.importorskip("pandas")
    texts = ["…two.", "Second doc here", "third one. And more."]
    alone = [nlp(text).to_bytes() for text in texts]
    for source in (lambda: texts, lambda: iter(texts), lambda: pandas.Series(texts), lambda: tuple(texts)):
        for threads in (1, 2):
            assert [one.to_bytes() for one in nlp.pipe(source(), threads=threads)] == alone
    pairs = nlp.pipe(zip(texts, "abc", strict=True), as_tuples=True)
    assert [context for _, context in pairs] == ["a", "b", "c"]


def test_mistakes_of_users_of_other_libraries_are_told(nlp: accord.Pipeline) -> None:
    for name in ("english", "en_core_web_sm", "english-ewt-ud-2.12"):
        with pytest.raises(accord.ModelError, match="did you mean 'en'"):
            accord.load(name)
    for name in ("en-phrase", "EN-phrases"):
        with pytest.raises(accord.ModelError, match="did you mean 'en-phrases'"):
            accord.load(name)
    with pytest.raises(accord.ModelError, match=r"klingon: no such model file.*sv, zh\)$"):
        accord.load("klingon")
    with pytest.raises(accord.ModelError, match="a name or a file, not None"):
        accord.load(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"no option 'n_process' \(threads=N"):
        list(nlp.pipe(["a"], n_process=2))
    with pytest.raises(AccordError, match="choose one of its columns"):
        list(nlp.pipe({"text": ["a"]}))
    with pytest.raises(AccordError, match="a Doc of spaCy is expected, not a str"):
        Document.from_spacy("text")
    assert repr(nlp) == "Pipeline('English (EWT)': tokenizer, tagger, parser, entities)"


def test_a_document_is_one_graph_of_networkx(document: Document) -> None:
    pytest.importorskip("networkx")
    graph = document.to_networkx()
    assert graph.number_of_nodes() == sum(len(sentence) + 1 for sentence in document)
    assert graph.edges[(0, 2), (0, 1)]["deprel"] == "nsubj" and graph.nodes[1, 1]["form"] == "She"
