# SPDX-License-Identifier: Apache-2.0
"""What Universal Dependencies demand of any language, as data: the checks of levels 1 to 3.

Level 1 is the format, level 2 the columns and metadata, level 3 what trees may look like. Names of tests are those of
the official validator.
"""

from __future__ import annotations

UPOS = frozenset({
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
})  # fmt: skip
RELATIONS = frozenset({
    "nsubj", "obj", "iobj", "csubj", "ccomp", "xcomp", "obl", "vocative", "expl", "dislocated", "advcl", "advmod",
    "discourse", "aux", "cop", "mark", "nmod", "appos", "nummod", "acl", "amod", "det", "clf", "case", "conj", "cc",
    "fixed", "flat", "list", "parataxis", "compound", "orphan", "goeswith", "reparandum", "punct", "root", "dep",
})  # fmt: skip

# Level 3: relations whose dependent follows its head.
LEFT_TO_RIGHT = ("conj", "fixed", "flat", "goeswith", "appos")

# Level 3: relations and the parts of speech that their dependents must have. ExtPos stands for UPOS where it is given.
UPOS_OF_RELATION: dict[str, set[str]] = {
    "aux": {"AUX"},
    "cop": {"AUX", "PRON", "DET", "SYM"},
    "det": {"DET", "PRON"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "punct": {"PUNCT"},
    "advmod": {"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"},
    "expl": {"PRON", "DET", "PART"},
}

# Level 3: parts of speech that a relation may not have.
_CONTENT = {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "AUX", "INTJ"}
REFUSED_UPOS = {"case": _CONTENT - {"NOUN", "INTJ"}, "mark": _CONTENT, "cc": _CONTENT | {"VERB"}}

# Level 3: function words have no dependents of their own, but for these. Each has the name of its test.
_COMMON = {"goeswith", "fixed", "reparandum", "conj", "punct"}
_PHRASE = _COMMON | {"advmod", "obl", "cc"}
_DETERMINED = _PHRASE | {"det", "case", "clf", "flat", "compound", "discourse", "parataxis"}
LEAVES: dict[str, tuple[str, set[str]]] = {
    "case": ("leaf-mark-case", _PHRASE),
    "mark": ("leaf-mark-case", _PHRASE),
    "aux": ("leaf-aux-cop", _COMMON | {"cc"}),
    "cop": ("leaf-aux-cop", _COMMON | {"cc"}),
    "det": ("leaf-det", _DETERMINED),
    "clf": ("leaf-clf", _PHRASE),
    "cc": ("leaf-cc", _COMMON),
    "fixed": ("leaf-fixed", _COMMON - {"fixed"}),
    "goeswith": ("leaf-goeswith", set()),
    "punct": ("leaf-punct", {"punct"}),
}
BELOW_POSSESSIVES = {"appos", "acl", "nmod"}  # of a determiner with Poss=Yes

# Level 3: a nominal with one of these relations is no predicate, so that it has no oblique arguments.
NOMINAL_RELATIONS = {"nsubj", "obj", "iobj", "obl", "vocative", "dislocated", "expl", "nmod"}
