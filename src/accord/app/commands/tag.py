# SPDX-License-Identifier: Apache-2.0
"""``accord tag``: parts of speech, XPOS, FEATS and lemmas for the words of text or treebank files, streamed."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Annotated

import typer

from accord.app import options
from accord.app.scripts import tell_script
from accord.data import Document, Sentence
from accord.data.files import open_output
from accord.errors import ConfigError
from accord.tasks.parser.tagging import NetworkTagger
from accord.tasks.pipeline import Pipeline
from accord.tasks.tagger import Tagger
from accord.tasks.tagger.model import COLUMNS

OUTPUTS = ("same", "conllu", "json")


def tag(
    files: options.TextFiles = ["-"],  # noqa: B006
    model: options.Model = "en",
    output: Annotated[
        str, typer.Option("--output", help=f"{', '.join(OUTPUTS)}; same: the format of the input.")
    ] = "same",
    input: options.Input = "auto",
    keep: Annotated[
        str,
        typer.Option("--keep", help=f"Keep the values of these columns: {', '.join(COLUMNS)}, or all."),
    ] = "",
    nbest: Annotated[int, typer.Option("--nbest", min=1, help="The k best taggings of each sentence, best first.")] = 1,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Add TagConf, the tag's probability, to MISC.")
    ] = False,
    marginals: options.Marginals = False,
    offsets: options.Offsets = False,
    lexicon: options.Lexicon = None,
    lexicon_mode: options.LexiconMode = "prefer",
    to: options.To = "-",
    threads: options.Threads = 0,
    format: options.Format = "auto",
    encoding: options.Encoding = "utf-8",
    errors: options.Errors = "strict",
    keep_going: options.KeepGoing = False,
    rejected: options.RejectedFile = None,
) -> None:
    """Tag the words of text or treebanks.

    Example: accord tag letter.txt --model en
    """
    options.check_choice(output, OUTPUTS, "--output")
    reading = options.Reading(input, format, offsets, keep_going, threads, encoding, errors, rejected)
    kept = set(COLUMNS) if keep == "all" else {name.strip() for name in keep.split(",") if name.strip()}
    if kept - set(COLUMNS):
        raise typer.BadParameter(f"{keep!r}: expected {', '.join(COLUMNS)}, or all", param_hint="--keep")
    probabilities |= marginals
    if nbest > 1 and probabilities:
        raise typer.BadParameter("--nbest and --probabilities exclude each other", param_hint="--probabilities")
    pipeline = Pipeline.load(model, words=options.token_words(lexicon, lexicon_mode))
    tagger = pipeline.tagger
    if tagger is None:
        raise ConfigError(f"{model}: this model has no tagger")
    with open_output(to) as out:
        for block in tell_script(reading.documents(files, pipeline.tokenizer), pipeline.language, model):
            if nbest > 1:
                tagged = Document.from_sentences(
                    ranked for sentence in block.sentences for ranked in _ranked(tagger, sentence, nbest, kept)
                )
            else:
                tagged = tagger(block, keep=kept, probabilities=probabilities, threads=threads)
            out.write(tagged.to_bytes(None if output == "same" else output))
            if to == "-":
                out.flush()


def _ranked(tagger: Tagger | NetworkTagger, sentence: Sentence, k: int, kept: set[str]) -> Iterator[Sentence]:
    """The sentence once for each tagging, with its rank and probability as comments."""
    if len(sentence) == 0:
        yield sentence
        return
    column = tagger.column
    comments = tuple(c for c in sentence.comments if not c.startswith(("# nbest =", "# probability =")))
    for rank, one in enumerate(tagger.kbest(sentence, k, keep=column in kept), 1):
        pairs = zip(sentence.words, one.value, strict=True)
        words = tuple(
            dataclasses.replace(word, upos=tag) if column == "upos" else dataclasses.replace(word, xpos=tag)
            for word, tag in pairs
        )
        about = (*comments, f"# nbest = {rank}", f"# probability = {one.probability:.6f}")
        given = dataclasses.replace(sentence, words=words, comments=about)
        yield tagger(Document.from_sentences([given]), keep={column, *kept}, threads=1).sentences[0]
