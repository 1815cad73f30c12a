# SPDX-License-Identifier: Apache-2.0
"""Models that choose their own templates: chunks, entities, trees, and the sizes of model files."""
