# SPDX-License-Identifier: Apache-2.0
"""Chains over features that users bring along."""
