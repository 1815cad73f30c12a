# SPDX-License-Identifier: Apache-2.0
"""What each step of a cleaner sees of the words: columns and marks, from the text and from views of it.

Marks of step 1 (logic features): the word, or the tag, i places away is the same; so are the two words that end there,
or begin there; -4 <= i <= 4.
Columns of step 2: the words and tags to the right in the text without fillers. A word that is a filler itself sees the
text as it was said.
Columns of step 3: the next word in the text without fillers and edits, and the span between two copies of two words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from accord.tasks.cleaner.config import CleanerConfig
from accord.tasks.cleaner.in_between import in_between, size_class
from accord.tasks.cleaner.words import Utterances
from accord.tasks.stack import Columns, Decisions, View
from accord.tasks.stack.columns import Values, number_of, numbers_of
from accord.tasks.stack.views import taken

REACH = 4
WIDE_REACH = 8
BEYOND = number_of("</s>")
TAGS, FILLERS, FIRST_EDITS, EDITS = "tags", "fillers", "first edits", "edits"
_PIECES = ("word", "prefix1", "prefix2", "prefix3", "suffix1", "suffix2", "suffix3", "suffix4")
Logic = dict[str, NDArray[np.bool_]]
Make = Callable[..., Columns]


@lru_cache(maxsize=1 << 16)
def _pieces(word: str) -> tuple[int, ...]:
    cuts = (word, word[:1], word[:2], word[:3], word[-1:], word[-2:], word[-3:], word[-4:])
    return tuple(map(number_of, cuts))


def word_pieces(words: Sequence[str]) -> dict[str, Values]:
    """The numbers of words, and of their beginnings and ends; computed once for each distinct word."""
    distinct = {word: place for place, word in enumerate(dict.fromkeys(words))}
    table = np.array([_pieces(word) for word in distinct], np.uint64).reshape(-1, len(_PIECES))
    rows = np.fromiter(map(distinct.__getitem__, words), np.int64, len(words))
    return {name: table[rows, column] for column, name in enumerate(_PIECES)}


def tag_view(utterances: Utterances, decisions: Decisions) -> Columns:
    return Columns(utterances.lengths, word_pieces(utterances.words))


def remembered(*reads: str) -> Callable[[Make], Make]:
    """Keep what a view made of some words: levels of a stack see what earlier levels saw, and more.

    The answer stays with the words. It is made again when the settings, or a decision that the view reads, is another
    object.
    """

    def keeping(view: Make) -> Make:
        def answer(utterances: Utterances, decisions: Decisions, *, config: CleanerConfig) -> Columns:
            keys = [config, *(decisions.get(name) for name in reads)]
            kept = utterances.remembered.get(view)
            if kept is None or not all(one is other for one, other in zip(kept[0], keys, strict=True)):
                kept = keys, view(utterances, decisions, config=config)
                utterances.remembered[view] = kept
            columns: Columns = kept[1]
            return columns

        return answer

    return keeping


@remembered(TAGS)
def original_view(utterances: Utterances, decisions: Decisions, *, config: CleanerConfig) -> Columns:
    """The text as it was said."""
    word = numbers_of(utterances.words)
    tag = _tag_numbers(utterances, decisions, config)
    marks = same_nearby("word", word, utterances.lengths)
    if config.tags != "none":
        marks |= same_nearby("tag", tag, utterances.lengths)
    return Columns(utterances.lengths, {"word": word, "tag": tag}, marks)


@remembered(TAGS, FILLERS)
def without_fillers_view(utterances: Utterances, decisions: Decisions, *, config: CleanerConfig) -> Columns:
    """And what stands to the right where fillers are gone."""
    base = original_view(utterances, decisions, config=config)
    word, tag = base.values["word"], base.values["tag"]
    kept = decisions[FILLERS] == 0
    view, whole = View(utterances.lengths, kept), View.whole(utterances.lengths)
    values, marks = dict(base.values), dict(base.marks)
    for steps in range(1, REACH + 1):
        places = np.where(kept, view.right(steps), whole.right(steps))
        values[f"next{steps}"] = taken(word, places, BEYOND)
        values[f"next_tag{steps}"] = taken(tag, places, BEYOND)
        marks[f"next{steps} is the same"] = (places >= 0) & (values[f"next{steps}"] == word)
    if config.wide:
        marks |= _same_in_view("word", word, view) | _same_in_view("tag", tag, view)
    return Columns(base.lengths, values, marks)


def without_edits_view(utterances: Utterances, decisions: Decisions, *, config: CleanerConfig) -> Columns:
    """And the next word where edits are gone too, and spans between copies."""
    base = without_fillers_view(utterances, decisions, config=config)
    word = base.values["word"]
    kept = decisions[FIRST_EDITS] == 0
    if not config.edits_only:
        kept = kept & (decisions[FILLERS] == 0)
    places = View(utterances.lengths, kept).right(1)
    sizes = in_between(word, utterances.lengths, copies=config.copies)
    values = {
        **base.values,
        "after1": taken(word, places, BEYOND),
        "span": size_class(sizes).astype(np.uint64),
        "between": (sizes > 0).astype(np.uint64),
    }
    return Columns(base.lengths, values, base.marks)


def views_of(config: CleanerConfig) -> dict[str, Callable[[Utterances, Decisions], Columns]]:
    """The view of each level of a cleaner, first to last."""
    found: dict[str, Callable[[Utterances, Decisions], Columns]] = {}
    if config.scorer == "neural":  # networks read the words themselves
        return {FILLERS: tag_view, EDITS: tag_view}
    if config.tags == "own":
        found[TAGS] = tag_view
    found[FILLERS] = partial(original_view, config=config)
    if config.steps == 1:
        found[EDITS] = partial(original_view, config=config)
    elif config.steps == 2:
        found[EDITS] = partial(without_fillers_view, config=config)
    else:
        found[FIRST_EDITS] = partial(without_fillers_view, config=config)
        found[EDITS] = partial(without_edits_view, config=config)
    return found


def same_nearby(name: str, values: Values, lengths: NDArray[np.int64], reach: int = REACH) -> Logic:
    """Which tokens have the same value as the token i places away, alone and with the neighbour on either side."""
    marks: Logic = {}
    sequence = np.repeat(np.arange(len(lengths)), lengths)
    goes_on = sequence[1:] == sequence[:-1]  # the next token is of the same sequence
    for steps in range(1, reach + 1):
        equal = np.zeros(len(values), np.bool_)  # to the token so many steps further on
        equal[:-steps] = (values[steps:] == values[:-steps]) & (sequence[steps:] == sequence[:-steps])
        before = np.zeros(len(values), np.bool_)
        before[steps:] = equal[:-steps]
        for sign, same in (("-", before), ("+", equal)):
            ends, begins = same.copy(), same.copy()
            ends[:1] = False
            ends[1:] &= same[:-1] & goes_on
            begins[-1:] = False
            begins[:-1] &= same[1:] & goes_on
            marks |= {f"{name}{sign}{steps}": same}
            marks |= {f"{name}{sign}{steps} ends": ends, f"{name}{sign}{steps} begins": begins}
    return marks


def _same_in_view(name: str, values: Values, view: View) -> Logic:
    """Equal values nearby among the tokens that a view keeps; false of those that it does not keep."""
    left = same_nearby(f"{name} without fillers", values[view.places], view.view_lengths, WIDE_REACH)
    return {mark: view.restored(true, False) for mark, true in left.items()}


def _tag_numbers(utterances: Utterances, decisions: Decisions, config: CleanerConfig) -> Values:
    if config.tags == "own":
        return decisions[TAGS].astype(np.uint64)
    if config.tags == "given" and utterances.tags is not None:
        return numbers_of(utterances.tags)
    return np.zeros(len(utterances.words), np.uint64)
