# SPDX-License-Identifier: Apache-2.0
"""Compressed sentences as a page: kept words strong, deleted words struck out, and what is proved of each sentence."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from xml.sax.saxutils import escape

from accord.drawing.characters import printable
from accord.tasks.compressor.worker import CompressedSentence, CompressedText

_STYLE = (
    ":root{color-scheme:light dark}body{margin:2rem auto;padding:0 1rem;max-width:52rem;line-height:1.5;"
    "font-family:system-ui,'Segoe UI',Arial,sans-serif;background:#fff;color:#1f2933}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem}.short{font-size:1.1rem}.proof{color:#7b8794;font-size:.85rem}"
    "s{color:#9aa5b1}@media (prefers-color-scheme:dark){body{background:#15181d;color:#e6e9ed}s{color:#7b8794}}"
)


def compression_page(found: CompressedText) -> str:
    """A standalone page, which needs no other file, no script and no network."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
        f"<title>Compression</title><style>{_STYLE}</style></head><body><h1>Compression</h1>",
        f'<p class="short" dir="auto">{_text(found.text)}</p>',
        f'<p class="proof">{100 * found.rate:.0f} % of the words are kept.</p>',
    ]
    for source, sentences in groupby(found.sentences, key=lambda one: one.sentence.source):
        parts.append(f"<h2>{_text(source)}</h2>")
        parts += [_sentence(one) for one in sentences]
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _sentence(one: CompressedSentence) -> str:
    return f'<p dir="auto">{"".join(_words(one))}<br/><span class="proof">{_proof(one)}</span></p>'


def _words(one: CompressedSentence) -> Iterable[str]:
    """The words of the source in runs of kept and of deleted ones."""
    spaces = one.sentence.spaces or (True,) * len(one.kept)
    rows = list(zip(one.sentence.words, spaces, one.kept, strict=True))
    for kept, run in groupby(rows, key=lambda row: row[2]):
        text = "".join(word + (" " if space else "") for word, space, _ in run)
        inner, blank = text.rstrip(" "), text[len(text.rstrip(" ")) :]
        yield (f"<strong>{_text(inner)}</strong>" if kept else f"<s>{_text(inner)}</s>") + blank


def _proof(one: CompressedSentence) -> str:
    counts = f"{one.words} of {len(one.kept)} words"
    if one.status == "optimal" and one.bound is not None:
        return f"{counts}. Proved: no compression within the budget scores more than {one.score:.4g}."
    if one.status == "pieces":
        return f"{counts}. The sentence is long and was compressed piece by piece."
    bound = "" if one.bound is None else f" of at most {one.bound:.4g}"
    return f"{counts}, score {one.score:.4g}{bound}."


def _text(text: str) -> str:
    return escape(printable(text))
