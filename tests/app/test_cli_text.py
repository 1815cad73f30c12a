# SPDX-License-Identifier: Apache-2.0
"""Raw text on the command line: a pipeline trained on a toy treebank, text in many shapes, tags kept and predicted."""

from __future__ import annotations

import dataclasses
import json
import lzma
from pathlib import Path

import pytest

import accord as package
from accord.data import Document, Sentence
from accord.errors import ConfigError, ModelError
from accord.tasks.pipeline import Pipeline, PipelineModel
from accord.tasks.pipeline.training import StepConfigs, treebank_files
from tests.app.test_cli import accord
from tests.conftest import toy_document

TEXT = "The old cat saw a dog. The man liked the tree yesterday.\n\nA girl found the red tree."


def spelled(document: Document) -> Document:
    """A capital at the start, no blank before the full stop."""

    def one(sentence: Sentence) -> Sentence:
        words = list(sentence.words)
        words[0] = dataclasses.replace(words[0], form=words[0].form.capitalize())
        words[-2] = dataclasses.replace(words[-2], misc="SpaceAfter=No")
        return dataclasses.replace(sentence, words=tuple(words))

    return Document.from_sentences(one(sentence) for sentence in document.sentences)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    here = tmp_path_factory.mktemp("text")
    bank = here / "UD_Toy"
    bank.mkdir()
    spelled(toy_document(200, 1)).write(bank / "toy-ud-train.conllu.xz")
    spelled(toy_document(40, 2)).write(bank / "toy-ud-dev.conllu")
    spelled(toy_document(40, 3)).write(bank / "toy-ud-test.conllu")
    small = ("tokenizer.bits=12", "tokenizer.epochs=4", "tagger.epochs=3", "tagger.analysis_bits=12", "parser.order=1")
    small += ("parser.arc_bits=14", "parser.label_bits=10", "parser.epochs=3", "folds=2")
    done = accord(
        *("train", "pipeline", str(bank), "--output", str(here / "m.accord"), "--test", "--card", "licence=CC0"),
        *(part for pair in small for part in ("--set", pair)),
    )
    assert done.returncode == 0, done.stderr.decode()
    (here / "text.txt").write_text(TEXT)
    return here


def parsed(folder: Path, *options: str, stdin: bytes = b"") -> Document:
    done = accord("parse", *options, "--model", str(folder / "m.accord"), stdin=stdin)
    assert done.returncode == 0, done.stderr.decode()
    return Document.from_conllu(done.stdout)


def test_text_becomes_trees_with_all_columns(folder: Path) -> None:
    found = parsed(folder, str(folder / "text.txt"), "--offsets")
    assert [len(sentence) for sentence in found.sentences] == [7, 7, 7]
    assert found.check_trees() == []
    for column in ("lemma", "upos", "xpos", "deprel"):
        assert "_" not in found.column(column)
    for form, misc in zip(found.column("form"), found.column("misc"), strict=True):
        begin, end = next(entry for entry in misc.split("|") if entry.startswith("TokenRange="))[11:].split(":")
        assert TEXT[int(begin) : int(end)] == form


def test_standard_input_and_line_modes(folder: Path) -> None:
    whole = parsed(folder, str(folder / "text.txt"))
    assert parsed(folder, stdin=TEXT.encode()).column("form") == whole.column("form")
    lines = parsed(folder, "--input", "sentences", stdin=b"The cat saw a dog. The man\nA girl found the tree")
    assert [len(sentence) for sentence in lines.sentences] == [8, 5]
    tokens = parsed(folder, "--input", "tokens", stdin=b"The cat. saw\n")
    assert tokens.column("form") == ["The", "cat.", "saw"]
    again = parsed(folder, stdin=whole.to_bytes())
    assert again.column("form") == whole.column("form") and again.heads.tolist() == whole.heads.tolist()


def test_compressed_files_are_text_or_treebanks_too(folder: Path) -> None:
    whole = parsed(folder, str(folder / "text.txt"))
    with lzma.open(folder / "text.txt.xz", "wb") as file:
        file.write(TEXT.encode())
    assert parsed(folder, str(folder / "text.txt.xz")).to_bytes() == whole.to_bytes()
    assert len(parsed(folder, str(folder / "UD_Toy" / "toy-ud-train.conllu.xz"))) == 200


def test_tags_are_kept_filled_in_or_predicted(folder: Path) -> None:
    given = Document.from_sentences([Sentence.from_words(["The", "cat", "saw"], upos=["DET", "X", "_"])])
    assert parsed(folder, stdin=given.to_bytes()).column("upos")[:2] == ["DET", "X"]
    assert "_" not in parsed(folder, stdin=given.to_bytes()).column("upos")
    assert parsed(folder, "--tags", "predict", stdin=given.to_bytes()).column("upos") == ["DET", "NOUN", "VERB"]
    assert parsed(folder, "--tags", "keep", stdin=given.to_bytes()).column("upos") == ["DET", "X", "_"]


def test_tag_ranks_and_tells_confidence(folder: Path) -> None:
    model = ("--model", str(folder / "m.accord"))
    tagged = Document.from_conllu(accord("tag", str(folder / "text.txt"), *model, "--marginals").stdout)
    assert all("TagConf=" in misc for misc in tagged.column("misc")) and set(tagged.heads.tolist()) == {-1}
    ranked = Document.from_conllu(accord("tag", *model, "--nbest", "3", stdin=b"The cat saw a dog.").stdout)
    assert [sentence.comment("nbest") for sentence in ranked.sentences] == ["1", "2", "3"]
    shares = [float(sentence.comment("probability") or 0) for sentence in ranked.sentences]
    assert shares == sorted(shares, reverse=True)
    assert len({tuple(word.upos for word in sentence.words) for sentence in ranked.sentences}) == 3
    forced = Document.from_sentences([Sentence.from_words(["The", "cat"], upos=["_", "VERB"])]).to_bytes()
    assert Document.from_conllu(accord("tag", *model, "--keep", "all", stdin=forced).stdout).column("upos")[1] == "VERB"


def test_card_and_info_say_where_a_model_comes_from(folder: Path) -> None:
    card = (folder / "m.md").read_text()
    assert "CC0" in card and "| LAS |" in card and "test data" in card
    about = json.loads(accord("info", str(folder / "m.accord"), "--json").stdout)
    assert about["kind"] == "pipeline" and about["card"]["scores"]["raw Words"] > 90
    assert about["card"]["scores"]["words LAS"] > 90
    assert b"tokenizer, tagger, parser" in accord("info", str(folder / "m.accord")).stdout


def test_odd_texts_are_sensible_and_offsets_right(folder: Path) -> None:
    nlp = package.load(folder / "m.accord")
    texts = [
        "",
        " ",
        "\n\n",
        "\0",
        "🙂🙂 cat",
        "שלום עולם.",
        "The\0cat",
        "a" * 5000,
        "cat " * 3000,
        "\u202ecat\u202c.",
        "猫 saw 狗。",
    ]
    for text in texts:
        document = nlp(text, offsets=True)
        assert document.check_trees() == []
        for form, misc in zip(document.column("form"), document.column("misc"), strict=True):
            begin, end = next(entry for entry in misc.split("|") if entry.startswith("TokenRange="))[11:].split(":")
            assert text[int(begin) : int(end)] == form
    assert len(nlp("").sentences) == 0
    done = accord("parse", "--model", str(folder / "m.accord"), stdin=b"")
    assert done.returncode == 0 and done.stdout == b""
    done = accord("parse", "--model", str(folder / "m.accord"), stdin=b"The cat\n\xff saw")
    assert done.returncode == 1 and b"<stdin>:2: not UTF-8" in done.stderr


def test_steps_work_alone_and_missing_ones_are_told(folder: Path, tmp_path: Path) -> None:
    nlp = package.load(folder / "m.accord")
    assert nlp.model.parser is not None and nlp.model.tagger is not None
    nlp.model.parser.save(tmp_path / "parser.accord")
    only = package.load(tmp_path / "parser.accord")
    assert only.tokenizer is None and only.tagger is None and only.parser is not None
    with pytest.raises(ConfigError, match="no tokeniser"):
        only("The cat saw a dog.")
    done = accord("parse", str(folder / "text.txt"), "--model", str(tmp_path / "parser.accord"))
    assert done.returncode == 1 and b"no tokeniser" in done.stderr
    PipelineModel(tagger=nlp.model.tagger).save(tmp_path / "tagger.accord")
    done = accord("parse", "--input", "treebank", "--model", str(tmp_path / "tagger.accord"))
    assert done.returncode == 1 and b"no parser" in done.stderr
    with pytest.raises(ModelError, match="without a parser"):
        package.Parser.load(tmp_path / "tagger.accord")
    assert package.Tagger.load(folder / "m.accord")(Sentence.from_words(["The", "cat"])).column("upos") == [
        "DET",
        "NOUN",
    ]


def test_streams_and_threads_change_nothing(folder: Path) -> None:
    nlp = package.load(folder / "m.accord")
    text = (TEXT + "\n\n") * 40
    whole = nlp(text, threads=1)
    assert nlp(text, threads=3).to_bytes() == whole.to_bytes()
    pieces = [text[i : i + 97] for i in range(0, len(text), 97)]
    streamed = [sentence for document in nlp.stream(pieces) for sentence in document.sentences]
    assert [s.forms for s in streamed] == [s.forms for s in whole.sentences]
    assert [s.heads for s in streamed] == [s.heads for s in whole.sentences]
    documents = list(nlp.pipe([whole, whole]))
    assert len(documents) == 2 and list(nlp.pipe([])) == []


def test_mistakes_in_training_are_one_line(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such folder"):
        treebank_files(tmp_path / "absent")
    with pytest.raises(ConfigError, match=r"no file is named \*-train"):
        treebank_files(tmp_path)
    for value, reason in (
        ("steps=fly", b"'fly' is none"),
        ("tagger.wings=2", b"unknown setting"),
        ("wings=2", b"unknown"),
    ):
        done = accord("train", "pipeline", str(folder / "UD_Toy"), "-o", str(tmp_path / "x.accord"), "--set", value)
        assert done.returncode == 1 and reason in done.stderr and not (tmp_path / "x.accord").exists()
    assert StepConfigs.read({"tagger": {"order": 1}, "parser.order": 3}).tagger.order == 1


def test_constraints_and_ranked_trees_work_on_text(folder: Path) -> None:
    nlp = package.load(folder / "m.accord")
    document = nlp.tokenize("The cat saw a dog.")
    ruled = nlp.parse(document, constraints=["require 1->3"])
    assert ruled.heads[2] == 1
    trees = nlp.kbest(document.sentences[0], 3)
    assert len({tree.heads for tree in trees}) == 3
    assert isinstance(nlp, Pipeline)
