# SPDX-License-Identifier: Apache-2.0
"""``accord compress``: the sentences of files become shorter and keep their budget."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.app import console, options
from accord.app.scripts import say_script
from accord.data.files import open_output
from accord.errors import ModelError
from accord.inference.compression import parse_deletion_rule, read_deletion_rules
from accord.models import model_path
from accord.models.file import read_header
from accord.tasks.compressor import Compressor, CompressorConfig, CompressorModel, read_sentences
from accord.tasks.compressor.config import METHODS, UNTRAINED_METHODS
from accord.tasks.compressor.sources import SourceSentence
from accord.tasks.pipeline import Pipeline
from accord.tasks.summarizer.stop_words import is_foreign

OUTPUTS = ("text", "json", "html")


def compress(
    files: Annotated[list[str], typer.Argument(help="Text, JSON lines or CoNLL-U; - is standard input.")] = ["-"],  # noqa: B006
    rate: Annotated[
        float | None, typer.Option("--rate", help="Share of the words of each sentence to keep, e.g. 0.6.")
    ] = None,
    words: Annotated[int | None, typer.Option("--words", help="Words of each sentence at most, marks counted.")] = None,
    characters: Annotated[int | None, typer.Option("--characters", help="Characters of each sentence at most.")] = None,
    method: Annotated[str | None, typer.Option("--method", help=f"Decoder: {', '.join(METHODS)}.")] = None,
    keep: Annotated[
        list[str],
        typer.Option("--keep", help="Words that must stay, with commas; also upos=PROPN.", show_default=False),
    ] = [],  # noqa: B006
    drop: Annotated[
        list[str],
        typer.Option("--drop", help="Words that must go, with commas; also deprel=appos.", show_default=False),
    ] = [],  # noqa: B006
    rule: Annotated[
        list[str],
        typer.Option(
            "--rule", help="What may be deleted, e.g. 'never-cut nsubj*,obj'; repeatable.", show_default=False
        ),
    ] = [],  # noqa: B006
    rules: Annotated[Path | None, typer.Option("--rules", help="A file with such rules, one in each line.")] = None,
    model: Annotated[
        str, typer.Option("--model", "-m", help="A trained compressor, or a pipeline: then rules of English decide.")
    ] = "en",
    output: Annotated[str, typer.Option("--output", help="text, json or html.")] = "text",
    to: options.To = "-",
) -> None:
    """Make sentences shorter within a budget of words or characters.

    Example: accord compress news.txt --rate 0.6
    """
    options.check_choice(output, OUTPUTS, "--output")
    if method is not None:
        options.check_choice(method, METHODS, "--method")
    compressor = _compressor(model)
    compressor.budget(rate, words, characters)  # a wrong one is refused before anything is read
    sentences = read_sentences(files, compressor.pipeline, compressor.model.config.longest)
    if sentences:
        parser = compressor.pipeline
        say_script(sentences[0].source, (w for one in sentences for w in one.words), parser.language, model)
    found = compressor(
        sentences,
        rate=rate,
        words=words,
        characters=characters,
        method=method,
        keep=_entries(keep),
        drop=_entries(drop),
        rules=[*map(parse_deletion_rule, rule), *([] if rules is None else read_deletion_rules(rules))],
    )
    _warn_about(sentences, compressor, method)
    with open_output(to) as out:
        if output == "json":
            for sentence in found.sentences:
                out.write((json.dumps(sentence.to_json(), ensure_ascii=False) + "\n").encode())
        elif output == "html":
            from accord.tasks.compressor.page import compression_page

            out.write(compression_page(found).encode())
        else:
            out.write("".join(f"{sentence.text}\n" for sentence in found.sentences).encode())


def _warn_about(sentences: Sequence[SourceSentence], compressor: Compressor, method: str | None) -> None:
    """Files without a sentence, and texts to which the rules of English do not apply."""
    words = [word.lower() for sentence in sentences for word in sentence.words]
    if not words:
        console.say("there is no sentence to compress")
    elif (method or compressor.model.config.method) in UNTRAINED_METHODS and is_foreign(words):
        console.say("the texts are not English: what is deleted by rules of English may be what matters")


def _entries(given: list[str]) -> list[str]:
    return [entry for part in given for entry in part.split(",") if entry]


def _compressor(model: str) -> Compressor:
    """The compressor of a model file, or the rules of English with the tagger and parser of a pipeline."""
    path = model_path(model)
    kind = read_header(path).get("kind")
    if kind == "compressor":
        return Compressor(CompressorModel.load(path))
    if kind != "pipeline":
        raise ModelError(f"{path}: a model of kind {kind!r}, not a compressor or a pipeline")
    return Compressor(CompressorConfig(method="grammar", parser=str(model)), Pipeline.load(path))
