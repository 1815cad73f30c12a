# SPDX-License-Identifier: Apache-2.0
"""Rerankers on lists of real parsers."""
