# SPDX-License-Identifier: Apache-2.0
"""What networks read: odd sentences, words and characters; and the tags that they predict or leave alone."""

from __future__ import annotations

import numpy as np
import pytest

from accord import Document, Parser, Sentence
from accord.errors import ConfigError
from accord.inference import trees
from tests.tasks.parser.neural_cases import random_model, random_parser, some_words, treebank

COLUMNS = ("lemma", "upos", "xpos", "feats")


@pytest.fixture(scope="module", params=["lstm", "convolution"])
def parser(request: pytest.FixtureRequest) -> Parser:
    return random_parser(1, {"encoder": request.param})


def check_trees(parser: Parser, document: Document) -> None:
    found = parser.trees(document, probabilities=True)
    first = 0
    for index, words in enumerate(document.lengths.tolist()):
        heads = np.array([-1, *found.heads[first : first + words].tolist()], np.int32)
        if words:
            assert trees.is_tree(heads, single_root=True) and np.isfinite(found.scores[index])
        else:
            assert found.scores[index] == -np.inf
        first += words
    assert np.all((found.labels >= 0) & (found.labels < len(parser.labels)))
    assert np.all((found.arc_probability >= 0) & (found.arc_probability <= 1 + 1e-6))


def test_no_sentences_and_sentences_without_words(parser: Parser) -> None:
    nothing = parser.parse(Document.from_conllu(""), tags="predict")
    assert len(nothing) == 0
    good = some_words(1, 3).to_conllu()
    mixed = Document.from_conllu(f"{good}broken line\n\n{good}", on_error="keep")
    assert mixed.lengths.tolist() == [3, 0, 3]
    check_trees(parser, mixed)
    parsed = parser.parse(mixed, tags="predict")
    first, second = (parsed.sentences[index].to_conllu() for index in (0, 2))
    assert first == second and b"broken line\n" in parsed.to_bytes()
    assert first == parser.parse(Document.from_conllu(good), tags="predict").to_conllu()
    only = Document.from_conllu("broken line\n\n", on_error="keep")
    assert parser.parse(only, tags="predict").to_bytes() == only.to_bytes()


@pytest.mark.parametrize("words", [1, 2, 300])
@pytest.mark.parametrize("order", [1, 2])
def test_short_and_long_sentences(words: int, order: int) -> None:
    using = random_parser(1, order=order, pruner_heads=3)
    check_trees(using, Document.from_sentences([some_words(2, words), some_words(3, 2)]))


def test_a_lone_word_depends_on_the_root(parser: Parser) -> None:
    found = parser.trees(Document.from_sentences([some_words(4, 1)]), probabilities=True)
    assert found.heads.tolist() == [0] and found.arc_probability == pytest.approx([1.0])


def test_characters_that_the_network_does_not_know_are_all_the_same(parser: Parser) -> None:
    def scores(*forms: str) -> list[list[float]]:
        return parser.arc_scores(Sentence.from_words(list(forms))).tolist()  # type: ignore[no-any-return]

    assert parser.model.network is not None
    known = {chr(point) for point in parser.model.network.vocabulary.characters.tolist()}
    assert known >= set("catdog") and not known & set("жшé猫犬😀")
    # Shape tells scripts and cases apart, so these are of one kind.
    assert scores("жш", "cat") == scores("шж", "cat") != scores("cat", "жш")
    assert scores("猫") == scores("犬")
    check_trees(parser, Document.from_sentences([Sentence.from_words(["é", "😀", "猫犬", "e\u0301", "\u200b", "ﷺ"])]))


def test_of_long_words_the_ends_count(parser: Parser) -> None:
    def scores(form: str) -> list[list[float]]:
        return parser.arc_scores(Sentence.from_words([form, "cat"])).tolist()  # type: ignore[no-any-return]

    long = "cat" * 67  # 201 characters
    assert scores(long) == scores(long[:100] + "d" + long[101:])
    assert scores(long) != scores("d" + long[1:])
    check_trees(parser, Document.from_sentences([Sentence.from_words([long, "猫" * 200, "x" * 10_000])]))


def test_tags_are_kept_filled_in_or_replaced(parser: Parser) -> None:
    assert parser.columns == ("upos", "xpos", "feats", "lemma")
    document = treebank()
    half = document.replace(
        upos=[tag if index % 2 else "_" for index, tag in enumerate(document.column("upos"))],
        lemmas=["_" if index % 3 else "mine" for index in range(len(document.heads))],
    )
    kept, filled, replaced = (parser.parse(half, tags=how) for how in ("keep", "auto", "predict"))  # type: ignore[arg-type]
    assert all(kept.column(column) == half.column(column) for column in COLUMNS)
    assert kept.heads.tolist() == filled.heads.tolist() == replaced.heads.tolist()
    for column in COLUMNS:
        both = zip(half.column(column), filled.column(column), replaced.column(column), strict=True)
        assert all(new == (predicted if old == "_" else old) for old, new, predicted in both)
    assert replaced.to_bytes() != filled.to_bytes() != kept.to_bytes()
    assert replaced.column("upos") != document.column("upos")


def test_predicted_tags_are_the_likeliest_classes(parser: Parser) -> None:
    document = treebank()
    found = parser.trees(document, tags=True)
    assert parser.model.network is not None
    vocabulary = parser.model.network.vocabulary
    tagged = parser.tag(document)
    assert not parser.trees(document).tags
    for task in ("upos", "xpos", "feats"):
        names = vocabulary.classes[task]
        assert list(tagged.column(task)) == [names[number] for number in found.tags[task].tolist()]
    assert list(tagged.column("lemma")) == vocabulary.lemmas(document, found.tags["lemma"])
    assert len(set(tagged.column("lemma"))) > 5
    assert tagged.heads.tolist() == document.heads.tolist()
    assert parser.tag(document, threads=2).to_bytes() == tagged.to_bytes()


@pytest.mark.parametrize("tags", ["given", "none"])
def test_networks_without_tags_predict_none(tags: str) -> None:
    using = random_parser(1, {"tags": tags})
    assert using.columns == ()
    document = treebank()
    assert using.parse(document, tags="predict").column("upos") == document.column("upos")
    with pytest.raises(ConfigError, match="predicts no tags"):
        using.tag(document)


def test_given_tags_are_read() -> None:
    document = treebank()
    untagged = document.replace(upos=["_"] * len(document.heads), xpos=["_"] * len(document.heads))
    reading, blind = (random_parser(1, {"tags": tags}) for tags in ("given", "none"))
    assert not np.array_equal(reading.trees(document).scores, reading.trees(untagged).scores)
    assert np.array_equal(blind.trees(document).scores, blind.trees(untagged).scores)


def test_clusters_are_read() -> None:
    sentence = Sentence.from_words(["dog", "saw"])
    model = random_model(1)
    assert model.network is not None and "cluster4" in [field.name for field in model.network.vocabulary.fields]
    changed = random_model(1, {"cluster_inputs": ""})
    assert not np.array_equal(Parser(model).arc_scores(sentence), Parser(changed).arc_scores(sentence))
