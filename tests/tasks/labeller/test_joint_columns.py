# SPDX-License-Identifier: Apache-2.0
"""Joint models of several columns of labels: layers and masks against enumeration, then models on small data."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import accord
from accord.app.cli import make_app
from accord.data import Document, Sentence
from accord.errors import ConfigError, ConstraintError, FormatError, ModelError
from accord.inference.joint import clique_shape
from accord.tasks import registry
from accord.tasks.joint import JointConfig, JointLabeller, JointModel, train_columns, train_joint
from accord.tasks.joint.columns import Columns, column_kinds, template_sections

WORDS = ["the old cat saw Ana", "Ana ran", "a dog saw the cat", "the dog ran", "Bo saw a cat"]
TAGS = ["D J N V P", "P V", "D N V D N", "D N V", "P V D N"]
CHUNKS = [
    "B-NP I-NP I-NP B-VP B-NP",
    "B-NP B-VP",
    "B-NP I-NP B-VP B-NP I-NP",
    "B-NP I-NP B-VP",
    "B-NP B-VP B-NP I-NP",
]
NAMES = ["O O O O B-PER", "B-PER O", "O O O O O", "O O O", "B-PER O O O"]
KINDS = {1: "tags", 2: "spans", 3: "tags+spans", 4: "spans+spans"}


def document(repeat: int = 4) -> Document:
    return Document.from_sentences([Sentence.from_words(text.split()) for text in WORDS * repeat])


def labels(count: int, repeat: int = 4) -> list[list[str]]:
    """The columns of a model with so many layers."""
    columns = {1: [TAGS], 2: [CHUNKS], 3: [TAGS, CHUNKS], 4: [CHUNKS, NAMES]}[count]
    return [" ".join(column * repeat).split() for column in columns]


def config(count: int, **changes: object) -> JointConfig:
    values = {"templates": "joint_columns", "l2": 0.1, "iterations": 30, "threads": 1, **changes}
    return JointConfig(columns=KINDS[count], **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kinds", "size"), [(("spans",), 3), (("tags", "spans"), 2), (("spans", "tags"), 2), (("spans", "spans"), 2)]
)
def test_masks_allow_the_labellings_of_columns_and_no_others(kinds: tuple[str, ...], size: int) -> None:
    layers = [names for kind in kinds for names in ([["x", "y"]] if kind == "tags" else [["B", "I"], ["O", "A", "C"]])]
    columns = Columns(kinds, layers, "BI")
    masks, sizes, count = columns.masks(), columns.sizes, len(columns.sizes)
    follow = np.split(masks.follow, np.cumsum([np.prod(clique_shape(sizes, k)) for k in range(count)])[:-1])
    tables = [table.reshape(clique_shape(sizes, k)) for k, table in enumerate(follow)]
    start, end = masks.start.reshape(sizes), masks.end.reshape(sizes)
    wanted = set()
    spans = [f"{place}-{type_}" for place in "BI" for type_ in "AC"] + ["O"]
    for each in itertools.product(
        *(itertools.product("xy" if kind == "tags" else spans, repeat=size) for kind in kinds)
    ):
        numbers = columns.encode(each, [size])
        if columns.decode(numbers, [size]) == [list(column) for column in each]:
            wanted.add(tuple(map(tuple, numbers.tolist())))
    found = set()
    for rows in itertools.product(itertools.product(*(range(n) for n in sizes)), repeat=size):
        good = start[rows[0]] == 0 and end[rows[-1]] == 0
        pairs = itertools.pairwise(rows)
        if good and all(tables[k][(*one[k:], *two[: k + 1])] == 0 for one, two in pairs for k in range(count)):
            found.add(rows)
    assert found == wanted


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_columns_are_learned_saved_and_loaded(count: int, tmp_path: Path) -> None:
    result = train_columns(document(), labels(count), config(count), dev=(document(1), labels(count, 1)))
    assert result.scores["words"] == 100.0
    labeller = JointLabeller(result.model)
    assert labeller.columns(document(1), threads=1) == labels(count, 1)
    assert labeller.columns(document(3), threads=3) == labels(count, 3)
    path = f"{tmp_path}/model.accord"
    result.model.save(path)
    loaded = accord.load(path)
    assert isinstance(loaded, JointLabeller)
    assert loaded.columns(document(1)) == labels(count, 1)
    task = registry.task("joint")
    request = {"conllu": document(1).to_bytes().decode()}
    assert task.answer(loaded, request) == {"columns": labels(count, 1)}
    ranked = loaded.columns_kbest(document(1), 1, 5)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)
    assert len({one.value for one in ranked}) == len(ranked) > 1


@pytest.mark.parametrize("method", ["mira", "crf", "perceptron", "svm"])
def test_online_learners_learn_three_layers(method: str) -> None:
    model = train_columns(document(), labels(3), config(3, method=method, epochs=8, bits=10)).model
    assert JointLabeller(model).columns(document(1)) == labels(3, 1)


def test_two_layers_of_columns_are_the_joint_model() -> None:
    """The general chain of two layers scores and answers as the one that is made for two."""
    text = Path(accord.__file__).parent / "tasks" / "labeller" / "joint_columns.txt"
    sections = template_sections(text.read_text(encoding="utf-8"))
    names = {
        "places": "segment",
        "types": "tag",
        "segments": "joint",
        "places_pair": "segment_pair",
        "types_pair": "tag_pair",
    }
    parts = [f"[{names[name]}]\n{lines}" for name, lines in sections.items() if name in names]
    parts += [f"[{name}]\n{sections['clique']}" for name in ("segment_clique", "tag_clique")]
    from accord.tasks.joint import segments_of_labels

    general = train_columns(document(), labels(2), config(2)).model
    own = Path(f"{__file__}.templates")
    try:
        own.write_text("\n".join(parts), encoding="utf-8")
        special_config = JointConfig(templates=str(own), l2=0.1, iterations=30, threads=1)
        lengths = document().lengths.tolist()
        special = train_joint(document(), segments_of_labels(labels(2)[0], lengths), special_config).model
    finally:
        own.unlink()
    first = JointLabeller(general)._chain.kbest(JointLabeller(general)._chain.words(document(1)), 0, 5)
    second = JointLabeller(special)._chain.kbest(JointLabeller(special)._chain.words(document(1)), 0, 5)
    assert [one.log_probability for one in first] == pytest.approx([one.log_probability for one in second], abs=1e-3)
    assert first[0].value.tolist() == second[0].value.tolist()


def test_given_labels_are_kept() -> None:
    labeller = JointLabeller(train_columns(document(), labels(3), config(3)).model)
    given = [["_"] * 19, ["_"] * 19]
    given[0][0], given[1][3] = "N", "I-NP"
    found = labeller.columns(document(1), given=given)
    assert found[0][0] == "N" and found[1][2:4] == ["I-NP", "I-NP"]
    with pytest.raises(ConstraintError, match="sentence 1"):
        labeller.columns(document(1), given=[["_"] * 19, ["B-VP", "I-NP", *["_"] * 17]])
    with pytest.raises(ConfigError, match="given labels"):
        labeller.columns(document(1), given=[["_"] * 19])
    with pytest.raises(FormatError, match="'X' is none"):
        labeller.columns(document(1), given=[["X", *["_"] * 18], ["_"] * 19])
    with pytest.raises(ConfigError, match="columns"):
        labeller(document(1))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_probabilities_are_sums_over_all_labellings(count: int) -> None:
    labeller = JointLabeller(train_columns(document(), labels(count), config(count, iterations=3)).model)
    short = Document.from_sentences([Sentence.from_words(["Ana", "ran"])])
    everything = labeller.columns_kbest(short, 0, 100_000)
    assert sum(one.probability for one in everything) == pytest.approx(1.0, abs=1e-6)
    for place, column in enumerate(labeller.sure_columns(short)):
        if KINDS[count].split("+")[place] == "spans":
            continue
        for word in range(2):
            wanted = sum(one.probability for one in everything if one.value[place][word] == column.labels[word])
            assert column.figures[word, 0] == pytest.approx(wanted, abs=1e-6)
    kept = labeller.sure_columns(short, given=[list(labels(count, 1)[k][5:7]) for k in range(len(labels(count)))])
    assert all(column.figures == pytest.approx(1.0) for column in kept)


def test_figures_of_a_span_are_the_smallest_of_its_words() -> None:
    columns = Columns(["spans", "tags"], [["B", "I"], ["O", "A"], ["x", "y"]], "BI")
    sure = np.array([[0.9, 0.8, 0.3], [0.7, 0.95, 0.4], [0.6, 0.5, 0.5]])
    spans, tags = columns.figures([["B-A", "I-A", "O"], ["x", "y", "x"]], sure)
    assert spans.tolist() == [[0.7, 0.8], [0.7, 0.8], [0.6, 0.5]] and tags.tolist() == [[0.3], [0.4], [0.5]]


def test_the_command_ranks_columns_and_says_how_sure_they_are(tmp_path: Path) -> None:
    model, words = tmp_path / "model.accord", tmp_path / "words.txt"
    train_columns(document(), labels(3), config(3)).model.save(model)
    words.write_text("Ana\nran\n\nthe\nold\ncat\n\n", encoding="utf-8")

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(make_app(["joint"]), ["joint", str(words), "-m", str(model), *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    rows = [line.split() for line in run("--probabilities").splitlines()]
    assert [(row[1], row[3]) for row in rows if row][:2] == [("P", "B-NP"), ("V", "B-VP")]
    assert all(0 < float(row[k]) <= 1 for row in rows if row for k in (2, 4, 5))
    blocks = run("--nbest", "2").strip().split("\n\n")
    assert len(blocks) == 4 and blocks[1].startswith("# nbest = 2\n# probability = ")
    assert blocks[2].splitlines()[2:] == ["the D B-NP", "old J I-NP", "cat N I-NP"]
    assert blocks[2].splitlines()[2:] != blocks[3].splitlines()[2:]


def test_wrong_columns_and_files_are_refused() -> None:
    with pytest.raises(ConfigError, match="expected tags or spans"):
        column_kinds("tags+names")
    with pytest.raises(ConfigError, match="2 columns, not 1"):
        train_columns(document(), labels(1), config(3))
    with pytest.raises(FormatError, match="tag 'Q' is none"):
        Columns(["tags"], [["x"]]).encode([["Q"]], [1])
    model = train_columns(document(), labels(3), config(3, iterations=2)).model
    header, arrays = model.to_blocks()
    parts = {**header["parts"], "chain": {**header["parts"]["chain"], "layers": [["D"], ["B"], ["O"]]}}
    with pytest.raises(ModelError):
        JointModel.from_blocks({**header, "parts": parts}, arrays, "file")


def rows(columns: list[list[str]], given: int = 0) -> str:
    """A file of the words with these columns, the last ``given`` of them unknown."""
    lines, at = [], 0
    for text in WORDS:
        for word in text.split():
            lines.append(" ".join([word, *(column[at] for column in columns), *["_"] * given]))
            at += 1
        lines.append("")
    return "\n".join(lines) + "\n"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(make_app(list(arguments)), arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("count", [1, 3, 4])
def test_columns_at_the_command_line(count: int, tmp_path: Path) -> None:
    train, plain, model = tmp_path / "train.txt", tmp_path / "plain.txt", tmp_path / "model.accord"
    train.write_text(rows(labels(count, 1)) * 4, encoding="utf-8")
    plain.write_text(rows([]), encoding="utf-8")
    how = ["--set", f"columns={KINDS[count]}", "--set", "l2=0.1", "--set", "iterations=30", "--set", "threads=1"]
    said = run("train", "joint", str(train), "--dev", str(train), "-o", str(model), *how)
    assert "words 100.00" in said
    assert run("joint", str(plain), "--model", str(model)) == rows(labels(count, 1))
    said = run("joint", str(train), "--model", str(model), "--evaluate", "--against", str(model))
    assert "words        100.00" in said and "McNemar p = 1" in said
    unknown = tmp_path / "unknown.txt"
    unknown.write_text(rows([], given=len(labels(count))), encoding="utf-8")
    kept = run("joint", str(unknown), "--model", str(model), "--keep", "given")
    wanted = [line.split()[1:] for line in rows(labels(count, 1)).splitlines() if line]
    assert [line.split()[1 + len(labels(count)) :] for line in kept.splitlines() if line] == wanted
    assert "columns" in run("info", str(model), "--explain")
    mistakes = {
        "standard input": ("joint", "-", "--model", str(model), "--keep", "given"),
        "not from CoNLL-U": ("joint", "words.conllu", "--model", str(model), "--evaluate"),
        "there is no column|two of these are one column": ("joint", str(plain), "--model", str(model), "--evaluate"),
        "without --evaluate": ("joint", str(train), "--model", str(model), "--probabilities", "--evaluate"),
        "expected tags or spans": ("train", "joint", str(train), "-o", str(model), "--set", "columns=names"),
    }
    for message, arguments in mistakes.items():
        with pytest.raises((ConfigError, FormatError), match=message):
            run(*arguments)
