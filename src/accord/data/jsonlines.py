# SPDX-License-Identifier: Apache-2.0
"""JSON lines: one object a sentence. Lossless for well-formed CoNLL-U; the schema stands in docs/formats.md.

Columns that are missing ("_") are left out, so objects stay small; a key that the schema does not know is an error,
because passing over it would lose it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from accord.data.sentence import Sentence
from accord.data.word import EmptyNode, Range, Word
from accord.errors import FormatError

Json: TypeAlias = dict[str, Any]
RowType = TypeVar("RowType", bound="Word | Range | EmptyNode")

_TEXT = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
_SENTENCE_KEYS = ("comments", "words", "ranges", "empty_nodes", "constituents")
_TREE_LINE = "# constituents"  # of a tree of phrases, which has a member of its own
_NUMBERS: dict[type, tuple[str, ...]] = {Word: ("id",), Range: ("first", "last"), EmptyNode: ("word", "index")}


def sentence_to_json(sentence: Sentence) -> str:
    """One line, without its end."""
    return json.dumps(sentence_to_dict(sentence), ensure_ascii=False, separators=(",", ":"))


def sentence_to_dict(sentence: Sentence) -> Json:
    if sentence.verbatim is not None:
        raise FormatError("a sentence that could not be read has no JSON", line=sentence.line)
    comments, tree = _without_tree(sentence.comments)
    members: Json = {
        "comments": comments,
        "words": [_word_to_json(word) for word in sentence.words],
        "ranges": [_row_to_json(range_) for range_ in sentence.ranges],
        "empty_nodes": [_row_to_json(node) for node in sentence.empty_nodes],
        "constituents": tree,
    }
    return {key: value for key, value in members.items() if value or key == "words"}


def sentence_from_json(line: bytes) -> Sentence:
    """The sentence of one line; FormatError with a reason when it is not one."""
    try:
        members = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise FormatError("invalid UTF-8") from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {_first_line(error)}") from None
    return sentence_from_dict(members)


def sentence_from_dict(members: Any) -> Sentence:
    """The sentence of an object; FormatError with a reason when it is not one."""
    if isinstance(members, dict) and members and not members.keys() & set(_SENTENCE_KEYS):
        known = ", ".join(map(repr, list(members)[:5])) + (", ..." if len(members) > 5 else "")
        raise FormatError(f"no sentence with 'words' but a row with {known}: --text-field takes texts from a field")
    _check_keys(members, _SENTENCE_KEYS, "a sentence")
    comments = _list(members, "comments")
    if not all(isinstance(comment, str) for comment in comments):
        raise FormatError("a comment is not a string")
    if "constituents" in members:
        comments = _with_tree(comments, members["constituents"])
    sentence = Sentence(
        words=_rows(Word, _list(members, "words")),
        comments=tuple(comments),
        ranges=_rows(Range, _list(members, "ranges")),
        empty_nodes=_rows(EmptyNode, _list(members, "empty_nodes")),
    )
    sentence.check()
    return sentence


def _without_tree(comments: Sequence[str]) -> tuple[list[str], str | None]:
    """Comments without the tree of phrases, and the tree; where the tree is not last, its key keeps its place."""
    start = _TREE_LINE + " = "
    lines = [index for index, comment in enumerate(comments) if comment.startswith(start)]
    if len(lines) != 1 or _TREE_LINE in comments:
        return list(comments), None
    place = lines[0]
    left = [_TREE_LINE] if place + 1 < len(comments) else []
    return [*comments[:place], *left, *comments[place + 1 :]], comments[place].removeprefix(start)


def _with_tree(comments: Sequence[str], tree: Any) -> list[str]:
    if not isinstance(tree, str):
        raise FormatError("'constituents' is not a string")
    line = f"{_TREE_LINE} = {tree}"
    if _TREE_LINE in comments:
        return [line if comment == _TREE_LINE else comment for comment in comments]
    return [*comments, line]


def _word_to_json(word: Word) -> Json:
    """What `_row_to_json` gives for a word, in a third of the time: most rows are words."""
    members: Json = {"id": word.id, "form": word.form}
    if word.lemma != "_":
        members["lemma"] = word.lemma
    if word.upos != "_":
        members["upos"] = word.upos
    if word.xpos != "_":
        members["xpos"] = word.xpos
    if (feats := str(word.feats)) != "_":
        members["feats"] = feats
    if word.deprel != "_":
        members["deprel"] = word.deprel
    if word.deps != "_":
        members["deps"] = word.deps
    if word.misc != "_":
        members["misc"] = word.misc
    if word.head is not None:
        members["head"] = word.head
    return members


def _row_to_json(row: Word | Range | EmptyNode) -> Json:
    numbers = {key: getattr(row, key) for key in _NUMBERS[type(row)]}
    columns = {key: str(value) for key in _TEXT if (value := getattr(row, key)) != "_" or key == "form"}
    head = {} if row.head in (None, "_") else {"head": row.head}
    return numbers | columns | head


def _rows(kind: type[RowType], items: Iterable[Any]) -> tuple[RowType, ...]:
    return tuple(_row(kind, item) for item in items)


def _row(kind: type[RowType], item: Any) -> RowType:
    name = kind.__name__
    numbers = _NUMBERS[kind]
    _check_keys(item, (*numbers, *_TEXT, "head"), name)
    for key in (*numbers, "form"):
        if key not in item:
            raise FormatError(f"{name} has no {key!r}")
    for key in numbers:
        _expect(item, key, int, name)
    for key in _TEXT:
        _expect(item, key, str, name)
    _expect(item, "head", int if kind is Word else str, name)
    return kind(**item)


def _expect(item: Mapping[str, Any], key: str, kind: type, name: str) -> None:
    if key in item and type(item[key]) is not kind:  # exactly: True is an int to isinstance
        raise FormatError(f"{key!r} of {name} is not {'a number' if kind is int else 'a string'}")


def _list(members: Mapping[str, Any], key: str) -> list[Any]:
    items = members.get(key, [])
    if not isinstance(items, list):
        raise FormatError(f"{key!r} is not a list")
    return items


def _check_keys(members: Any, known: Iterable[str], name: str) -> None:
    if not isinstance(members, dict):
        raise FormatError(f"{name} is not an object")
    unknown = sorted(set(members) - set(known))
    if unknown:
        raise FormatError(f"unknown key {unknown[0]!r} in {name}")


def _first_line(error: Exception) -> str:
    return str(error).split("\n", 1)[0]
