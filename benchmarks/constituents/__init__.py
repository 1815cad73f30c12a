# SPDX-License-Identifier: Apache-2.0
"""Constituents: charts, head rules and parsers."""
