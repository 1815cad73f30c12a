# SPDX-License-Identifier: Apache-2.0
"""From raw text to sentences, tokens and words."""

from accord.tasks.tokenizer.config import TokenizerConfig
from accord.tasks.tokenizer.model import Tokenizer, TokenizerModel
from accord.tasks.tokenizer.spans import Spans
from accord.tasks.tokenizer.texts import detokenize

__all__ = ["Spans", "Tokenizer", "TokenizerConfig", "TokenizerModel", "detokenize"]
