# SPDX-License-Identifier: Apache-2.0
"""The tagger on a toy language: tags, analyses the treebank has, lemmas, kept columns, k best, jackknifing, files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from accord.data import Document, Sentence
from accord.errors import ConfigError, ModelError
from accord.learning import EpochReport, Reporter
from accord.models.writing import write_model
from accord.tasks.pipeline.training import StepConfigs, train_pipeline
from accord.tasks.tagger import Tagger, TaggerConfig, TaggerModel, jackknife, train_tagger

PATTERNS = (
    ("the dogs run", "DET NOUN VERB", "DT NNS VBP", "_ Number=Plur Number=Plur", "the dog run"),
    ("the dog runs", "DET NOUN VERB", "DT NN VBZ", "_ Number=Sing Number=Sing", "the dog run"),
    ("a cat sleeps", "DET NOUN VERB", "DT NN VBZ", "_ Number=Sing Number=Sing", "a cat sleep"),
    ("cats sleep", "NOUN VERB", "NNS VBP", "Number=Plur Number=Plur", "cat sleep"),
    ("birds sleep and dogs bark", "NOUN VERB CCONJ NOUN VERB", "NNS VBP CC NNS VBP",
     "Number=Plur Number=Plur _ Number=Plur Number=Plur", "bird sleep and dog bark"),
)  # fmt: skip


@pytest.fixture(scope="module")
def treebank() -> Document:
    sentences = [
        Sentence.from_words(
            forms.split(), upos=upos.split(), xpos=xpos.split(), feats=feats.split(), lemmas=lemmas.split()
        )
        for forms, upos, xpos, feats, lemmas in PATTERNS
    ]
    return Document.from_sentences(sentences * 6)


@pytest.fixture(scope="module")
def tagger(treebank: Document) -> Tagger:
    return Tagger(train_tagger(treebank, treebank, TaggerConfig(epochs=4, analysis_bits=12, threads=1)).model)


def plain(text: str) -> Document:
    return Document.from_sentences([Sentence.from_words(line.split()) for line in text.splitlines()])


def test_all_columns_are_learnt(treebank: Document, tagger: Tagger) -> None:
    bare = plain("\n".join(" ".join(sentence.forms) for sentence in treebank.sentences))
    found = tagger(bare, threads=2)
    for column in ("form", "upos", "xpos", "feats", "lemma"):
        assert found.column(column) == treebank.column(column)


def test_columns_are_combinations_of_the_treebank(treebank: Document, tagger: Tagger) -> None:
    columns = ("upos", "xpos", "feats")
    known = set(zip(*(treebank.column(name) for name in columns), strict=True))
    found = tagger(plain("wugs wug wugging the the\nzzz 7 é"))
    assert set(zip(*(found.column(name) for name in columns), strict=True)) <= known


def test_given_columns_are_kept_and_gaps_filled(tagger: Tagger) -> None:
    sentence = Sentence.from_words(["dogs", "cats"], upos=["X", "NOUN"], lemmas=["hound", "_"])
    kept = tagger(sentence, keep={"upos", "lemma"})
    assert kept.column("upos") == ["X", "NOUN"] and kept.column("lemma") == ["hound", "cat"]
    assert tagger(sentence).column("upos")[0] == "NOUN"
    with pytest.raises(ConfigError, match="heads"):
        tagger(sentence, keep={"heads"})


def test_ranked_taggings_are_sorted_distinct_and_may_be_forced(tagger: Tagger) -> None:
    sentence = Sentence.from_words(["the", "run"], upos=["_", "VERB"])
    size = len(tagger.labels)
    ranked = tagger.kbest(sentence, 1000)
    assert len({one.value for one in ranked}) == len(ranked) == size**2
    assert sum(one.probability for one in ranked) == pytest.approx(1)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    forced = tagger.kbest(sentence, 1000, keep=True)
    assert len(forced) == size and all(one.value[1] == "VERB" for one in forced)


def test_confidences_stand_in_misc(tagger: Tagger) -> None:
    misc = tagger(Sentence.from_words(["the", "dog"]), probabilities=True).column("misc")
    assert all(0 < float(entry.removeprefix("TagConf=")) <= 1 for entry in misc)


def test_models_survive_files_and_refuse_foreign_ones(tagger: Tagger, tmp_path: Path) -> None:
    tagger.model.save(tmp_path / "tags.accord")
    loaded = Tagger.load(tmp_path / "tags.accord")
    text = plain("the dogs bark\nwugs run")
    assert loaded(text).to_bytes() == tagger(text).to_bytes()
    header, arrays = tagger.model.to_blocks()
    write_model(tmp_path / "other.accord", {**header, "kind": "segmenter"}, arrays)
    with pytest.raises(ModelError, match="not a tagger"):
        TaggerModel.load(tmp_path / "other.accord")
    del arrays["analyses/keys"]
    write_model(tmp_path / "torn.accord", header, arrays)
    with pytest.raises(ModelError, match="understands"):
        TaggerModel.load(tmp_path / "torn.accord")


def test_damaged_analyses_are_refused(tagger: Tagger) -> None:
    header, arrays = tagger.model.to_blocks()
    arrays["analyses/candidates"] = arrays["analyses/candidates"] + 1000
    with pytest.raises(ModelError, match="damaged"):
        TaggerModel.from_blocks(header, arrays, "x")


def test_xpos_is_tagged_where_there_is_no_upos(treebank: Document) -> None:
    bare = treebank.replace(upos=["_"] * treebank.heads.size, lemmas=["_"] * treebank.heads.size)
    model = train_tagger(bare, None, TaggerConfig(epochs=3, threads=1)).model
    assert model.column == "xpos" and model.analyses is None and model.lemmas is None
    found = Tagger(model)(plain("the dogs run"))
    assert found.column("xpos") == ["DT", "NNS", "VBP"] and found.column("upos") == ["_"] * 3


def test_a_treebank_without_tags_is_refused(treebank: Document) -> None:
    count = treebank.heads.size
    with pytest.raises(ConfigError, match="no word has a tag"):
        train_tagger(treebank.replace(upos=["_"] * count, xpos=["_"] * count))
    with pytest.raises(ConfigError, match="others have none"):
        train_tagger(treebank.replace(upos=["_", *treebank.column("upos")[1:]]))


def test_jackknifed_tags_keep_order_and_trees(treebank: Document) -> None:
    config = TaggerConfig(epochs=2, analysis_bits=10, threads=1)
    tagged = jackknife(treebank, config, folds=3)
    assert tagged.column("form") == treebank.column("form") and tagged.heads.tolist() == treebank.heads.tolist()
    with pytest.raises(ConfigError, match="folds"):
        jackknife(treebank, config, folds=1)


def test_the_same_settings_give_the_same_model(treebank: Document) -> None:
    config = TaggerConfig(epochs=2, analysis_bits=10)
    one, two = (
        train_tagger(treebank, None, dataclasses.replace(config, threads=n)).model.to_blocks()[1] for n in (1, 2)
    )
    assert all((one[name] == two[name]).all() for name in one)


class Stop(Reporter):
    """Interrupts training at the end of an epoch."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def epoch(self, report: EpochReport) -> None:
        self.heard.append(self.step)
        raise KeyboardInterrupt


def test_an_interrupted_training_makes_a_whole_tagger_but_no_pipeline(treebank: Document) -> None:
    result = train_tagger(treebank, None, TaggerConfig(epochs=2, threads=1), reporter=Stop())
    assert result.interrupted and len(result.log) == 1
    assert result.model.analyses is not None and result.model.lemmas is not None
    configs, stop = StepConfigs.read({"steps": "tag,parse", "tagger.epochs": 2, "folds": 0}), Stop()
    with pytest.raises(KeyboardInterrupt):
        train_pipeline([treebank], None, configs, reporter=stop)
    assert stop.heard == ["tagger"]
