# SPDX-License-Identifier: Apache-2.0
"""Corpora that are larger than one process: one job description, and the engines that run it.

``local`` needs nothing else. ``spark`` and ``ray`` need the extras of these names and are imported only when asked for.
"""
