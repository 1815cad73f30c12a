# SPDX-License-Identifier: Apache-2.0
"""Compression by rules of English, without training: by the tree of dependencies, or by that of phrases."""
