# SPDX-License-Identifier: Apache-2.0
"""Rerankers: which of the k best answers of any task is the best, by features of whole answers."""

from accord.tasks.reranker.config import RerankerConfig
from accord.tasks.reranker.lists import CandidateList, ListScore, read_lists, write_lists
from accord.tasks.reranker.model import Reranker, RerankerModel

__all__ = ["CandidateList", "ListScore", "Reranker", "RerankerConfig", "RerankerModel", "read_lists", "write_lists"]
