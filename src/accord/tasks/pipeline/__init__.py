# SPDX-License-Identifier: Apache-2.0
"""From raw text to trees, as one model."""

from accord.tasks.pipeline.config import PipelineConfig
from accord.tasks.pipeline.model import Pipeline, PipelineModel

__all__ = ["Pipeline", "PipelineConfig", "PipelineModel"]
