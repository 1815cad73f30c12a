# SPDX-License-Identifier: Apache-2.0
"""``accord summarize``: the files of a topic become one summary that keeps its budget."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from accord.app import console, options
from accord.app.scripts import language_of, say_script
from accord.data.files import open_output
from accord.errors import ModelError
from accord.inference.coverage import METHODS
from accord.models import model_path
from accord.models.file import read_header
from accord.settings import make_settings, read_table
from accord.tasks.compressor import Compressor
from accord.tasks.summarizer import Summarizer, SummarizerConfig, SummarizerModel, read_sources
from accord.tasks.tokenizer import Tokenizer

OUTPUTS = ("text", "json", "html")


def summarize(
    files: Annotated[
        list[str], typer.Argument(help="Text, JSON lines or CoNLL-U; all files are one topic; - is standard input.")
    ] = ["-"],  # noqa: B006
    words: Annotated[int | None, typer.Option("--words", min=1, help="Most words; 100 if no budget is given.")] = None,
    sentences: Annotated[int | None, typer.Option("--sentences", min=1, help="Most sentences.")] = None,
    characters: Annotated[int | None, typer.Option("--characters", min=1, help="Most characters.")] = None,
    query: Annotated[str, typer.Option("--query", help="Words that the summary should be about.")] = "",
    update: Annotated[
        list[str],
        typer.Option("--update", help="A file that the reader knows already; may be repeated.", show_default=False),
    ] = [],  # noqa: B006
    compress: Annotated[
        bool, typer.Option("--compress", help="Cut what sentences can do without; --model must have a parser.")
    ] = False,
    compressor: Annotated[
        str,
        typer.Option(
            "--compressor", help="A trained compressor that shortens while sentences are chosen by learned relevance."
        ),
    ] = "",
    method: Annotated[str | None, typer.Option("--method", help=f"Solver: {', '.join(METHODS)}.")] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", help="The model whose tokeniser splits texts, or a file with the settings of a summarizer."
        ),
    ] = "en",
    output: Annotated[str, typer.Option("--output", help="text, json or html.")] = "text",
    to: options.To = "-",
    config: options.Config = None,
    set: options.Set = [],  # noqa: B006
) -> None:
    """Summarise texts within a budget of words, characters or sentences.

    Example: accord summarize review1.txt review2.txt --words 50
    """
    options.check_choice(output, OUTPUTS, "--output")
    if method is not None:
        options.check_choice(method, METHODS, "--method")
    summarizer = _summarizer(model, read_table(config, set), compress, compressor)
    sources = read_sources(files, summarizer.tokenizer)
    earlier = read_sources(update, summarizer.tokenizer)
    if sources:
        words_of = (token for source in sources for sentence in source.sentences for token in sentence.tokens)
        say_script(sources[0].name, words_of, language_of(model), model)
    given: dict[str, Any] = {"words": words, "sentences": sentences, "characters": characters}
    chosen = {name: value for name, value in given.items() if value is not None}
    if chosen:
        chosen = {**dict.fromkeys(given, 0), **chosen}
    if method is not None:
        chosen["method"] = method
    if compress:
        chosen["compress"] = True
    summary = summarizer(sources, query=query, earlier=earlier, **chosen)
    if summary.note:
        console.say(summary.note)
    if not any(source.sentences for source in sources):
        console.say("there is no sentence to summarise")
    elif not summary.sentences:
        console.say("no sentence fits the budget and says something that is not known: the summary is empty")
    with open_output(to) as out:
        if output == "json":
            out.write((json.dumps(summary.to_json(), ensure_ascii=False, indent=1) + "\n").encode())
        elif output == "html":
            from accord.tasks.summarizer.page import summary_page

            out.write(summary_page(summary).encode())
        elif summary.text:
            out.write(f"{summary.text}\n".encode())


def _summarizer(model: str, values: dict[str, Any], compress: bool, compressor: str) -> Summarizer:
    """The summarizer of a settings file, or one with default settings and the tokeniser of a model."""
    path = model_path(model)
    header = read_header(path)
    shortener = Compressor.load(compressor) if compressor else None
    if header.get("kind") != "summarizer":
        settings = make_settings(SummarizerConfig, values)
        parser = None
        if (compress or settings.compress) and model != "en":
            from accord.tasks.pipeline import Pipeline

            parser = Pipeline.load(path)
        return Summarizer(settings, Tokenizer.load(path), parser, shortener)
    if values:
        raise ModelError(f"{path}: has settings of its own; leave out --set and --config")
    return Summarizer(SummarizerModel.load(path), compressor=shortener)
