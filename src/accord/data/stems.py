# SPDX-License-Identifier: Apache-2.0
"""Stems of English words by suffix stripping (Porter 1980), with the later changes that evaluation packages agree on.

The changes are those of the stemmer behind ``rouge-score``, so that scores with stems are comparable: a short list of
irregular words, y after a consonant becomes i, and a few further suffixes. A word of another language loses nothing
that matters for counting: the same word always has the same stem.
"""

from __future__ import annotations

import re
from functools import lru_cache

_IRREGULAR = {
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe", "proceed", "exceed", "succeed")},
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "innings": "inning",
    "outings": "outing",
    "cannings": "canning",
}


def _rules(text: str) -> tuple[tuple[str, str], ...]:
    """Pairs of suffix and replacement, written ``suffix>replacement``; the first suffix that fits decides."""
    return tuple((suffix, new) for suffix, _, new in (rule.partition(">") for rule in text.split()))


_PLURALS = _rules("sses>ss ies>i ss>ss s>")
_LONG = _rules(
    "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous ization>ize "
    "ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble fulli>ful"
)
_MIDDLE = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_SHORT = _rules("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of a word, in lower case.

    >>> [stem(word) for word in ("Relational", "flies", "hoping", "agreed", "generalizations")]
    ['relat', 'fli', 'hope', 'agre', 'gener']
    """
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    word = _without_plural(word)
    word = _without_past(word)
    if word.endswith("y") and len(word) > 2 and _shape(word)[-2] == "c":
        word = word[:-1] + "i"
    word = _without_long_suffix(word)
    word = _replaced(word, _MIDDLE, 1)
    word = _replaced(word, _SHORT, 2)
    return _tidied(word)


def _shape(word: str) -> str:
    """A c for each consonant and a v for each vowel; y is a vowel after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """How often a consonant follows a vowel: m of [C](VC)^m[V]."""
    return _shape(word).count("vc")


def _is_short(word: str) -> bool:
    """Ends in consonant, vowel, consonant other than w, x, y; or is vowel and consonant alone."""
    shape = _shape(word)
    return (shape[-3:] == "cvc" and word[-1] not in "wxy") or shape == "vc"


def _without_plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:
        return word[:-1]
    for suffix, new in _PLURALS:
        if word.endswith(suffix):
            return word.removesuffix(suffix) + new
    return word


def _without_past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    found = re.fullmatch("(.*)(ed|ing)", word, flags=re.DOTALL)
    if found is None or "v" not in _shape(found[1]):
        return word
    rest = found[1]
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if rest[-1:] == rest[-2:-1] and _shape(rest)[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if _measure(rest) == 1 and _is_short(rest) else rest


def _without_long_suffix(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _without_long_suffix(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _LONG, 1)


def _replaced(word: str, rules: tuple[tuple[str, str], ...], measure: int) -> str:
    """The word with the first suffix of the rules replaced, where enough of the word stands before the suffix."""
    for suffix, new in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            fits = _measure(rest) >= measure and (suffix != "ion" or rest[-1:] in ("s", "t"))
            return rest + new if fits else word
    return word


def _tidied(word: str) -> str:
    """Without a final e, and with a final l that is not doubled, in longer words."""
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _is_short(word[:-1])):
            word = word[:-1]
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
