# SPDX-License-Identifier: Apache-2.0
"""The card of a model: what it was made of, what it does, how well."""

from __future__ import annotations

from typing import Any

from accord.tasks.pipeline.model import PipelineModel

_METRICS = (
    "Tokens",
    "Sentences",
    "Words",
    "UPOS",
    "XPOS",
    "UFeats",
    "AllTags",
    "Lemmas",
    "UAS",
    "LAS",
    "CLAS",
    "MLAS",
    "BLEX",
)


def _network(model: PipelineModel) -> str | None:
    network = None if model.parser is None else model.parser.network
    if network is None:
        return None
    config = network.config
    return f"{config.layers} layers of {config.units} units ({config.encoder}), {network.size:,} weights"


def _label_version(model: PipelineModel) -> str | None:
    """A word on labels of the first version of Universal Dependencies, which surprise users of the second."""
    if model.parser is None or not {"dobj", "nsubjpass"} & set(model.parser.labels):
        return None
    return "UD 1, as in the training data: dobj, nsubjpass, auxpass where UD 2 has obj, nsubj:pass, aux:pass"


def card_text(model: PipelineModel, size: int) -> str:
    """The card as Markdown."""
    card = model.card
    lines = [f"# {card.get('name', card.get('data', 'A pipeline'))}", ""]
    facts: dict[str, Any] = {
        "language": card.get("language"),
        "training data": card.get("data"),
        "more training data": ", ".join(card.get("also", [])) or None,
        "word clusters from": card.get("clusters"),
        "word vectors": card.get("vectors"),
        "besides": card.get("besides"),
        "licence": card.get("licence"),
        "sentences": card.get("sentences"),
        "words": card.get("words"),
        "size": f"{size / 1e6:.1f} MB",
        "network": _network(model),
        "training": f"{card['training_cpu_seconds']} CPU seconds" if "training_cpu_seconds" in card else None,
        "speed": f"{card['words_per_cpu_second']:,} words per CPU second, tags and trees"
        if "words_per_cpu_second" in card
        else None,
        "labels": card.get("labels") or _label_version(model),
        "steps": ", ".join(name for name in ("tokenizer", "tagger", "parser") if getattr(model, name) is not None),
    }
    lines += [f"- {name}: {value}" for name, value in facts.items() if value is not None]
    for title, key in (("dev", "scores"), ("test", "test_scores")):
        scores = card.get(key, {})
        if not scores:
            continue
        lines += ["", f"CoNLL-18 F1 on {title} data:", "", "| metric | raw text | gold words |", "|---|---|---|"]
        for metric in _METRICS:
            cells = [scores.get(f"{source} {metric}") for source in ("raw", "words")]
            if any(cell is not None for cell in cells):
                lines.append(
                    f"| {metric} | " + " | ".join("" if cell is None else f"{cell:.2f}" for cell in cells) + " |"
                )
    return "\n".join(lines) + "\n"
