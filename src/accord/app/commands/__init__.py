# SPDX-License-Identifier: Apache-2.0
"""The verbs of the command line, one file each. A verb reads its options, calls the library and prints."""
