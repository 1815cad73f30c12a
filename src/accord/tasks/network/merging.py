# SPDX-License-Identifier: Apache-2.0
"""One table in place of two that read the same attribute of words: learnt rows, and the rows of given vectors.

A word's vector is the sum of its rows, and an unknown word has row 0. So a word of either table gets a row that is the
sum of what it had in both, and nothing else changes. The file loses the rows of words that both tables know.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from accord.tasks.network.model import Field, NetworkModel
from accord.tasks.network.storage import restore


def with_merged_words(model: NetworkModel) -> NetworkModel:
    """The same network, each attribute of whose words has one table; with weights in float32 where that is new."""
    vocabulary = model.vocabulary
    names = [field.name for field in vocabulary.fields]
    words = names[: vocabulary.words]
    if len(set(words)) == len(words):
        return model
    arrays = restore(model.weights)
    fields, tables = [], []
    for name in dict.fromkeys(words):
        places = [place for place, other in enumerate(words) if other == name]
        keys = np.unique(np.concatenate([vocabulary.fields[place].keys for place in places]))
        table = np.zeros((len(keys) + 1, model.config.word_size), np.float32)
        for place in places:
            own, rows = vocabulary.fields[place].keys, arrays[f"input.{place}"]
            found = np.searchsorted(own, keys).clip(max=max(len(own) - 1, 0))
            known = own[found] == keys if len(own) else np.zeros(len(keys), bool)
            table += rows[np.concatenate([[0], np.where(known, found + 1, 0)])]
        fields.append(Field(name, keys))
        tables.append(table)
    gone = len(words) - len(fields)
    weights = {name: array for name, array in arrays.items() if not name.startswith("input.")}
    weights |= {f"input.{place}": table for place, table in enumerate(tables)}
    for place in range(vocabulary.words, len(names)):
        weights[f"input.{place - gone}"] = arrays[f"input.{place}"]
    return dataclasses.replace(
        model,
        vocabulary=dataclasses.replace(
            vocabulary, fields=(*fields, *vocabulary.fields[vocabulary.words :]), words=len(fields)
        ),
        weights=weights,
    )
