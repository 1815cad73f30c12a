# SPDX-License-Identifier: Apache-2.0
"""Guides that need an optional package are left out where it is missing."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("torch") else ["torch.md"]
