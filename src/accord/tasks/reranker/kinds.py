# SPDX-License-Identifier: Apache-2.0
"""Kinds of candidates: how their values are read and written, the parts that are counted, and what templates see.

======================  =======================================  =============================================
kind                    value                                    parts
======================  =======================================  =============================================
dependencies            heads and labels                         (word, head, label)
phrases                 a tree of phrases                        brackets, as evalb counts them
labels                  a label for each word                    (word, label)
spans                   a label for each word: BIO and the like  spans with their labels
segments                words of a text                          (begin, end)
compressions            for each word, whether it stays          words that stay
======================  =======================================  =============================================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from accord.data.constituents import Constituents, without_empties, without_functions
from accord.data.constituents.labels import category
from accord.data.constituents.shapes import without_root
from accord.errors import AccordError, ConfigError
from accord.evaluation.parseval import COLLINS, counted_brackets
from accord.evaluation.spans import spans_of_labels
from accord.tasks.reranker.lists import CandidateList


class Arcs(NamedTuple):
    """A dependency tree."""

    heads: tuple[int, ...]
    deprels: tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """One kind of candidates; ``view``: "tree" where templates see headed trees, "sequence" where they see units."""

    name: str
    view: str
    to_json: Callable[[Any], Any]
    from_json: Callable[[Any, Sequence[str]], Any]
    parts: Callable[[Any, CandidateList[Any]], Sequence[Hashable]]
    measure: str = "F1"


def _arcs_from_json(value: Any, words: Sequence[str]) -> Arcs:
    heads, deprels = (value.get("heads"), value.get("deprels")) if isinstance(value, Mapping) else (None, None)
    fits = isinstance(heads, list) and isinstance(deprels, list) and len(heads) == len(deprels) == len(words)
    if not fits or not all(type(head) is int and 0 <= head <= len(words) for head in heads or ()):
        raise ConfigError(f"a tree of {len(words)} words has heads and deprels, one a word")
    arcs = Arcs(tuple(heads or ()), tuple(str(name) for name in deprels or ()))
    for word in range(1, len(words) + 1):
        at, steps = word, 0
        while at and steps <= len(words):
            at, steps = arcs.heads[at - 1], steps + 1
        if at:
            raise ConfigError(f"word {word} hangs from itself")
    return arcs


def _arc_parts(value: Any, one: CandidateList[Any]) -> list[Hashable]:
    return list(zip(range(len(value.heads)), value.heads, value.deprels, strict=True))


def _tree_from_json(value: Any, words: Sequence[str]) -> Constituents:
    if not isinstance(value, str):
        raise ConfigError("a tree of phrases is a text in brackets")
    try:
        tree, _ = Constituents.from_text(value)
    except AccordError as error:
        raise ConfigError(str(getattr(error, "reason", error))) from None
    if tree.words != len(words):
        raise ConfigError(f"a tree of {tree.words} words, and there are {len(words)}")
    return tree


@lru_cache(maxsize=1024)
def plain_tree(tree: Constituents) -> Constituents:
    """A tree as parsers give it: without empty elements, function tags and an outer bracket without a label."""
    full = without_empties(tree)
    return tree if full is None else without_root(without_functions(full))


def _bracket_parts(value: Constituents, one: CandidateList[Any]) -> Sequence[Hashable]:
    tags = value.tags if one.gold is None else plain_tree(one.gold).tags
    return counted_brackets(value, COLLINS, _words_before(tags))


@lru_cache(maxsize=1024)
def _words_before(tags: tuple[str, ...]) -> list[int]:
    """How many words that count stand before each word, and at the end."""
    return [0, *accumulate(category(tag) not in COLLINS.delete for tag in tags)]


def _names_from_json(value: Any, words: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) != len(words) or not all(isinstance(name, str) for name in value):
        raise ConfigError(f"labels of {len(words)} words: a list of as many strings")
    return tuple(value)


def _segments_from_json(value: Any, words: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) and word for word in value):
        raise ConfigError("segments are a list of words")
    if "".join(value) != "".join(words):
        raise ConfigError("the segments are not those of the text")
    return tuple(value)


def _segment_parts(value: Sequence[str], one: CandidateList[Any]) -> list[Hashable]:
    ends = list(accumulate(map(len, value)))
    return list(zip([0, *ends], ends, strict=False))


def _mask_from_json(value: Any, words: Sequence[str]) -> tuple[bool, ...]:
    if not isinstance(value, list) or len(value) != len(words) or not all(one in (0, 1) for one in value):
        raise ConfigError(f"a compression of {len(words)} words: a list of as many 0 and 1")
    return tuple(bool(one) for one in value)


_KINDS = (
    Kind(
        "dependencies",
        "tree",
        lambda value: {"heads": list(value.heads), "deprels": list(value.deprels)},
        _arcs_from_json,
        _arc_parts,
        "LAS",
    ),
    Kind("phrases", "tree", lambda value: value.brackets(), _tree_from_json, _bracket_parts),
    Kind("labels", "sequence", list, _names_from_json, lambda value, one: list(enumerate(value)), "accuracy"),
    Kind(
        "spans",
        "sequence",
        list,
        _names_from_json,
        lambda value, one: [(span.start, span.end, span.type) for span in spans_of_labels(list(value))],
    ),
    Kind("segments", "sequence", list, _segments_from_json, _segment_parts),
    Kind(
        "compressions",
        "sequence",
        lambda value: [int(kept) for kept in value],
        _mask_from_json,
        lambda value, one: [place for place, kept in enumerate(value) if kept],
    ),
)
KINDS = {kind.name: kind for kind in _KINDS}


def kind_of(name: Any) -> Kind:
    """The kind of a name."""
    if not isinstance(name, str) or name not in KINDS:
        raise ConfigError(f"kind {name!r}: expected one of {', '.join(KINDS)}")
    return KINDS[name]
