# SPDX-License-Identifier: Apache-2.0
"""Sentences made shorter: which words stay."""
