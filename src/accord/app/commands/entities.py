# SPDX-License-Identifier: Apache-2.0
"""``accord entities``: names of persons, places and organisations in text or CoNLL-U."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from accord.app import options
from accord.app.scripts import tell_script
from accord.data import Document
from accord.data.entities import Entity, entities_of
from accord.data.files import open_output
from accord.data.word import misc_value
from accord.tasks.pipeline.model import Pipeline

OUTPUTS = ("table", "json", "conllu")


def entities(
    files: Annotated[list[str], typer.Argument(help="Text or CoNLL-U; - or nothing is standard input.")] = ["-"],  # noqa: B006
    model: options.Model = "en",
    output: Annotated[
        str,
        typer.Option("--output", help="table: a name in each line; json: an object a line; conllu: NER= in MISC."),
    ] = "table",
    to: options.To = "-",
    threads: options.Threads = 0,
    encoding: options.Encoding = "utf-8",
    errors: options.Errors = "strict",
    keep_going: options.LeaveOut = False,
    rejected: options.RejectedFile = None,
) -> None:
    """Find names of persons (PER), places (LOC) and organisations (ORG).

    Example: accord entities letter.txt --output json
    """
    options.check_choice(output, OUTPUTS, "--output")
    pipeline = Pipeline.load(model)
    with open_output(to) as out:
        places = output == "json"
        reading = options.Reading("auto", "auto", places, keep_going, threads, encoding, errors, rejected)
        for document in tell_script(reading.documents(files, pipeline.tokenizer), pipeline.language, model):
            found = pipeline.with_entities(document, threads=threads)
            out.write(found.to_bytes() if output == "conllu" else _lines(found, output))
            if to == "-":
                out.flush()


def _place(entity: Entity) -> dict[str, int]:
    """Where it stands in the text that was read, counted in characters; nothing in a treebank, which has no text."""
    sentence = entity.words[0].sentence
    ranges = {word: token.misc for token in sentence.tokens for word in token.words}
    ends = [misc_value(ranges[word.id], "TokenRange") for word in (entity.words[0], entity.words[-1])]
    if None in ends:
        return {}
    (start, _, _), (_, _, end) = (str(one).partition(":") for one in ends)
    return {"start": int(start), "end": int(end)}


def _lines(document: Document, output: str) -> bytes:
    lines = []
    for sentence in document.sentences:
        for one in entities_of(sentence, document.text):
            if output == "json":
                values = {"text": one.text, "label": one.label, "probability": one.probability}
                lines.append(json.dumps({**values, "sent_id": sentence.sent_id, **_place(one)}, ensure_ascii=False))
            else:
                lines.append(f"{one.label}\t{one.text}\t{one.probability:.4f}\t{sentence.sent_id or ''}")
    return "".join(f"{line}\n" for line in lines).encode()
