# SPDX-License-Identifier: Apache-2.0
"""Accord on Ray; see :mod:`accord.engines.ray`."""

from accord.engines.ray import Annotator, annotate

__all__ = ["Annotator", "annotate"]
