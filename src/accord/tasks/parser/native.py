# SPDX-License-Identifier: Apache-2.0
"""The core's parser of a model."""

from __future__ import annotations

from accord._core import tasks as _tasks
from accord.errors import ConfigError, ModelError
from accord.tasks.cluster import cluster_lexicon
from accord.tasks.network.config import PRECISIONS
from accord.tasks.parser.model_file import ParserModel, parser_settings


def native_parser(model: ParserModel, precision: str | None) -> _tasks.ParserModel:
    """``precision``: arithmetic of a neural scorer; None: as its settings say."""
    if precision not in (None, *PRECISIONS):
        raise ConfigError(f"precision = {precision!r}: expected one of {', '.join(PRECISIONS)}")
    if precision == "int8" and model.network is None:
        raise ConfigError("precision = 'int8': only neural scorers have it, and this parser's scorer is linear")
    tables: dict[str, object] = {name: table.native for name, table in model.tables.items()}
    try:
        settings = parser_settings(
            model.config,
            model.templates,
            len(model.labels),
            single_root=model.single_root,
            tree_labels="tree_labels" in model.tables,
            temperature=model.temperature,
            label_temperature=model.label_temperature,
            patterns=model.patterns,
        )
        if model.network is not None:
            return _tasks.ParserModel(settings, model.network.native(precision))
        return _tasks.ParserModel(settings, model.config.table, tables, cluster_lexicon(model.clusters))
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"the model's parts do not fit together: {error}") from None
    except TypeError:  # whose message lists the signatures of native functions
        raise ModelError("the model's parts do not fit together: something is of another type") from None
