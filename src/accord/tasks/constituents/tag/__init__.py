# SPDX-License-Identifier: Apache-2.0
"""The parser of spines: a tree-adjoining grammar whose derivations are dependency trees."""
