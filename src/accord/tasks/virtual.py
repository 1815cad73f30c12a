# SPDX-License-Identifier: Apache-2.0
"""The older name of :mod:`accord.tasks.joint`, for one release."""

from __future__ import annotations

import warnings
from typing import Any

from accord.tasks import joint


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not hasattr(joint, name):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn("accord.tasks.virtual is now accord.tasks.joint", DeprecationWarning, stacklevel=2)
    return getattr(joint, name)
