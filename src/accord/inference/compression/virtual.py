# SPDX-License-Identifier: Apache-2.0
"""Virtual arcs: a tree over kept words as a tree over the whole sentence (Qian & Liu 2014).

Every deleted word hangs on the word before it, or on the root where it is the first. Deleted words then form chains to
the right of the kept word before them, and the whole is a projective tree when the tree over the kept words is one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def add_virtual_arcs(heads: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Heads of all words, and which of these arcs are virtual, from heads that are -1 for deleted words.

    >>> add_virtual_arcs([-1, -1, 0, -1, 2])
    (array([-1,  0,  0,  2,  2], dtype=int32), array([False,  True, False,  True, False]))
    """
    kept = np.array(heads, np.int32)
    virtual = kept < 0
    virtual[:1] = False
    return np.where(virtual, np.arange(kept.size) - 1, kept).astype(np.int32), virtual


def remove_virtual_arcs(heads: ArrayLike, virtual: ArrayLike) -> NDArray[np.int32]:
    """Heads that are -1 for deleted words.

    >>> remove_virtual_arcs([-1, 0, 0, 2, 2], [False, True, False, True, False])
    array([-1, -1,  0, -1,  2], dtype=int32)
    """
    return np.where(np.asarray(virtual, np.bool_), -1, np.asarray(heads, np.int32)).astype(np.int32)
