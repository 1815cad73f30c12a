# SPDX-License-Identifier: Apache-2.0
"""``accord train spans``, ``accord spans``, ``accord train segmenter`` and ``accord segment`` on small files."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app
from accord.app.reporter import ConsoleReporter
from accord.data import read
from accord.errors import AccordError
from accord.learning import EpochReport
from accord.models.file import ModelFile
from tests.tasks.labeller.test_segmenter import sentences
from tests.tasks.labeller.test_spans import made

QUICK = ["--set", "method=mira", "--set", "epochs=3", "--set", "threads=1"]


def run(*arguments: object, input: str | None = None) -> str:
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def write_columns(path: Path, count: int, seed: int) -> Path:
    file = made(count, seed)
    labels = iter(file.labels)
    blocks = ["\n".join(f"{form} NN {next(labels)}" for form in one.forms) for one in file.document.sentences]
    path.write_text("\n\n".join(blocks) + "\n")
    return path


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    train, dev = write_columns(folder / "train.txt", 100, 1), write_columns(folder / "dev.txt", 20, 2)
    run("train", "spans", train, "--dev", dev, "--output", folder / "names.accord", *QUICK)
    return folder


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    for name, count, seed in (("train", 150, 1), ("dev", 30, 2)):
        (folder / f"{name}.seg").write_text("".join(" ".join(one) + "\n" for one in sentences(count, seed)))
    arguments = ["--dev", folder / "dev.seg", "--output", folder / "words.accord", *QUICK, "--set", "bits=12"]
    run("train", "segmenter", folder / "train.seg", *arguments)
    return folder


def test_spans_adds_a_column(names: Path) -> None:
    file = names / "some.txt"
    file.write_text("Ana NN\nsaw NN\nRio NN\n\nBo NN\n")
    expected = "Ana NN B-PER\nsaw NN O\nRio NN B-LOC\n\nBo NN B-PER\n"
    assert run("spans", file, "--model", names / "names.accord") == expected
    assert run("spans", "-", "--model", names / "names.accord", input=file.read_text()) == expected


def test_label_says_how_sure_it_is(names: Path) -> None:
    file = names / "some.txt"
    file.write_text("Ana NN\nsaw NN\n")
    rows = [
        line.split() for line in run("spans", file, "--model", names / "names.accord", "--probabilities").splitlines()
    ]
    assert [len(row) for row in rows] == [5, 5]
    assert 0.5 < float(rows[0][3]) <= 1
    assert float(rows[0][4]) <= float(rows[0][3]) + 1e-4
    assert rows[1][4] == "_"


def test_label_keeps_what_is_given_and_ranks(names: Path) -> None:
    file = names / "given.txt"
    file.write_text("Rio NN B-PER\nBravo NN _\n\n")
    found = run("spans", file, "--model", names / "names.accord", "--keep", "given")
    assert found.splitlines()[0] == "Rio NN B-PER B-PER"
    ranked = run("spans", file, "--model", names / "names.accord", "--keep", "given", "--nbest", 2).split("\n\n")
    assert [block.split()[:2] for block in ranked if block] == [["#", "1"], ["#", "2"]]
    assert all("Rio NN B-PER B-PER" in block for block in ranked if block)


def test_label_reads_and_writes_conllu(names: Path) -> None:
    file = names / "some.conllu"
    file.write_text(
        "# text = Ana saw\n1\tAna\t_\t_\tNN\t_\t_\t_\t_\tSpaceAfter=No\n2\tsaw\t_\t_\tNN\t_\t_\t_\t_\t_\n\n"
    )
    target = names / "found.conllu"
    run("spans", file, "--model", names / "names.accord", "--to", target)
    assert read(target).column("misc") == ["SpaceAfter=No|NER=B-PER", "NER=O"]
    found = run("spans", target, "--model", names / "names.accord", "--keep", "given", "--evaluate")
    assert "all         100.00  100.00  100.00" in found
    ranked = run("spans", file, "--model", names / "names.accord", "--nbest", 2)
    assert ranked.count("# nbest = ") == 2
    model = names / "misc.accord"
    run("train", "spans", target, "--output", model, *QUICK, "--set", "jackknife=0")
    assert "NER=B-PER" in run("spans", file, "--model", model)


def test_models_say_what_they_are(names: Path, words: Path) -> None:
    assert [line.split() for line in run("info", names / "names.accord").splitlines()][:1] == [["kind", "spans"]]
    about = run("info", words / "words.accord")
    assert "segmenter" in about
    assert "R_oov" in about


def test_label_prints_scores(names: Path) -> None:
    printed = run("spans", names / "dev.txt", "--model", names / "names.accord", "--evaluate")
    assert printed.splitlines()[0].startswith("accuracy")
    assert [line.split()[0] for line in printed.splitlines()[2:]] == ["all", "LOC", "PER"]


def test_segment_parts_words_with_blanks(words: Path) -> None:
    model = words / "words.accord"
    assert run("segment", "-", "--model", model, input="国家，天地\n\n") == "国家 ， 天地\n\n"
    lexicon = words / "list.txt"
    lexicon.write_text("地大\n")
    forced = run("segment", "-m", model, "--lexicon", lexicon, "--lexicon-mode", "force", input="天地大地\n")
    assert forced == "天 地大 地\n"
    preferred = run(
        "segment", "-m", model, "--lexicon", lexicon, "--lexicon-bonus", 50, "--no-hybrid", input="天地大地\n"
    )
    assert preferred == "天 地大 地\n"


def test_segment_ranks_and_scores(words: Path) -> None:
    model = words / "words.accord"
    rows = [line.split("\t") for line in run("segment", "-m", model, "--nbest", 3, input="天地大\n").splitlines()]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    assert all(row[2].replace(" ", "") == "天地大" for row in rows)
    printed = run("segment", words / "dev.seg", "-m", model, "--evaluate", "--hybrid", "--threshold", 0.6)
    assert "R_oov" in printed
    assert float(printed.split("F1 ")[1].split()[0]) > 80


def test_mistakes_are_named(names: Path, words: Path) -> None:
    for arguments in (
        ("label", names / "dev.txt", "--model", words / "words.accord"),
        ("segment", "-m", names / "names.accord"),
        ("train", "spans", names / "train.txt", "-o", names / "no" / "folder.accord"),
        ("train", "segmenter", words / "train.seg", "-o", words / "x.accord", "--set", "labels=QQ"),
    ):
        with pytest.raises(AccordError):
            run(*arguments, input="")
    for arguments in (
        ("label", names / "dev.txt", "-m", names / "names.accord", "--keep", "all"),
        ("segment", "-m", words / "words.accord", "--lexicon-mode", "must"),
        ("segment", "-m", words / "words.accord", "--nbest", 2, "--hybrid"),
    ):
        words = [str(argument) for argument in arguments]
        result = CliRunner().invoke(make_app(words), words)
        assert result.exit_code == 2


def test_dev_data_with_nothing_in_them_are_refused(names: Path, words: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n")
    for task, file in (("spans", names / "train.txt"), ("segmenter", words / "train.seg")):
        with pytest.raises(AccordError, match=r"empty.txt: there is nothing in the dev data"):
            run("train", task, file, "--dev", tmp_path / "empty.txt", "-o", tmp_path / "x.accord", *QUICK)


def told(*arguments: object, status: int = 0) -> tuple[str, str]:
    """Standard output and standard error."""
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(make_app(words), words)
    assert result.exit_code == status, result.output
    return result.stdout, result.stderr


def test_older_names_work_and_say_the_new_ones(names: Path, tmp_path: Path) -> None:
    file, model = names / "dev.txt", names / "names.accord"
    answer, said = told("label", file, "--model", model, "--marginals")
    assert answer == told("spans", file, "--model", model, "--probabilities")[0]
    assert "accord label is accord spans now" in said and "--marginals is --probabilities now" in said
    assert "label " not in told("--help")[0]
    _, said = told("train", "ner", names / "train.txt", "--output", tmp_path / "n.accord", *QUICK)
    assert "accord train ner is accord train spans now" in said
    assert "ner" not in told("train", "--help")[0].split()


def test_interrupted_training_is_resumed(names: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the command, for one task: the contract of tasks has the same claim of every task."""
    small = ["--set", "patience=9", "--set", "bits=12"]
    files = [names / "train.txt", "--dev", names / "dev.txt", *QUICK, *small]
    whole, parts = tmp_path / "whole.accord", tmp_path / "parts.accord"
    told("train", "spans", *files, "--output", whole)
    epoch = ConsoleReporter.epoch

    def interrupted(self: ConsoleReporter, report: EpochReport) -> None:
        epoch(self, report)
        if report.epoch == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(ConsoleReporter, "epoch", interrupted)
        _, said = told("train", "spans", *files, "--output", parts, status=130)
    assert "the best model so far" in said
    accord.load(parts)
    _, said = told("train", "spans", *files, "--output", parts, "--resume")
    assert "epoch 2" in said and "epoch 1 " not in said
    one, other = ModelFile(whole).arrays, ModelFile(parts).arrays
    assert one.keys() == other.keys()
    assert all(one[name].tobytes() == other[name].tobytes() for name in one)
    assert not parts.with_name("parts.accord.checkpoint").exists()


def test_two_models_are_compared_by_mcnemar(names: Path, words: Path, tmp_path: Path) -> None:
    model, other = names / "names.accord", tmp_path / "other.accord"
    run("train", "spans", names / "train.txt", "--output", other, *QUICK, "--set", "epochs=1", "--set", "model=semi")
    same = run("spans", names / "dev.txt", "--model", model, "--evaluate", "--against", model)
    assert "right in the system alone 0, in the other alone 0; McNemar p = 1" in same
    assert "McNemar p = " in run("spans", names / "dev.txt", "--model", model, "--evaluate", "--against", other)
    model = words / "words.accord"
    same = run("segment", words / "dev.seg", "--model", model, "--evaluate", "--against", model)
    assert "right in the system alone 0, in the other alone 0; McNemar p = 1" in same
    result = CliRunner().invoke(make_app([]), ["segment", str(words), "--model", str(model), "--against", str(model)])
    assert result.exit_code == 2


def test_spans_reads_what_parse_writes_and_plain_text(names: Path) -> None:
    parsed = run("parse", input="Ana met Bo in Rio.\n")
    model = ("--model", names / "names.accord")
    for verb, files in (("spans", ["-"]), ("spans", []), ("label", ["-"])):
        found = accord.Document.from_conllu(run(verb, *files, *model, input=parsed))
        assert all("NER=" in word.misc for word in found.sentences[0].words)
    said = run("spans", *model, input="Ana met Bo in Rio.\n")
    (sentence,) = accord.Document.from_conllu(said).sentences
    assert sentence.forms == ("Ana", "met", "Bo", "in", "Rio", ".") and "NER=" in sentence.words[0].misc


def test_words_of_a_text_are_tagged_for_a_model_that_learnt_from_tags() -> None:
    text = "Ana Silva flew from Lisbon to Rio"
    found = accord.Document.from_conllu(run("spans", "--model", "en-entities", input=text + ".\n"))
    assert [(one.text, one.label) for one in found.entities] == [
        ("Ana Silva", "PER"),
        ("Lisbon", "LOC"),
        ("Rio", "LOC"),
    ]
    bare = accord.Document.from_conllu(run("spans", "--model", "en-entities", input=text + "\n"))
    assert bare.column("form") == found.column("form")[:-1]  # one line without a full stop is a text, too


def test_columns_are_still_columns(names: Path) -> None:
    assert len(run("spans", "--model", names / "names.accord", input="Ana NN\nmet VB\n\n").splitlines()[0].split()) == 3


def test_characters_may_come_plain(tmp_path: Path) -> None:
    rows = "我0 O\n在0 O\n北0 B-LOC\n京1 I-LOC\n\n"
    (tmp_path / "train.txt").write_text(rows * 20, encoding="utf-8")
    model = tmp_path / "names.accord"
    run("train", "spans", tmp_path / "train.txt", "--output", model, *QUICK, "--set", "positions=true")
    wanted = [row.split()[1] for row in rows.split("\n") if row]
    with_digits = "\n".join(row.split()[0] for row in rows.split("\n") if row) + "\n"
    plain = "我\n在\n北\n京\n"
    for text in (with_digits, plain):
        found = run("spans", "--model", model, "--format", "columns", input=text)
        assert [line.split()[-1] for line in found.splitlines() if line] == wanted
    found = run("spans", "--model", model, "--format", "text", input="我在北京\n")
    assert [word.misc for word in accord.Document.from_conllu(found).sentences[0].words][2:] == [
        "SpaceAfter=No|NER=B-LOC",
        "SpaceAfter=No|NER=I-LOC",
    ]


def test_a_threshold_of_zero_doubts_nothing(words: Path) -> None:
    plain = run("segment", words / "dev.seg", "--model", words / "words.accord", "--no-hybrid")
    assert run("segment", words / "dev.seg", "--model", words / "words.accord", "--hybrid", "--threshold", 0) == plain


FLIES = "".join(f"{n}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n" for n, (form, tag) in enumerate(
    [("Fruit", "NOUN"), ("flies", "NOUN"), ("like", "_"), ("it", "_")], 1)) + "\n"  # fmt: skip


def test_tags_of_a_word_are_of_one_reading() -> None:
    kept = accord.Document.from_conllu(run("tag", "--keep", "upos", "--probabilities", input=FLIES)).sentences[0]
    flies = kept.words[1]
    assert (flies.upos, flies.xpos, str(flies.feats)) == ("NOUN", "NNS", "Number=Plur")
    assert "TagConf=1.0000" in flies.misc
    ranked = accord.Document.from_conllu(run("tag", "--nbest", 20, input=FLIES)).sentences
    readings = {(one.words[1].upos, one.words[1].xpos) for one in ranked}
    assert ("NOUN", "NNS") in readings and ("VERB", "VBZ") in readings and ("NOUN", "VBZ") not in readings
