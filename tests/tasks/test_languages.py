# SPDX-License-Identifier: Apache-2.0
"""``accord train all``: a table of languages becomes models, a second run goes on, and bad tables are one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import accord
from accord.app.cli import make_app
from accord.errors import AccordError, ConfigError
from accord.tasks.examples import tiny_treebank
from accord.tasks.pipeline.languages import FREE_LICENCES, TABLE, read_languages, read_part
from accord.tasks.pipeline.training import StepConfigs

ROWS = """
[recipes.small]
"tokenizer.epochs" = 1
"tagger.epochs" = 1
"parser.order" = 1
"parser.epochs" = 1
folds = 0

[languages.aa]
name = "A (tiny)"
language = "A"
licence = "CC BY 4.0"
train = ["aa_tiny-ud-train[:20]", "aa_tiny-ud-train[20:]"]
dev = ["aa_tiny-ud-dev"]
recipe = "small"

[languages.bb]
name = "B (tiny)"
language = "B"
licence = "CC BY 4.0"
train = ["aa_tiny-ud-dev"]
dev = ["aa_tiny-ud-dev"]
recipe = "small"
set = { steps = "tokenize" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(ROWS, encoding="utf-8")
    (tmp_path / "UD_A-Tiny").mkdir()
    (tmp_path / "UD_A-Tiny" / "aa_tiny-ud-train.conllu").write_bytes(tiny_treebank(30).to_bytes())
    (tmp_path / "aa_tiny-ud-dev.conllu").write_bytes(tiny_treebank(8, 30).to_bytes())
    return tmp_path


def train(folder: Path, *more: str) -> Result:
    words = ["train", "all", "--data", str(folder), "--to", str(folder / "new" / "models"), *more]
    return CliRunner().invoke(make_app(words), words)


def test_all_languages_of_a_table_are_trained_once(folder: Path) -> None:
    table = ("--table", str(folder / "table.toml"))
    assert train(folder, *table, "--only", "bb").exit_code == 0
    first = (folder / "new" / "models" / "bb.accord").stat().st_mtime_ns
    result = train(folder, *table, "--resume")
    assert result.exit_code == 0, result.output
    assert (folder / "new" / "models" / "bb.accord").stat().st_mtime_ns == first
    nlp = accord.load(str(folder / "new" / "models" / "aa.accord"))
    assert nlp("the cat saw a dog.").sentences[0].heads.count(0) >= 1
    card = nlp.model.card
    assert card["licence"] == "CC BY 4.0" and card["also"] == ["aa_tiny-ud-train[20:]"] and card["sentences"] == 30
    assert "words LAS" in card["scores"] and "test_scores" not in card
    assert "# A (tiny)" in (folder / "new" / "models" / "aa.md").read_text(encoding="utf-8")


def test_nothing_is_trained_before_all_treebanks_are_found(folder: Path) -> None:
    (folder / "aa_tiny-ud-dev.conllu").unlink()
    result = train(folder, "--table", str(folder / "table.toml"))
    assert isinstance(result.exception, AccordError) and "no file aa_tiny-ud-dev.conllu" in str(result.exception)
    assert not (folder / "new").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('recipe = "small"', 'recipe = "large"', "no recipe 'large'"),
        ('licence = "CC BY 4.0"', "", "licence must be a text"),
        ('dev = ["aa_tiny-ud-dev"]', "", "train and dev must name"),
        ("aa_tiny-ud-train[:20]", "../x", "train must be a list of treebanks"),
        ('language = "A"', 'language = "A"\ntongue = "A"', "nothing is called tongue"),
        ('language = "A"', 'language = "A"\nstart = 1', "start must be another language"),
        ("[languages.", "[tongues.", "a table of languages has"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(folder: Path, old: str, new: str, message: str) -> None:
    table = folder / "table.toml"
    table.write_text(ROWS.replace(old, new), encoding="utf-8")
    with pytest.raises(ConfigError, match=message) as error:
        read_languages(table)
    assert str(error.value).startswith(str(table))


def test_a_network_to_begin_with_must_be_there_or_be_trained_before(folder: Path) -> None:
    text = ROWS.replace('language = "B"', 'language = "B"\nstart = "aa"')
    (folder / "table.toml").write_text(text, encoding="utf-8")
    result = train(folder, "--table", str(folder / "table.toml"), "--only", "bb")
    assert isinstance(result.exception, AccordError) and str(result.exception).startswith("aa: no such model")
    assert not (folder / "new").exists()


def test_unknown_languages_are_named_with_those_of_the_table(folder: Path) -> None:
    result = train(folder, "--only", "xx")
    assert isinstance(result.exception, AccordError) and "--only xx: the table has sv, nl" in str(result.exception)


def test_parts_of_a_treebank_are_its_sentences_in_order(folder: Path) -> None:
    first, rest, whole = read_part(folder, ["aa_tiny-ud-train[:3]", "aa_tiny-ud-train[3:]", "aa_tiny-ud-train"])
    assert [len(first), len(rest), len(whole)] == [3, 27, 30]
    assert [s.forms for s in (*first.sentences, *rest.sentences)] == [s.forms for s in whole.sentences]


def test_settings_of_the_table_are_settings_and_packages_have_free_licences() -> None:
    rows = read_languages(TABLE)
    for row in rows.values():
        StepConfigs.read(row.settings).steps()
        assert bool(FREE_LICENCES.fullmatch(row.licence)) == row.package
        assert row.test and not set(row.test) & {*row.train, *row.dev}


def test_a_neural_pipeline_needs_no_word_about_its_order() -> None:
    assert StepConfigs.read({"parser.scorer": "neural"}).parser.order == 1
    assert StepConfigs.read({}).parser.order == 2
