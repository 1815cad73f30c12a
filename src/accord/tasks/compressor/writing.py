# SPDX-License-Identifier: Apache-2.0
"""Kept words as running text: blanks as in the source, marks that lost their reason taken out, capital and stop mended.

>>> words = "However , he did n't come ( he said ) .".split()
>>> write(words, [False, False] + [True] * 4 + [False] * 4 + [True])
"He didn't come."

With the tree of the source (``heads`` and ``labels``) a comma is known by the word that it hangs on: the two around an
aside stay or go together, and those of a list stay while something is left to be listed.

>>> words = "The firm , which makes cars , plans , he said , a new plant .".split()
>>> kept = [word in "The firm plans a new plant .".split() or place == 2 for place, word in enumerate(words)]
>>> write(words, kept)
'The firm plans a new plant.'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from accord.tasks.compressor.commas import COMMAS, ends_cut, lone_commas

STOPS = frozenset([".", "!", "?", "...", "…", "。", "！", "？"])
_MARKS = frozenset([",", ";", ":", "-", "--", "–", "—", "、", "，", "；", "："])
_OPENING = {"(": ")", "[": "]", "{": "}", "“": "”", "‘": "’", "``": "''", "«": "»", "-LRB-": "-RRB-"}
_CLOSING = {close: open_ for open_, close in _OPENING.items()}
_CLITICS = frozenset(["'s", "'re", "'ve", "'ll", "'d", "'m", "’s", "’re", "’ve", "’ll", "’d", "’m", "%"])
_CLOSERS = "\"'”’»)]"
_BEFORE_CLOSERS = re.compile(rf"[,;]+([{re.escape(_CLOSERS)}]+)([.!?…]+)$")  # 'Go,'. becomes 'Go.'
_NEGATIONS = frozenset(["n't", "n’t"])  # stand with their verb only


def write(
    words: Sequence[str],
    kept: Sequence[bool],
    spaces: Sequence[bool] | None = None,
    heads: Sequence[int] = (),
    labels: Sequence[str] = (),
) -> str:
    """The text of the kept words.

    ``spaces``: whether a blank follows each word in the source; None where the source is words between blanks.
    ``heads``, ``labels``: the tree of the source where it is known; heads count from 1, and 0 is the root.
    """
    places = [place for place, one in enumerate(kept) if one]
    lone = lone_commas(words, places, heads, labels) if heads else _lone_without_tree(words, places)
    places = _without_stray_marks(words, [place for place in places if place not in lone])
    text = ""
    before = -1
    opening = {place for place in places if words[place] in _OPENING}
    opening |= set([place for place in places if words[place] == '"'][::2])
    for place in places:
        word = words[place]
        if text and _blank_between(words, before, place, spaces, opening):
            text += " "
        text += "not" if word.lower() in _NEGATIONS and before != place - 1 else word
        before = place
    return _mended(text, words, places)


def _blank_between(
    words: Sequence[str], left: int, right: int, spaces: Sequence[bool] | None, opening: Collection[int]
) -> bool:
    """Whether a blank goes between two kept words."""
    if spaces is not None and right == left + 1:
        return spaces[left]
    lower = words[right].lower()
    if lower in _NEGATIONS:
        return right != left + 1
    if left in opening or (words[right] == '"' and right not in opening):
        return False
    if lower in _CLITICS or words[right] in STOPS or words[right] in (",", ";", ":", "、", "，", "；", "："):
        return False
    if words[right] in _CLOSING:
        return False
    return spaces is None or not (_unspaced(words[left]) and _unspaced(words[right]))


def _unspaced(word: str) -> bool:
    """Whether a word is of a script that is written without blanks."""
    return bool(word) and "\u3040" <= word[0] <= "\u9fff"


def _without_stray_marks(words: Sequence[str], places: list[int]) -> list[int]:
    """Without brackets and quotes that lost their partner, and without marks at the beginning or before a mark."""
    open_: list[int] = []
    paired: set[int] = set()
    for place in places:
        if words[place] in _OPENING:
            open_.append(place)
        elif words[place] in _CLOSING and open_ and words[open_[-1]] == _CLOSING[words[place]]:
            paired |= {open_.pop(), place}
    plain = [place for place in places if words[place] == '"']
    paired |= set(plain[: len(plain) // 2 * 2])
    found: list[int] = []
    for place in places:
        word = words[place]
        if (word in _OPENING or word in _CLOSING or word == '"') and place not in paired:
            continue
        if word in _MARKS and (not found or words[found[-1]] in _MARKS):
            continue
        if word in STOPS and found and words[found[-1]] in _MARKS:
            found.pop()
        found.append(place)
    while found and words[found[-1]] in _MARKS and words[-1] not in _MARKS:
        found.pop()
    return found


def _lone_without_tree(words: Sequence[str], places: Sequence[int]) -> set[int]:
    """Commas next to deleted words, if that is all commas that are left: they were half of a pair."""
    commas = [place for place in places if words[place] in COMMAS]
    kept = set(places)
    beside = {place for place in commas if not {place - 1, place + 1} <= kept}
    return beside if len(beside) == len(commas) else {place for place in beside if ends_cut(words, kept, place)}


def _mended(text: str, words: Sequence[str], places: Sequence[int]) -> str:
    """With the capital and the stop of the source."""
    if not text:
        return text
    first = next((word for word in words if any(map(str.isalpha, word))), "")
    if first[:1].isupper() and places[0] > 0:
        for place, letter in enumerate(text):
            if letter.isalpha():
                text = text[:place] + letter.upper() + text[place + 1 :]
                break
            if letter.isdigit():
                break
    stop = next((word for word in reversed(words) if word not in _CLOSING and word != '"'), "")
    if stop in STOPS and not text.rstrip(_CLOSERS).endswith(tuple(STOPS)):
        text += stop
    return _BEFORE_CLOSERS.sub(r"\2\1", text)
