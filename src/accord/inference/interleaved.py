# SPDX-License-Identifier: Apache-2.0
"""The older name of :mod:`accord.inference.joint`, for one release."""

from __future__ import annotations

import warnings
from typing import Any

from accord.inference import joint


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(joint, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("accord.inference.interleaved is now accord.inference.joint", DeprecationWarning, stacklevel=2)
    return getattr(joint, name)
