# SPDX-License-Identifier: Apache-2.0
"""Linear models that choose their own templates: settings, groups of features, and the run that chooses."""
