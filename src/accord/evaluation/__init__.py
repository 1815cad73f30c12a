"""The metrics of each task.

For trees there are two views. ``evaluate`` gives the CoNLL 2018 shared-task metrics, for analyses that may differ in
tokens, words and sentences. ``attachment`` gives UAS, LAS and complete trees over the same words, labels with their
subtypes, with or without punctuation; ``by_relation``, ``by_distance``, ``by_sentence_length`` and ``label_confusion``
take its figures apart.
"""

from accord.evaluation.attachment import Attachment, Punctuation, attachment
from accord.evaluation.breakdown import by_distance, by_relation, by_sentence_length, label_confusion
from accord.evaluation.conll import evaluate
from accord.evaluation.protocols import DocumentLike, SentenceLike, TokenLike, WordLike
from accord.evaluation.score import Evaluation, Score

__all__ = [
    "Attachment",
    "DocumentLike",
    "Evaluation",
    "Punctuation",
    "Score",
    "SentenceLike",
    "TokenLike",
    "WordLike",
    "attachment",
    "by_distance",
    "by_relation",
    "by_sentence_length",
    "evaluate",
    "label_confusion",
]
