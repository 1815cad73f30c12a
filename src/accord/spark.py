# SPDX-License-Identifier: Apache-2.0
"""Accord on Spark; see :mod:`accord.engines.spark`."""

from accord.engines.spark import annotate, parse_udf

__all__ = ["annotate", "parse_udf"]
