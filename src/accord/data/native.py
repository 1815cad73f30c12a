# SPDX-License-Identifier: Apache-2.0
"""The one door from documents to the native core."""

from __future__ import annotations

from accord._core.text import Document as NativeDocument
from accord._core.text import FormatProblem, tree_problem

__all__ = ["FormatProblem", "NativeDocument", "tree_problem"]
