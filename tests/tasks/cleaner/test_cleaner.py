# SPDX-License-Identifier: Apache-2.0
"""Cleaners: what they learn, what they leave, look-ahead, probabilities and what users may get wrong."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.data import Document, Sentence
from accord.errors import ConfigError, ModelError
from accord.learning import Checkpoint, Reporter
from accord.tasks.cleaner import (
    CleanedUtterance,
    CleanedWord,
    Cleaner,
    CleanerConfig,
    CleanerModel,
    SourceUtterance,
    SourceWord,
    Utterances,
)
from accord.tasks.cleaner.gold import GoldTranscript
from accord.tasks.cleaner.lookahead import WINDOW, Prefixes
from accord.tasks.cleaner.page import transcript_page
from accord.tasks.cleaner.scoring import label_scores, word_scores
from accord.tasks.cleaner.sources import document_utterances
from accord.tasks.cleaner.task import TASK
from accord.tasks.cleaner.training import train_cleaner
from accord.tasks.cleaner.treebank import clean_document, marked_document
from accord.tasks.cleaner.written_words import cleaned_words

SETTINGS = CleanerConfig(epochs=6, folds=2, dual_c=1.0, threads=1)


@pytest.fixture(scope="module")
def gold() -> GoldTranscript:
    training: GoldTranscript = TASK.example().training
    return training


@pytest.fixture(scope="module")
def cleaner(gold: GoldTranscript) -> Cleaner:
    return Cleaner(train_cleaner(gold, gold, SETTINGS).model)


@pytest.mark.parametrize("steps", [1, 2, 3])
@pytest.mark.parametrize("method", ["m3n", "mira", "perceptron", "lbfgs"])
def test_every_method_and_number_of_steps_learns(gold: GoldTranscript, method: str, steps: int) -> None:
    config = dataclasses.replace(SETTINGS, method=method, steps=steps, tags="given")
    scores = label_scores(Cleaner(train_cleaner(gold, None, config).model), gold)
    assert scores["edit F1"] > 80 and scores["filler F1"] > 90


@pytest.mark.parametrize("change", [{"tags": "none"}, {"legal": True}, {"in_between": False}, {"edits_only": True}])
def test_settings_make_other_models_that_work(gold: GoldTranscript, change: dict[str, object]) -> None:
    model = train_cleaner(gold, None, dataclasses.replace(SETTINGS, **change)).model  # type: ignore[arg-type]
    assert label_scores(Cleaner(model), gold)["edit F1"] > 80
    assert list(model.levels) == [*(["tags"] if "tags" not in change else []), "fillers", "first edits", "edits"]


class _Stops(Reporter):
    """Interrupts training at the ``after``-th note, which is the end of a fold."""

    def __init__(self, after: int) -> None:
        self.left = [after]

    def note(self, text: str) -> None:
        self.left[0] -= 1
        if self.left[0] == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("after", [1, 2, 4])
def test_an_interrupted_training_goes_on_to_the_same_model(gold: GoldTranscript, tmp_path: Path, after: int) -> None:
    def checkpoint(resume: bool) -> Checkpoint:
        return Checkpoint.beside(tmp_path / "model.accord", "cleaner", SETTINGS, resume=resume)

    with pytest.raises(KeyboardInterrupt):
        train_cleaner(gold, gold, SETTINGS, reporter=_Stops(after), checkpoint=checkpoint(False))
    went_on = train_cleaner(gold, gold, SETTINGS, checkpoint=checkpoint(True)).model
    whole = train_cleaner(gold, gold, SETTINGS).model
    (header, arrays), (other_header, others) = went_on.to_blocks(), whole.to_blocks()
    assert json.dumps(header, sort_keys=True) == json.dumps(other_header, sort_keys=True)
    assert {name: array.tobytes() for name, array in arrays.items()} == {
        name: array.tobytes() for name, array in others.items()
    }


def test_a_cleaner_of_an_older_file_keeps_its_features(cleaner: Cleaner) -> None:
    header, arrays = cleaner.model.to_blocks()
    assert cleaner.model.config.copies
    settings = {name: value for name, value in header["config"].items() if name != "copies"}
    older = CleanerModel.from_blocks({**header, "config": settings}, arrays, "older.accord")
    assert older.config == dataclasses.replace(cleaner.model.config, copies=False)


def test_a_file_without_levels_is_refused(cleaner: Cleaner, tmp_path: Path) -> None:
    dataclasses.replace(cleaner.model, levels={}).save(tmp_path / "empty.accord")
    with pytest.raises(ModelError, match="levels"):
        Cleaner.load(tmp_path / "empty.accord")


def test_text_is_left_with_its_capital_and_stop(cleaner: Cleaner) -> None:
    found = cleaner("Uh, we we saw the cat.\n\nWe saw us.")
    assert found.text == "We saw the cat.\n\nWe saw us."
    assert found.utterances[0].marked.startswith("[FILLER ")
    assert cleaner("").utterances == ()
    assert accord.Cleaner is Cleaner


def test_only_what_is_asked_for_is_marked(cleaner: Cleaner) -> None:
    said = "uh we we saw the cat"
    assert cleaner(said, edits=False).text == "we we saw the cat"
    assert cleaner(said, fillers=False).text == "uh we saw the cat"
    assert cleaner(said, fillers=False, edits=False).text == said


def test_probabilities_are_of_the_label_that_is_given(cleaner: Cleaner) -> None:
    for one in cleaner("we we saw uh the cat\nthey have a dog").utterances:
        assert all(0.0 <= word.probability <= 1.0 for word in one.words)
        assert all(word.probability > 0.5 for word in one.words if not word.label)


def test_broken_words_are_edits_and_marks_follow_their_word(cleaner: Cleaner) -> None:
    words = cleaner("th- they have uh , a dog .").utterances[0].words
    labels = {word.text: word.label for word in words}
    assert labels["th-"] == "edit" and labels[","] == labels["uh"] == "filler" and labels["."] == ""


def test_marks_go_where_the_word_before_them_goes() -> None:
    source = [SourceWord(text) for text in ["we", ",", "uh", ",", "went", ",", "home"]]
    labels = ["", "filler", "", ""]
    rows = iter([(label, 0.9) for label in labels])
    found = cleaned_words(source, ["we", "", "uh", "", "went", "", "home"], rows, True)
    assert [word.label for word in found] == ["", "", "filler", "filler", "", "", ""]
    assert CleanedUtterance(SourceUtterance(tuple(source)), tuple(found)).text == "we went , home"


def test_what_people_marked_is_marked(cleaner: Cleaner) -> None:
    words = (SourceWord("they", label="edit"), SourceWord("have", label="filler"), SourceWord("cats"))
    (one,) = cleaner([SourceUtterance(words)]).utterances
    assert [(word.label, word.probability) for word in one.words[:2]] == [("edit", 1.0), ("filler", 1.0)]
    (one,) = cleaner([SourceUtterance(words)], edits=False).utterances
    assert [word.label for word in one.words] == ["", "filler", ""]


def test_what_the_source_says_under_names_of_answers_is_kept(cleaner: Cleaner) -> None:
    word = SourceWord("cats", fields={"start": 1.5, "probability": 0.5, "label": "x"})
    (one,) = cleaner([SourceUtterance((word,))]).utterances
    (told,) = one.to_json()["words"]
    assert (told["word"], told["label"], told["start"]) == ("cats", "", 1.5)
    assert (told["source_probability"], told["source_label"]) == (0.5, "x") and told["probability"] != 0.5


def test_blanks_of_a_treebank_are_those_of_what_is_left(cleaner: Cleaner) -> None:
    rows = [("We", ""), ("we", "n"), (",", ""), ("do", "n"), ("n't", ""), ("have", ""), ("cats", "n"), (".", "")]
    misc = ["SpaceAfter=No" if glued else "_" for _, glued in rows]
    told = ("# newdoc id = d", "# text = We we, don't have cats.")
    document = Document.from_sentences([Sentence.from_words([word for word, _ in rows], misc=misc, comments=told)])
    source = list(document_utterances(document))
    assert cleaner(source, edits=False).text == "We we, don't have cats."
    words = cleaner(source).utterances[0].words
    assert words[3].label == words[4].label and words[3].probability == words[4].probability
    labels = ["edit", "", "", "", "", "", "edit", ""]
    one = CleanedUtterance(source[0], tuple(w._replace(label=k) for w, k in zip(words, labels, strict=True)))
    assert one.text == "We, don't have ."
    assert one.marked == f"[EDIT {words[0].probability:.2f} We] we, don't have [EDIT {words[6].probability:.2f} cats] ."
    (sentence,) = clean_document([one]).sentences
    assert sentence.comments == ("# newdoc id = d", "# text = We, don't have .")
    assert [word.misc for word in sentence.words] == ["SpaceAfter=No", "_", "SpaceAfter=No", "_", "_", "_"]
    page = transcript_page([one])
    assert "We</s> we, don't have <s" in page and "cats</s>.</p>" in page


def made(*words: tuple[str, str]) -> CleanedUtterance:
    labelled = tuple(CleanedWord(text, label, 1.0) for text, label in words)
    return CleanedUtterance(SourceUtterance.of_words([word.text for word in labelled]), labelled)


def test_what_is_left_reads_well() -> None:
    assert made(("Well,", "filler"), ("we", ""), ("know.", "filler")).text == "We."
    assert made(("to,", ""), ("uh,", "filler"), ("Denver", "")).text == "to Denver"
    assert made(("uh", "filler")).text == ""
    assert made(("Yes.", ""), ("That", "edit"), ("that", ""), ("is.", "")).text == "Yes. That is."
    assert made(("Good!", ""), ("No,", "edit"), ("No.", "edit"), ("no!", "")).text == "Good! No!"
    assert made(("he", ""), ("Ana", "edit"), ("and", "")).text == "he and", "a name within a sentence"
    spans = made(("a", ""), ("b", "edit"), ("c", "edit"), ("d", "filler"), ("e", ""))
    assert spans.marked == "a [EDIT 1.00 b c] [FILLER 1.00 d] e"


@pytest.mark.parametrize("lookahead", [0, 1, 3, 20])
def test_a_decision_never_depends_on_words_beyond_the_lookahead(cleaner: Cleaner, lookahead: int) -> None:
    words = ["we", "we", "saw", "uh", "the", "the", "cat", "saw", "they", "they", "have", "uh", "a", "dog"]
    whole = cleaner.label(Utterances.of([words]), lookahead=lookahead)
    for place in range(len(words)):
        known = words[: place + lookahead + 1]
        alone = cleaner.label(Utterances.of([known]))
        assert (alone.edits[place], alone.fillers[place]) == (whole.edits[place], whole.fillers[place])


def test_enough_lookahead_is_the_whole_utterance(cleaner: Cleaner, gold: GoldTranscript) -> None:
    said = gold.utterances
    assert np.array_equal(cleaner.label(said, lookahead=20).edits, cleaner.label(said).edits)


@pytest.mark.parametrize("size", [1, 7, 10**6])
def test_beginnings_in_blocks_are_the_same_beginnings(cleaner: Cleaner, gold: GoldTranscript, size: int) -> None:
    said = gold.utterances
    (whole,) = Prefixes.blocks(said, 2)
    blocks = list(Prefixes.blocks(said, 2, size))
    assert [word for one in blocks for word in one.utterances.words] == list(whole.utterances.words)
    taken = [one.utterances.words[place] for one in blocks for place in one.chosen]
    assert taken == list(said.words)
    assert size > 1 or all(len(one.utterances.lengths) <= 1 for one in blocks)


def test_a_stream_looks_at_the_last_words_only(cleaner: Cleaner, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["we", "we", "saw", "uh", "the", "cat"] * 40
    asked: list[int] = []
    decided = Cleaner._decided

    def counted(self: Cleaner, known: Sequence[str], place: int) -> CleanedWord:
        asked.append(len(known))
        return decided(self, known, place)

    monkeypatch.setattr(Cleaner, "_decided", counted)
    found = [word.label for word in cleaner.stream(words, lookahead=2)]
    assert len(found) == len(words) and max(asked) == WINDOW + 2
    labels = cleaner.label(Utterances.of([words]), lookahead=2)
    assert found == labels.answers(True, True)[0]


def test_a_stream_gives_the_words_one_by_one(cleaner: Cleaner) -> None:
    words = ["we", "we", "saw", "uh", "the", "cat"]
    read: list[str] = []

    def talk() -> object:
        for word in words:
            read.append(word)
            yield word

    given = []
    for word in cleaner.stream(talk(), lookahead=1):  # type: ignore[arg-type]
        given.append(word)
        assert len(read) <= len(given) + 1
    labels = cleaner.label(Utterances.of([words]), lookahead=1)
    assert [word.text for word in given] == words
    assert [word.label == "edit" for word in given] == labels.edits.tolist()


def test_treebanks_are_marked_or_without_the_words(cleaner: Cleaner) -> None:
    found = cleaner("we we saw uh the cat\nuh\nthey have a dog").utterances
    marked, clean = marked_document(found), clean_document(found)
    assert marked.lengths.tolist() == [6, 1, 4] and "Disfluency=filler" in marked.column("misc")[3]
    assert [" ".join(sentence.forms) for sentence in clean.sentences] == ["we saw the cat", "they have a dog"]


def test_scores_of_words() -> None:
    none = np.zeros(3, bool)
    assert word_scores(none, none) == (100.0, 100.0, 100.0)
    assert word_scores(~none, none)[1] == 0.0


def test_mistakes_are_told(cleaner: Cleaner, gold: GoldTranscript) -> None:
    with pytest.raises(ConfigError, match="lookahead = -1"):
        cleaner("a", lookahead=-1)
    with pytest.raises(ConfigError, match="lookahead = -1"):
        list(cleaner.stream(["a"], lookahead=-1))
    with pytest.raises(ConfigError, match="expected a text to clean"):
        cleaner(3)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="no word is marked as edited"):
        train_cleaner(dataclasses.replace(gold, edits=np.zeros_like(gold.edits)), None, SETTINGS)
    with pytest.raises(ConfigError, match="folds"):
        CleanerConfig(folds=1)
    with pytest.raises(ModelError, match="a pipeline without a cleaner"):
        Cleaner.load("en")
