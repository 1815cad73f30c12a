# SPDX-License-Identifier: Apache-2.0
"""Measurements behind ``accord bench``: each in a process of its own, then as a table or a picture."""
