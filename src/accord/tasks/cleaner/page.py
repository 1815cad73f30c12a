# SPDX-License-Identifier: Apache-2.0
"""A cleaned transcript as a page: edits struck out, fillers struck out and pale, with their probabilities."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape

from accord.drawing.characters import printable
from accord.tasks.cleaner.cleaned import CleanedUtterance, joined

_STYLE = (
    ":root{color-scheme:light dark}body{margin:2rem auto;padding:0 1rem;max-width:52rem;line-height:1.5;"
    "font-family:system-ui,'Segoe UI',Arial,sans-serif;background:#fff;color:#1f2933}h1{font-size:1.4rem}"
    ".speaker{color:#7b8794;font-size:.85rem;margin-right:.5rem}s.edit{color:#b3402a}s.filler{color:#9aa5b1}"
    "@media (prefers-color-scheme:dark){body{background:#15181d;color:#e6e9ed}s.edit{color:#f0806a}}"
)


def transcript_page(utterances: Iterable[CleanedUtterance]) -> str:
    """A standalone page, which needs no other file, no script and no network."""
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
        f"<title>Transcript</title><style>{_STYLE}</style></head><body><h1>Transcript</h1>",
        '<p><s class="edit">Edits</s> and <s class="filler">fillers</s> are struck out. '
        "Rest the pointer on one to see how probable it is.</p>",
    ]
    parts += [f'<p dir="auto">{_speaker(one)}{_words(one)}</p>' for one in utterances]
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _speaker(one: CleanedUtterance) -> str:
    speaker = one.source.fields.get("speaker")
    return "" if speaker is None else f'<span class="speaker">{_text(str(speaker))}</span>'


def _words(one: CleanedUtterance) -> str:
    parts: list[str] = []
    for label, run in one.runs():
        text = _text(joined(run))
        sure = min(word.probability for word in run)
        parts += [" "] if parts and not run[0].glued else []
        parts.append(f'<s class="{label}" title="{label} {sure:.2f}">{text}</s>' if label else text)
    return "".join(parts)


def _text(text: str) -> str:
    return escape(printable(text))
