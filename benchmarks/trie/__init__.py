# SPDX-License-Identifier: Apache-2.0
"""The two-dimensional trie: an index of feature templates, with its tests and measurements. `make trie` builds it."""
