# SPDX-License-Identifier: Apache-2.0
"""The FEATS column as a mapping, `word.feats["Number"]`, that is still the text of the column in all other ways."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from functools import lru_cache
from typing import Any


class Feats(str):
    """Features of a word, ``Case=Nom|Number=Sing``; ``_`` has none.

    >>> feats = Feats("Case=Nom|Number=Sing")
    >>> feats["Number"], feats.get("Tense"), "Case" in feats, "Case=Acc" in feats
    ('Sing', None, True, False)
    >>> dict(feats), feats == "Case=Nom|Number=Sing"
    ({'Case': 'Nom', 'Number': 'Sing'}, True)
    """

    __slots__ = ()

    @property
    def mapping(self) -> dict[str, str]:
        """A dictionary of the features, in their order."""
        if self == "_":
            return {}
        return {name: value for name, _, value in (entry.partition("=") for entry in self.split("|"))}

    def __getitem__(self, key: Any) -> str:
        """The value of a feature; KeyError where the word does not have it. Numbers and slices index the text."""
        return self.mapping[key] if isinstance(key, str) else super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        """Whether there is a feature of this name, or this pair ``Name=Value``."""
        name, equals, value = str(key).partition("=")
        found = self.mapping.get(name)
        return found is not None and (not equals or found == value)

    def get(self, name: str, default: str | None = None) -> str | None:
        return self.mapping.get(name, default)

    def keys(self) -> KeysView[str]:
        return self.mapping.keys()

    def values(self) -> ValuesView[str]:
        return self.mapping.values()

    def items(self) -> ItemsView[str, str]:
        return self.mapping.items()

    def __reduce__(self) -> tuple[Any, ...]:
        return Feats, (str(self),)

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return str.__repr__(self)


NO_FEATS = Feats("_")


@lru_cache(maxsize=4096)
def feats_of(text: str) -> Feats:
    """The features of a column; words share them."""
    return Feats(text)
