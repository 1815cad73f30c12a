# SPDX-License-Identifier: Apache-2.0
"""Mutated models and inputs, and what the package makes of them. ``python -m tools.fuzz --help``."""
