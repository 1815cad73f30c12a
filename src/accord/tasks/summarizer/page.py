# SPDX-License-Identifier: Apache-2.0
"""A summary as a page: the sources with kept words strong, cut words struck and concepts marked, and what is proved."""

from __future__ import annotations

from xml.sax.saxutils import escape

from accord.drawing.characters import printable
from accord.tasks.summarizer.summary import Summary, SummarySentence

_STYLE = (
    ":root{color-scheme:light dark}body{margin:2rem auto;padding:0 1rem;max-width:52rem;line-height:1.5;"
    "font-family:system-ui,'Segoe UI',Arial,sans-serif;background:#fff;color:#1f2933}"
    "h1{font-size:1.4rem}h2{font-size:1.1rem}.summary{font-size:1.1rem}.proof,.left{color:#7b8794}"
    "del{color:#b42318}mark{background:#ffe8a3;color:inherit}"
    ".heading{display:block;margin-top:.8rem;font-weight:600}"
    "table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0}"
    "@media (prefers-color-scheme:dark){body{background:#15181d;color:#e6e9ed}mark{background:#5c4a12}}"
)


def summary_page(summary: Summary) -> str:
    """A standalone page, which needs no other file, no script and no network."""
    chosen = {(one.source, one.number): one for one in summary.sentences}
    concepts = {concept.text: concept.weight for sentence in summary.sentences for concept in sentence.concepts}
    rows = sorted(concepts.items(), key=lambda item: (-item[1], item[0]))
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
        f"<title>Summary</title><style>{_STYLE}</style></head><body><h1>Summary</h1>",
        f'<p class="summary" dir="auto">{_text(summary.text)}</p><p class="proof">{_proof(summary)}</p>',
    ]
    if summary.note:
        parts.append(f'<p class="proof">{_text(summary.note)}</p>')
    for source in summary.sources:
        parts.append(f'<h2>{_text(source.name)}</h2><p dir="auto">')
        for number, sentence in enumerate(source.sentences, start=1):
            found = chosen.get((source.name, number))
            if found is None or found.sentence.text != sentence.text:
                kind = "left heading" if sentence.heading else "left"
                parts.append(f'<span class="{kind}">{_text(sentence.text)}</span>')
            else:
                parts.append(_kept(found))
        parts.append("</p>")
    parts.append("<h2>Concepts</h2><table>")
    parts += [f"<tr><td>{_text(text)}</td><td>{weight:g}</td></tr>" for text, weight in rows]
    return "\n".join([*parts, "</table></body></html>"]) + "\n"


def _kept(sentence: SummarySentence) -> str:
    """A sentence of the summary: kept words strong, cut ones struck, and the words of its concepts marked."""
    tokens, text = sentence.sentence.tokens, sentence.sentence.text
    kept, said = set(sentence.kept), set(sentence.mentions)
    parts, at = [], 0
    for k, token in enumerate(tokens):
        begin = text.find(token, at)
        if begin < 0:
            break
        parts.append(escape(text[at:begin]))
        at = begin + len(token)
        word = f"<mark>{_text(token)}</mark>" if k in said else _text(token)
        parts.append(f"<strong>{word}</strong>" if k in kept else f"<del>{word}</del>")
    return "".join([*parts, _text(text[at:]) if text[at:].strip() else ""])


def _proof(summary: Summary) -> str:
    if summary.status == "optimal":
        return f"{summary.words} words. Proved: no summary within the budget is worth more than {summary.value:g}."
    share = 100 * summary.value / summary.bound if summary.bound > 0 else 100.0
    worth = f"worth {summary.value:g} of at most {summary.bound:g}"
    return f"{summary.words} words, {worth}: at least {share:.1f} % of the best summary within the budget."


def _text(text: str) -> str:
    return escape(printable(text))
