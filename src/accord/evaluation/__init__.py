"""The metrics of each task.

For trees there are two views. ``evaluate`` gives the CoNLL 2018 shared-task metrics, for analyses that may differ in
tokens, words and sentences. ``attachment`` gives UAS, LAS and complete trees over the same words, labels with their
subtypes, with or without punctuation; ``by_relation``, ``by_distance``, ``by_sentence_length`` and ``label_confusion``
take its figures apart.

``tree_calibration`` says how far a parser's confidences can be trusted, ``calibration`` does so for any answers, and
``plot_reliability`` draws it.
"""

from accord.evaluation.attachment import Attachment, Punctuation, attachment
from accord.evaluation.breakdown import by_distance, by_relation, by_sentence_length, label_confusion
from accord.evaluation.calibration import Binning, Calibration, ReliabilityBin, calibration
from accord.evaluation.confidences import tree_calibration
from accord.evaluation.conll import evaluate
from accord.evaluation.pictures import plot_reliability
from accord.evaluation.protocols import DocumentLike, SentenceLike, TokenLike, WordLike
from accord.evaluation.score import Evaluation, Score

__all__ = [
    "Attachment",
    "Binning",
    "Calibration",
    "DocumentLike",
    "Evaluation",
    "Punctuation",
    "ReliabilityBin",
    "Score",
    "SentenceLike",
    "TokenLike",
    "WordLike",
    "attachment",
    "by_distance",
    "by_relation",
    "by_sentence_length",
    "calibration",
    "evaluate",
    "label_confusion",
    "plot_reliability",
    "tree_calibration",
]
