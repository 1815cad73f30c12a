# SPDX-License-Identifier: Apache-2.0
"""Model files, and the models inside the package."""

from accord.models.file import model_path, packaged_models

__all__ = ["model_path", "packaged_models"]
