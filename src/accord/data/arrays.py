# SPDX-License-Identifier: Apache-2.0
"""Arrays of numbers in ``.npy`` files, which may come from anywhere: nothing in them is unpickled."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import FormatError

# What numpy raises for files that are no arrays: their header is a Python expression.
_BROKEN = (OSError, ValueError, EOFError, SyntaxError, TokenError, TypeError, OverflowError, MemoryError)


def read_array(
    path: str | Path, *, kinds: str = "fiub", expected: str = "numbers", mapped: bool = False
) -> NDArray[Any]:
    """The array of a file, whose numbers are of one of the ``kinds`` of numpy; ``expected`` says so in words.

    ``mapped``: the numbers stay in the file until they are needed.
    """
    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise FormatError(error.strerror or str(error), file=str(path)) from None
    try:
        found = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except _BROKEN:
        raise FormatError("not a .npy file of numbers", file=str(path)) from None
    if not isinstance(found, np.ndarray):
        found.close()
        raise FormatError("several arrays (.npz), and one is expected (.npy)", file=str(path))
    if found.dtype.kind not in kinds:
        raise FormatError(f"expected {expected}, and the array has {str(found.dtype)[:60]}", file=str(path))
    array: NDArray[Any] = found
    return array
