# SPDX-License-Identifier: Apache-2.0
"""All tasks, one row each.

A task is a job that Accord learns from data: a settings class, a model, a worker that applies the model, training and
evaluation. From its row come its commands (``accord train NAME`` and ``accord VERB``), what :func:`accord.load` does
with its files, its part of ``accord info``, its route in the service, its reference page and its contract test.

A task that needs no data to learn from has neither ``learns`` nor ``train``: its model is its settings.

The row (:class:`Row`) says what must be known before the task is imported. The task itself (:class:`Task`) is the
``TASK`` of the module that the row names, and is imported when somebody asks for it: a command that parses does not
import the code that trains.

A task from another package joins with :func:`register`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from accord.errors import ConfigError, ModelError

if TYPE_CHECKING:
    from pathlib import Path

TREEBANK_FORMATS = ("auto", "conllu", "conllx", "conll2008", "conll2009", "json")


@dataclass(frozen=True)
class Row:
    """What is known of a task before it is imported.

    Attributes
    ----------
    name: what ``accord train`` calls it.
    verb: the command that applies it.
    title: what it is, as a noun: "dependency parser".
    learns: what it is trained on, for help: "Treebanks to train on."; nothing for a task without training.
    gives: what its command does, as a sentence: "Find the words of texts."
    module: the module with its ``TASK``.
    kinds: the kinds of model files that it reads.
    aliases: older names of it that ``accord train`` still takes; ``verb_aliases``: the same for its command.
    formats: formats of its training files, where there are several.
    unit: what its speed counts.
    options: further options of ``accord train``: "device", "also", "base", "keep-going".
    example: a command line that trains one.
    own_training: it has a training command of its own in ``accord.app.commands``.
    """

    name: str
    verb: str
    title: str
    learns: str
    gives: str
    module: str = ""
    kinds: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    verb_aliases: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    unit: str = "words"
    options: tuple[str, ...] = ()
    example: str = ""
    own_training: str = ""


@dataclass(frozen=True)
class Example:
    """Tiny data of a task for the contract test.

    ``predict(worker, inputs, threads)`` gives one answer for each input; answers are compared with ``==``.
    ``kbest(worker, input, k)`` gives ranked answers, the first of which is the answer of ``predict``.
    ``kept(worker)`` applies the worker to an input with given values and tells whether all of them are kept.
    ``resumes``: training has epochs, so that an interrupted run can go on; False for a task that is trained in one go.
    ``request`` is what the service takes, and ``applied`` a file that the command takes.
    """

    training: Any
    dev: Any
    settings: Any
    inputs: Sequence[Any]
    predict: Callable[[Any, Sequence[Any], int], list[Any]]
    request: Mapping[str, Any]
    applied: bytes
    kbest: Callable[[Any, Any, int], Sequence[Any]] | None = None
    kept: Callable[[Any], bool] | None = None
    resumes: bool = True

    @classmethod
    def over_sentences(cls, tiny: Callable[..., Any], **given: Any) -> Example:
        """Of a task that reads sentences: ``tiny(count, start)`` makes a document; what is ``given`` comes first."""
        return cls(
            **{
                "training": tiny(30),
                "dev": tiny(8, 30),
                "inputs": tiny(6, 38).sentences,
                "request": {"conllu": tiny(1).to_bytes().decode()},
                "applied": tiny(3).to_bytes(),
                **given,
            }
        )

    @classmethod
    def over_lines(cls, texts: Sequence[str], **given: Any) -> Example:
        """Of a task that reads one text a line."""
        lines = "".join(text + "\n" for text in texts).encode()
        return cls(inputs=texts, request={"texts": texts[:2]}, applied=lines, **given)


@dataclass(frozen=True)
class Task:
    """Everything that a task is.

    Attributes
    ----------
    settings: the class of its settings.
    model: the class of its models, with ``save`` and ``load``.
    worker: makes the worker of a model.
    read: training or dev data from files, by the settings; ``format`` and ``keep_going`` as in the command.
    train: ``train(training, dev, settings, *, card, reporter, checkpoint)`` gives a
        :class:`~accord.learning.TrainingResult`; None for a task without training, whose model is ``model(settings)``.
    evaluate: scores of a worker on data, in percent; the first one decides.
    apply: what a file becomes: bytes in, bytes out, by options (``threads`` and what the task adds).
    answer: what the service answers to a request, both as JSON objects.
    example: tiny data for the contract test.
    settle: settings from a table of values that the user gave, and the first training file.
    sizes: what the model card says of the size of training data.
    free: settings that may change between an interrupted run and the run that resumes it.
    """

    row: Row
    settings: type[Any]
    model: type[Any]
    worker: Callable[[Any], Any]
    read: Callable[..., Any]
    train: Callable[..., Any] | None
    evaluate: Callable[[Any, Any], dict[str, float]]
    apply: Callable[[Any, bytes, Mapping[str, Any]], bytes]
    answer: Callable[[Any, Mapping[str, Any]], dict[str, Any]]
    example: Callable[[], Example]
    settle: Callable[[Mapping[str, Any], str | Path, str], Any] | None = None
    sizes: Callable[[Any], dict[str, int]] = lambda training: {}
    free: tuple[str, ...] = ("epochs", "patience", "threads")

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def verb(self) -> str:
        return self.row.verb

    @property
    def title(self) -> str:
        return self.row.title

    def settings_of(self, values: Mapping[str, Any], file: str | Path, format: str = "auto") -> Any:
        """The settings for training on a file, from the values that the user gave."""
        from accord.settings import make_settings

        return make_settings(self.settings, values) if self.settle is None else self.settle(values, file, format)


_BUILT_IN = (
    Row(
        "parser",
        verb="parse",
        title="dependency parser",
        learns="Treebanks to train on.",
        gives="Find the trees of sentences.",
        module="accord.tasks.parser.task",
        kinds=("parser",),
        formats=TREEBANK_FORMATS,
        options=("also", "device", "keep-going"),
        example="accord train parser train.conllu --dev dev.conllu --output en.accord --set projective=false",
    ),
    Row(
        "tagger",
        verb="tag",
        title="tagger of UPOS, XPOS, FEATS and lemmas",
        learns="Treebanks to train on.",
        gives="Tag the words of sentences.",
        module="accord.tasks.tagger.task",
        kinds=("tagger",),
        formats=TREEBANK_FORMATS,
        example="accord train tagger train.conllu --dev dev.conllu --output tags.accord --set order=2",
    ),
    Row(
        "tokenizer",
        verb="tokenize",
        title="tokeniser and sentence splitter",
        learns="Treebanks to train on.",
        gives="Split text into sentences, tokens and words.",
        module="accord.tasks.tokenizer.task",
        kinds=("tokenizer",),
        formats=TREEBANK_FORMATS,
        unit="characters",
        example="accord train tokenizer train.conllu --dev dev.conllu --output tokens.accord",
    ),
    Row(
        "pipeline",
        verb="parse",
        title="pipeline of tokeniser, tagger and parser",
        learns="Folder with *-train.conllu, and if possible *-dev.conllu and *-test.conllu.",
        gives="Find sentences, words, tags and trees of text.",
        module="accord.tasks.pipeline.task",
        kinds=("pipeline",),
        example="accord train pipeline UD_English-EWT --output my.accord --set parser.order=3",
        own_training="train_pipeline",
    ),
    Row(
        "constituents",
        verb="parse",
        title="constituency parser",
        learns="Treebanks of constituents: brackets, or documents that hold trees.",
        gives="Find the phrases of sentences.",
        module="accord.tasks.constituents.task",
        kinds=("constituents",),
        formats=("auto", "brackets", "conllu", "json"),
        options=("also", "device", "keep-going"),
        example="accord train constituents train.mrg --dev dev.mrg --output phrases.accord",
    ),
    Row(
        "joint-constituents",
        verb="parse",
        title="joint parser of words, tags and phrases",
        learns="Treebanks of constituents: brackets, or documents that hold trees.",
        gives="Find words, tags and phrases of raw characters together.",
        module="accord.tasks.joint_constituents.task",
        kinds=("joint-constituents",),
        formats=("auto", "brackets", "conllu", "json"),
        options=("also", "keep-going"),
        unit="characters",
        example="accord train joint-constituents train.mrg --dev dev.mrg --output zh-joint.accord",
    ),
    Row(
        "spans",
        verb="spans",
        title="finder of spans: named entities, or chunks",
        learns="Labelled tokens: columns, or CoNLL-U.",
        gives="Find spans of tokens: entities or chunks.",
        module="accord.tasks.spans.task",
        kinds=("spans",),
        aliases=("ner",),
        verb_aliases=("label",),
        formats=("auto", "columns", "conllu"),
        unit="tokens",
        example="accord train spans train.txt --dev dev.txt --output names.accord --set l2=0.5",
    ),
    Row(
        "segmenter",
        verb="segment",
        title="word segmenter",
        learns="Segmented text: one sentence in each line, blanks between words.",
        gives="Find the words of texts.",
        module="accord.tasks.segmenter.task",
        kinds=("segmenter",),
        unit="characters",
        example="accord train segmenter train.seg --dev dev.seg --output words.accord --set words=names.txt",
    ),
    Row(
        "joint",
        verb="joint",
        title="joint model of segments and their types",
        learns="Words in columns with labels last, or CoNLL-U seen as characters.",
        gives="Find segments and their types together.",
        module="accord.tasks.joint.task",
        kinds=("joint",),
        aliases=("virtual",),
        unit="tokens",
        example="accord train joint chunks.txt --dev dev.txt --output chunks.accord --set l2=2",
    ),
    Row(
        "compressor",
        verb="compress",
        title="sentence compressor",
        learns="Sentences with the words that were kept: JSON lines with tokens and mask.",
        gives="Make sentences shorter within a budget of words or characters.",
        module="accord.tasks.compressor.task",
        kinds=("compressor",),
        example="accord train compressor train.jsonl --dev dev.jsonl --output short.accord --set method=joint",
    ),
    Row(
        "cleaner",
        verb="clean",
        title="cleaner of transcripts",
        learns="Transcripts with fillers and edits marked: columns, JSON lines or CHAT.",
        gives="Take fillers and edits out of transcripts of speech.",
        module="accord.tasks.cleaner.task",
        kinds=("cleaner",),
        formats=("auto", "columns", "json", "chat"),
        example="accord train cleaner train.tsv --dev dev.tsv --output speech.accord",
    ),
    Row(
        "summarizer",
        verb="summarize",
        title="summarizer",
        learns="Topics with summaries, as JSON lines.",
        gives="Summarise texts within a budget of words, characters or sentences.",
        module="accord.tasks.summarizer.task",
        kinds=("summarizer",),
        unit="topics",
        example="accord train summarizer topics.jsonl --dev dev.jsonl --output reviews.accord --set words=50",
    ),
    Row(
        "reranker",
        verb="rerank",
        title="reranker of lists",
        learns="What the base model was trained on; without --base lists, as JSON lines.",
        gives="Put the candidates of lists into a better order.",
        module="accord.tasks.reranker.task",
        kinds=("reranker",),
        formats=TREEBANK_FORMATS,
        unit="lists",
        options=("base", "keep-going"),
        example="accord train reranker train.mrg --base phrases.accord --dev dev.mrg --output better.accord",
    ),
)

_rows: dict[str, Row] = {row.name: row for row in _BUILT_IN}
_tasks: dict[str, Task] = {}


def rows() -> tuple[Row, ...]:
    """The rows of all tasks, in the order in which help lists them."""
    return tuple(_rows.values())


def row(name: str) -> Row:
    """The row of a name, or of an older name."""
    for one in _rows.values():
        if name == one.name or name in one.aliases:
            return one
    raise ConfigError(f"task {name!r}: expected one of {', '.join(_rows)}")


def task(name: str) -> Task:
    """The task of a name, imported now if it was not yet.

    >>> task("segmenter").title
    'word segmenter'
    """
    found = row(name)
    if found.name not in _tasks:
        _tasks[found.name] = importlib.import_module(found.module).TASK
    return _tasks[found.name]


def tasks() -> tuple[Task, ...]:
    """All tasks, imported."""
    return tuple(task(name) for name in _rows)


def row_of_kind(kind: str | None, path: str = "<model>") -> Row:
    """The row of the task that reads model files of a kind; a kind that no task reads raises ModelError."""
    for one in _rows.values():
        if kind in one.kinds:
            return one
    if kind == "checkpoint":
        raise ModelError(f"{path}: a checkpoint of unfinished training; go on with accord train ... --resume")
    known = ", ".join(kind for one in _rows.values() for kind in one.kinds)
    raise ModelError(f"{path}: a model of kind {kind!r}; this Accord knows {known}")


def task_of_kind(kind: str | None, path: str = "<model>") -> Task:
    """The task that reads model files of a kind."""
    return task(row_of_kind(kind, path).name)


def register(added: Task) -> Task:
    """Add a task of another package; a name, verb or kind that is taken by another task raises ConfigError."""
    new = added.row
    for one in _rows.values():
        if one.name == new.name:
            raise ConfigError(f"there is a task {new.name!r} already")
        if one.verb == new.verb:
            raise ConfigError(f"task {new.name!r}: the verb {new.verb!r} is that of task {one.name!r}")
        if set(one.kinds) & set(new.kinds):
            raise ConfigError(f"task {new.name!r}: its kind of model files is that of task {one.name!r}")
    _rows[new.name] = new
    _tasks[new.name] = added
    return added


def unregister(name: str) -> None:
    """Take a registered task out again; the built-in ones stay."""
    if name in {one.name for one in _BUILT_IN}:
        raise ConfigError(f"task {name!r} is built in")
    _rows.pop(name, None)
    _tasks.pop(name, None)
