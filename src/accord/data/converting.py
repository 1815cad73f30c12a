# SPDX-License-Identifier: Apache-2.0
"""From one format to another, block by block: files of any size in flat memory."""

from __future__ import annotations

import os
from collections.abc import Callable

from accord.data.document import Document, OnError
from accord.data.files import Source, open_output
from accord.data.formats import check_format, format_of_name
from accord.data.reading import stream
from accord.errors import ConfigError, FormatError


def convert(
    source: Source,
    target: str | os.PathLike[str],
    output_format: str | None = None,
    *,
    input_format: str = "auto",
    on_error: OnError = "raise",
    change: Callable[[Document], Document] | None = None,
) -> list[FormatError]:
    """Write `source` to `target` (a path or `-`) in `output_format`: "conllu", "conllx", "json", "brackets", or as
    the suffix says.

    The same format in and out is byte for byte. CoNLL-X cannot hold comments, ranges, empty nodes, DEPS and MISC, nor
    spaces in values, which become `_`. With `on_error="keep"` a sentence that cannot be read is returned as a problem,
    and written as it stands when the format does not change, else left out. `change` is applied to each block.
    """
    if output_format is None:
        output_format = format_of_name(os.fspath(target))
        if output_format is None:
            raise ConfigError(f"the name {os.fspath(target)!r} does not tell the output format: say it")
    check_format(output_format)
    problems: list[FormatError] = []
    with open_output(target) as file:
        for document in stream(source, format=input_format, on_error=on_error):
            file.write((document if change is None else change(document)).to_bytes(output_format))
            problems += document.problems
    return problems
