# SPDX-License-Identifier: Apache-2.0
"""The service: what it answers, without how it listens."""
