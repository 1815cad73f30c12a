# SPDX-License-Identifier: Apache-2.0
"""PyTorch is loaded by accord.torch alone, and its absence is told in one line."""

from __future__ import annotations

import subprocess
import sys

from accord.errors import ConfigError, MissingDependencyError


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_accord_does_not_import_torch() -> None:
    assert run("import sys, accord, accord.inference, accord.app.cli; print('torch' in sys.modules)") == "False"


def test_a_missing_torch_is_named() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from accord.errors import AccordError\n"
        "try:\n    import accord.torch\nexcept AccordError as error:\n    print(type(error).__name__, error)"
    )
    assert run(program) == "MissingDependencyError accord.torch needs PyTorch: pip install 'accord[neural]'"


def test_a_missing_dependency_is_also_an_import_error() -> None:
    assert issubclass(MissingDependencyError, ImportError)
    assert issubclass(MissingDependencyError, ConfigError)
