# SPDX-License-Identifier: Apache-2.0
"""What people meet: the command line, drawings."""
