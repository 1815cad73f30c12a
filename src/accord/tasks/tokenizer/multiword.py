# SPDX-License-Identifier: Apache-2.0
"""Words of multiword tokens: learnt from a treebank, by surface form and by endings.

A known surface form has the words it had most often, or none. An unknown one has what most types with its longest
known ending have: an edit that cuts the end off, puts another behind the rest and adds words ("n't": cut three letters,
add "n't"). Endings that say the same as their own longest known ending are not kept. Case is that of the surface form.
One look-up a form, and one for each length of endings.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from accord.errors import ModelError
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

    def apply(self, surface: str) -> Words | None:
        if self.cut >= len(surface):
            return None
        first = surface[: len(surface) - self.cut] + self.ending
        return (first, *self.words) if first else None


NOTHING = Edit(0, "", ())


@dataclass
class Multiword:
    """Knows which surface forms are several words. ``forms`` and ``endings`` are in lower case."""

    forms: dict[str, Words] = field(default_factory=dict)  # an empty tuple: one word, whatever its ending says
    exact: dict[str, Words] = field(default_factory=dict)  # forms whose words have another case than restored
    endings: dict[str, Edit] = field(default_factory=dict)

    def split(self, surface: str) -> Words:
        """The words of a surface form; empty for one word."""
        if not (self.forms or self.exact or self.endings):
            return ()
        if surface in self.exact:
            return self.exact[surface]
        lower = surface.lower()
        words = self.forms.get(lower)
        if words is None:
            words = self._by_ending(lower)
        return restore_case(surface, lower, words) if words else ()

    def _by_ending(self, lower: str) -> Words:
        for length in range(min(len(lower) - 1, LONGEST_ENDING), 0, -1):
            edit = self.endings.get(lower[-length:])
            if edit is not None:
                return edit.apply(lower) or () if edit.words else ()
        return ()

    def to_text(self) -> str:
        """Lines of what it knows: kind, form or ending, and the rest, with tabs between."""
        lines = [("form", form, *words) for form, words in self.forms.items()]
        lines += [("exact", form, *words) for form, words in self.exact.items()]
        lines += [("ending", end, str(edit.cut), edit.ending, *edit.words) for end, edit in self.endings.items()]
        return "".join("\t".join(line) + "\n" for line in lines)

    @staticmethod
    def from_text(text: str) -> Multiword:
        known = Multiword()
        for line in text.split("\n")[:-1]:
            kind, form, *rest = line.split("\t")
            if kind == "ending":
                known.endings[form] = Edit(int(rest[0]), rest[1], tuple(rest[2:]))
            elif kind in ("form", "exact"):
                (known.forms if kind == "form" else known.exact)[form] = tuple(rest)
            else:
                raise ModelError(f"not a rule for multiword tokens: {line!r}")
        return known


def restore_case(surface: str, lower: str, words: Words) -> Words:
    """Words in lower case as the surface form has them.

    >>> restore_case("DON'T", "don't", ("do", "n't")), restore_case("Do", "do", ("de", "o"))
    (('DO', "N'T"), ('De', 'o'))
    """
    if "".join(words) == lower and len(lower) == len(surface):
        ends = [0]
        for word in words:
            ends.append(ends[-1] + len(word))
        return tuple(surface[begin:end] for begin, end in pairwise(ends))
    if len(surface) > 1 and surface.isupper():
        return tuple(word.upper() for word in words)
    if surface[:1].isupper():
        return (words[0][:1].upper() + words[0][1:], *words[1:])
    return words


def learn_multiword(tokens: Iterable[GoldToken]) -> Multiword:
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
        return Multiword()
    known = Multiword(endings=_learn_endings(outcomes))
    for form, words in outcomes.items():
        if known._by_ending(form) != words:
            known.forms[form] = words
    for form, counts in seen.items():
        words = counts.most_common(1)[0][0]
        if (words or sum(counts.values()) > 1) and known.split(form) != words:
            known.exact[form] = words
    return known


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
