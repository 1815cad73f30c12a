# SPDX-License-Identifier: Apache-2.0
"""Which system word stands for which gold word, when the two tokenisations differ.

Plain words are the same word when they cover the same characters. Words of multiword tokens have no characters of
their own ("im" is "in dem"), so where a multiword token occurs on either side, the overlapping multiword tokens are
joined into one block, and inside the block words are matched by the longest common subsequence of their forms,
case folded. Linear in the number of words, quadratic in the words of one block.

Zeman et al. 2018, CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to Universal Dependencies.
"""

from __future__ import annotations

from collections.abc import Sequence

from accord.errors import FormatError
from accord.evaluation.corpus import Corpus, CorpusWord

Pair = tuple[int, int]  # indices of a gold word and of the system word aligned to it

_CONTEXT = 20  # characters shown of each side where texts differ


def align(gold: Corpus, system: Corpus) -> list[Pair]:
    """Pairs of aligned words, increasing on both sides; different texts raise a FormatError."""
    _require_same_characters(gold, system)
    return _align_words(gold.words, system.words)


def _require_same_characters(gold: Corpus, system: Corpus) -> None:
    if gold.characters == system.characters:
        return
    shorter = min(len(gold.characters), len(system.characters))
    place = next((i for i in range(shorter) if gold.characters[i] != system.characters[i]), shorter)
    expected, found = (corpus.characters[place : place + _CONTEXT] or "the end" for corpus in (gold, system))
    sentence = next((i for i, span in enumerate(gold.sentences, 1) if place < span.end), len(gold.sentences))
    raise FormatError(
        f"the text differs from {gold.name} at character {place + 1} (sentence {sentence} of {gold.name}): "
        f"expected {expected!r}, found {found!r}",
        file=system.name,
    )


def _align_words(gold: Sequence[CorpusWord], system: Sequence[CorpusWord]) -> list[Pair]:
    pairs: list[Pair] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].in_multiword or system[s].in_multiword:
            gold_block, system_block = _multiword_block(gold, system, g, s)
            pairs.extend(_common_subsequence(gold, system, gold_block, system_block))
            g, s = gold_block.stop, system_block.stop
        elif gold[g].span == system[s].span:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold[g].span.start <= system[s].span.start:
            g += 1
        else:
            s += 1
    return pairs


def _multiword_block(gold: Sequence[CorpusWord], system: Sequence[CorpusWord], g: int, s: int) -> tuple[range, range]:
    """The words of both sides in the smallest run of overlapping multiword tokens that starts at ``g`` or ``s``.

    A plain word that sticks out of the run at either end is no part of it.
    """
    opener, other = (gold[g], system[s]) if gold[g].in_multiword else (system[s], gold[g])
    end = opener.span.end
    if not other.in_multiword and other.span.start < opener.span.start:
        g, s = (g, s + 1) if opener is gold[g] else (g + 1, s)
    first_gold, first_system = g, s
    while _reaches_into(gold, g, end) or _reaches_into(system, s, end):
        if g < len(gold) and (s == len(system) or gold[g].span.start <= system[s].span.start):
            taken = gold[g]
            g += 1
        else:
            taken = system[s]
            s += 1
        if taken.in_multiword:
            end = max(end, taken.span.end)
    return range(first_gold, g), range(first_system, s)


def _reaches_into(words: Sequence[CorpusWord], index: int, end: int) -> bool:
    if index == len(words):
        return False
    word = words[index]
    return word.span.start < end if word.in_multiword else word.span.end <= end


def _common_subsequence(
    gold: Sequence[CorpusWord], system: Sequence[CorpusWord], gold_block: range, system_block: range
) -> list[Pair]:
    gold_forms = [gold[g].folded_form for g in gold_block]
    system_forms = [system[s].folded_form for s in system_block]
    # longest[i][j]: the most pairs that gold forms from i on and system forms from j on can make
    longest = [[0] * (len(system_forms) + 1) for _ in range(len(gold_forms) + 1)]
    for i in reversed(range(len(gold_forms))):
        for j in reversed(range(len(system_forms))):
            if gold_forms[i] == system_forms[j]:
                longest[i][j] = 1 + longest[i + 1][j + 1]
            else:
                longest[i][j] = max(longest[i + 1][j], longest[i][j + 1])
    pairs: list[Pair] = []
    i = j = 0
    while i < len(gold_forms) and j < len(system_forms):
        if gold_forms[i] == system_forms[j]:
            pairs.append((gold_block[i], system_block[j]))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
