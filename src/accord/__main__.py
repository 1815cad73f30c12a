# SPDX-License-Identifier: Apache-2.0
"""``python -m accord``: the ``accord`` command."""

from accord_command import main

if __name__ == "__main__":
    main()
