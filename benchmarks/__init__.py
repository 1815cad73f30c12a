# SPDX-License-Identifier: Apache-2.0
"""Accord beside other programs and beside itself. `python -m benchmarks` lists what can be measured."""
