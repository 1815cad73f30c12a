# SPDX-License-Identifier: Apache-2.0
"""Rules for the words of multiword tokens, learnt from a treebank; see ``core/tasks/tokenizer/multiword.hpp``.

A surface form has the words it had most often, or none. An ending has what most types with it have. Endings that say
the same as their own longest known ending are not kept, nor are forms that say what their endings say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from accord._core.tasks import MultiwordRules
from accord.tasks.tokenizer.gold import GoldToken

LONGEST_ENDING = 8
_LEAST_TYPES = 2

Words = tuple[str, ...]


@dataclass(frozen=True)
class Edit:
    """Cut ``cut`` letters off, put ``ending`` behind the rest, and add words."""

    cut: int
    ending: str
    words: Words

    @staticmethod
    def between(surface: str, words: Words) -> Edit:
        shared = 0
        while shared < min(len(surface), len(words[0])) and surface[shared] == words[0][shared]:
            shared += 1
        return Edit(len(surface) - shared, words[0][shared:], words[1:])

    @property
    def fields(self) -> tuple[str, ...]:
        """The edit in the line of its rule."""
        return str(self.cut), self.ending, *self.words


NOTHING = Edit(0, "", ())


def learn_multiword(tokens: Iterable[GoldToken]) -> MultiwordRules:
    """What a treebank's tokens teach."""
    seen: defaultdict[str, Counter[Words]] = defaultdict(Counter)  # by surface form; one word: the empty tuple
    for token in tokens:
        seen[token.form][token.words if len(token.words) > 1 else ()] += 1
    folded: defaultdict[str, Counter[Words]] = defaultdict(Counter)
    for form, counts in seen.items():
        for words, count in counts.items():
            folded[form.lower()][tuple(word.lower() for word in words)] += count
    outcomes = {form: counts.most_common(1)[0][0] for form, counts in folded.items()}
    if not any(words for counts in seen.values() for words in counts):
        return MultiwordRules()
    endings = [("ending", end, *edit.fields) for end, edit in _learn_endings(outcomes).items()]
    known = _rules(endings)
    forms = [("form", form, *words) for form, words in outcomes.items() if tuple(known.by_ending(form)) != words]
    known = _rules([*forms, *endings])
    exact = []  # forms whose words have another case than restored
    for form, counts in seen.items():
        words = counts.most_common(1)[0][0]
        if (words or sum(counts.values()) > 1) and tuple(known.split(form)) != words:
            exact.append(("exact", form, *words))
    return _rules([*forms, *exact, *endings])


def _rules(lines: Iterable[tuple[str, ...]]) -> MultiwordRules:
    return MultiwordRules("".join("\t".join(line) + "\n" for line in lines))


def _learn_endings(outcomes: dict[str, Words]) -> dict[str, Edit]:
    counts: defaultdict[str, Counter[Edit]] = defaultdict(Counter)
    for form, words in outcomes.items():
        edit = Edit.between(form, words) if words else NOTHING
        for length in range(1, min(len(form) - 1, LONGEST_ENDING) + 1):
            counts[form[-length:]][edit] += 1
    endings: dict[str, Edit] = {}
    for end in sorted(counts, key=lambda end: (len(end), end)):
        edit, count = counts[end].most_common(1)[0]
        if count < _LEAST_TYPES or 2 * count <= sum(counts[end].values()) or edit.cut > len(end):
            continue
        shorter = next((endings[end[i:]] for i in range(1, len(end)) if end[i:] in endings), NOTHING)
        if edit != shorter:
            endings[end] = edit
    return endings
