# SPDX-License-Identifier: Apache-2.0
"""Templates with word clusters, generated from others (Koo, Carreras & Collins 2008).

The template set ``hybrid`` stands for what this module makes of the sets beside it. For each template and each prefix
of cluster paths (4 and 6 bits):

- all tags become prefixes of clusters, all words whole clusters;
- where it has two or more words or tags: exactly one of them stays and the others become clusters, or exactly one
  becomes a cluster and the others stay (the hybrid templates, which the paper finds to matter most);
- words around and between the anchors become prefixes of 4 bits, all at once, and alone.

Templates that join a word with two or more other words or tags have no variants, and prefixes of words (``prefix5``)
are no words: with these, parsers of 1,000 sentences of English were worse (UAS 73.1 against 73.7) and
trained three times as long.

``frequent=N``: words other than the N most frequent ones of the training data are no features; their clusters are. Then
``cluster`` is a word's own path if the word is frequent, else that of its cluster, and templates ask for ``cluster``
where they asked for words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from accord.errors import ConfigError
from accord.tasks.setting_files import read_template_sets

NAME = "hybrid"
PREFIXES = (4, 6)
_WORDS = ("form", "lemma", "lower")
_TAGS = ("upos", "xpos")
_PADDED = 24  # bits of every path, before those that tell frequent words apart
_RANK = 16  # bits of the number of a frequent word


def parser_templates(names: Sequence[str], frequent: int = 0) -> str:
    """The text of template sets, ``hybrid`` among them or not."""
    plain = read_template_sets("accord.tasks.parser", [name for name in names if name != NAME])
    if NAME not in names:
        if frequent:
            raise ConfigError(f"frequent = {frequent}: goes with the template set {NAME}")
        return plain
    base = "\n".join(_line(units, frequent) if units else line for line, units in _lines(plain))
    return f"{base}\n{cluster_templates(plain, frequent)}"


def cluster_templates(text: str, frequent: int = 0) -> str:
    """The templates with clusters that come from a text of templates, section by section.

    >>> print(cluster_templates("[arc]\\nhead.form dependent.xpos"))  # doctest: +NORMALIZE_WHITESPACE
    [arc]
    head.cluster dependent.cluster4
    head.form dependent.cluster4
    head.cluster dependent.xpos
    head.cluster dependent.cluster6
    head.form dependent.cluster6
    """
    found: list[str] = []
    seen: set[tuple[str, ...]] = set()
    state = ("", "")  # section and what its lines are used with
    for line, units in _lines(text):
        if not units:
            if line.startswith("["):
                state = (line, "")
            elif line.startswith("with:"):
                state = (state[0], line)
            if line.startswith(("[", "with:")):
                found.append(line)
            continue
        for variant in _variants(units, frequent):
            key = (*state, *sorted(variant))
            if key not in seen and sorted(variant) != sorted(units):
                seen.add(key)
                found.append(" ".join(variant))
    return "\n".join(found)


def frequent_paths(clusters: str, forms: Iterable[str], frequent: int) -> str:
    """A file of clusters in which the most frequent of some forms have paths of their own.

    Paths are made equally long first. A path is not the beginning of another one, so zeros behind it keep it apart.
    """
    if not frequent:
        return clusters
    if frequent >= 1 << _RANK:
        raise ConfigError(f"frequent = {frequent}: at most {(1 << _RANK) - 1}")
    rows = [line.split("\t") for line in clusters.replace("\r\n", "\n").split("\n") if line]
    paths = {row[1]: row[0].ljust(_PADDED, "0")[:_PADDED] for row in rows if len(row) > 1}
    for number, (form, _) in enumerate(Counter(forms).most_common(frequent)):
        own = paths.get(form) or paths.get(form.lower()) or "1" * _PADDED
        paths[form] = f"{own[:_PADDED]}{number:0{_RANK}b}"
    return "".join(f"{path}\t{word}\n" for word, path in paths.items())


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each line without its comment, and its units where it is a template."""
    for line in text.splitlines():
        plain = line.partition("#")[0].strip()
        template = bool(plain) and not plain.startswith(("[", "with:"))
        yield plain, plain.split() if template else []


def _parts(unit: str) -> tuple[str, str]:
    anchor, _, attribute = unit.rpartition(".")
    return anchor, attribute


def _is_slot(unit: str) -> bool:
    return "(" not in unit and _parts(unit)[1] in (*_WORDS, *_TAGS)


def _far(unit: str) -> bool:
    """Whether a unit looks beside the anchors, or between them."""
    anchor = _parts(unit)[0]
    return anchor == "between" or "+" in anchor or "-" in anchor


def _clustered(unit: str, bits: int, frequent: int) -> str:
    anchor, attribute = _parts(unit)
    if attribute in _TAGS:
        return f"{anchor}.cluster{bits}"
    return f"{anchor}.cluster{_PADDED if frequent else ''}"


def _kept(unit: str, frequent: int) -> str:
    anchor, attribute = _parts(unit)
    return f"{anchor}.cluster" if frequent and attribute in _WORDS else unit


def _line(units: Sequence[str], frequent: int) -> str:
    return " ".join(dict.fromkeys(_kept(unit, frequent) if _is_slot(unit) else unit for unit in units))


def _variants(units: Sequence[str], frequent: int) -> Iterator[list[str]]:
    slots = [place for place, unit in enumerate(units) if _is_slot(unit)]
    if not slots or any(not _is_slot(unit) and _parts(unit)[1] == "feats" for unit in units):
        return
    if len(slots) > 2 and any(_parts(units[place])[1] in _WORDS for place in slots):
        return
    far = any(_far(unit) for unit in units)

    def made(changed: Iterable[int], bits: int) -> list[str]:
        chosen = set(changed)
        row = [
            _clustered(unit, bits, frequent) if place in chosen else _kept(unit, frequent) if _is_slot(unit) else unit
            for place, unit in enumerate(units)
        ]
        return list(dict.fromkeys(row))

    for bits in PREFIXES[:1] if far else PREFIXES:
        yield made(slots, bits)
        if len(slots) < 2 or far:
            continue
        for one in slots:
            yield made((place for place in slots if place != one), bits)
        for one in slots:
            yield made([one], bits)
