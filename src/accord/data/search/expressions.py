# SPDX-License-Identifier: Apache-2.0
"""Regular expressions of users, searched in time that is linear in the text.

Python's engine tries one way after another, which for ``(a+)+b`` takes time that doubles with each letter. Here all
ways are followed at once: the expression becomes an automaton whose sets of states are made when a text first leads to
them (Thompson 1968; lazily determinised as in RE2). Only whether there is a match is asked, and that is the same.

Look-around, back references, atomic groups and possessive repeats are no such automata. They run in Python's engine,
which refuses repeats inside repeats here, so that time is at most a power of the length.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

_parser: Any = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

MOST_STATES = 10_000
KEPT = 50_000  # transitions that are remembered
REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
CATEGORIES = {"DIGIT": r"\d", "NOT_DIGIT": r"\D", "SPACE": r"\s", "NOT_SPACE": r"\S", "WORD": r"\w", "NOT_WORD": r"\W"}
EMPTY_HAS_NO_BOUNDARY = sys.version_info >= (3, 14)  # whether \B matches in an empty text


@dataclass
class _State:
    """One letter leads to ``next``, if ``letter`` matches it; or, without a letter, to each of ``ways`` at once."""

    letter: re.Pattern[str] | None = None
    next: int = -1
    ways: list[int] = field(default_factory=list)
    place: str = ""  # what must hold between two letters: the name of an AT code
    flags: int = 0


class _UnsupportedError(Exception):
    """The expression is no automaton."""


@dataclass(frozen=True)
class _Between:
    """A place between two letters; None: there is none."""

    before: str | None
    after: str | None
    last: bool  # whether the letter behind it is the last one

    def holds(self, name: str, flags: int) -> bool:
        lines = bool(flags & re.MULTILINE)
        if name.startswith("AT_BEGINNING"):
            return self.before is None or (lines and name == "AT_BEGINNING" and self.before == "\n")
        if name == "AT_END_STRING":
            return self.after is None
        if name == "AT_END":
            return self.after is None or (self.after == "\n" and (lines or self.last))
        if self.before is None and self.after is None:
            return name == "AT_NON_BOUNDARY" and EMPTY_HAS_NO_BOUNDARY
        boundary = _in_word(self.before, flags) != _in_word(self.after, flags)
        return boundary == (name == "AT_BOUNDARY")


def _in_word(letter: str | None, flags: int) -> bool:
    if letter is None or (flags & re.ASCII and not letter.isascii()):
        return False
    return letter == "_" or letter.isalnum()


class Automaton:
    """All ways through an expression at once."""

    def __init__(self, tree: Any, flags: int) -> None:
        self._states = [_State()]  # the first one is the end
        self._start = self._add(tree, 0, flags)
        self._known: dict[tuple[frozenset[int], str | None, str | None, bool], frozenset[int] | None] = {}

    def matches(self, text: str) -> bool:
        """Whether the expression matches somewhere."""
        open_states: frozenset[int] = frozenset()
        before = None
        for place, letter in enumerate((*text, None)):
            last = place == len(text) - 1
            following = self._follow(open_states, before, letter, last and letter == "\n")
            if following is None:
                return True
            open_states, before = following, letter
        return False

    def _follow(
        self, states: frozenset[int], before: str | None, after: str | None, last: bool
    ) -> frozenset[int] | None:
        """The states behind the next letter; None when the end is reached before it."""
        key = (states, before, after, last)
        if key not in self._known:
            if len(self._known) >= KEPT:
                self._known.clear()
            reached = self._closure((*states, self._start), _Between(before, after, last))
            steps = (self._states[one] for one in reached)
            self._known[key] = (
                None
                if 0 in reached
                else frozenset(one.next for one in steps if one.letter and after and one.letter.fullmatch(after))
            )
        return self._known[key]

    def _closure(self, states: Sequence[int], place: _Between) -> set[int]:
        reached: set[int] = set()
        waiting = list(states)
        while waiting:
            number = waiting.pop()
            if number in reached:
                continue
            reached.add(number)
            state = self._states[number]
            if not state.place or place.holds(state.place, state.flags):
                waiting += state.ways
        return reached

    def _new(self, state: _State) -> int:
        if len(self._states) >= MOST_STATES:
            raise OverflowError(f"it stands for more than {MOST_STATES:,} letters")
        self._states.append(state)
        return len(self._states) - 1

    def _add(self, items: Any, following: int, flags: int) -> int:
        """States for items one after another, before ``following``: the first of them."""
        for code, value in reversed(list(items)):
            following = self._add_one(str(code), value, following, flags)
        return following

    def _add_one(self, code: str, value: Any, following: int, flags: int) -> int:
        if code in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            kept = flags & (re.IGNORECASE | re.DOTALL | re.ASCII)
            return self._new(_State(re.compile(_letter(code, value), kept), following))
        if code == "AT":
            return self._new(_State(ways=[following], place=str(value), flags=flags))
        if code == "SUBPATTERN":
            _, more, less, items = value
            return self._add(items, following, (flags | more) & ~less)
        if code == "BRANCH":
            return self._new(_State(ways=[self._add(one, following, flags) for one in value[1]]))
        if code in ("MAX_REPEAT", "MIN_REPEAT"):
            least, most, items = value
            return self._repeat(least, most, items, following, flags)
        raise _UnsupportedError

    def _repeat(self, least: int, most: Any, items: Any, following: int, flags: int) -> int:
        if most == _parser.MAXREPEAT:
            around = self._new(_State(ways=[following]))
            self._states[around].ways.append(self._add(items, around, flags))
            following = around
        else:
            for _ in range(int(most) - least):
                following = self._new(_State(ways=[following, self._add(items, following, flags)]))
        for _ in range(least):
            following = self._add(items, following, flags)
        return following


def _letter(code: str, value: Any) -> str:
    """The expression of one letter."""
    if code == "ANY":
        return "."
    if code != "IN":
        return f"[{'^' if code == 'NOT_LITERAL' else ''}{_escaped(value)}]"
    return f"[{''.join(map(_member, value))}]"


def _member(item: Any) -> str:
    code, value = str(item[0]), item[1]
    if code == "NEGATE":
        return "^"
    if code == "RANGE":
        return f"{_escaped(value[0])}-{_escaped(value[1])}"
    if code == "CATEGORY":
        return CATEGORIES[str(value).removeprefix("CATEGORY_")]
    return _escaped(value)


def _escaped(number: int) -> str:
    return f"\\U{number:08x}"


class Expression:
    """A regular expression; ``re.error`` and OverflowError where it is none, or too large."""

    def __init__(self, text: str) -> None:
        self.text = text
        compiled = re.compile(text)
        tree = _parser.parse(text)
        self._automaton: Automaton | None = None
        try:
            self._automaton = Automaton(tree, tree.state.flags)
        except _UnsupportedError:
            if _deepest_repeat(tree) > 1:
                reason = "a repeat inside a repeat, beside look-around or back references, could take for ever"
                raise re.error(reason) from None
        self._compiled = compiled

    def matches(self, text: str) -> bool:
        """Whether it matches somewhere in the text."""
        if self._automaton is None:
            return self._compiled.search(text) is not None
        return self._automaton.matches(text)


def _deepest_repeat(items: Any) -> int:
    """How deep repeats of more than one stand inside each other."""
    deepest = 0
    for code, value in items:
        repeats = str(code) in REPEATS and value[1] > 1
        deepest = max([deepest, *(_deepest_repeat(inner) + repeats for inner in _inside(value))])
    return deepest


def _inside(value: Any) -> Iterator[Any]:
    """The expressions inside an item."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _inside(one)
