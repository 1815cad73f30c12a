# SPDX-License-Identifier: Apache-2.0
"""The metrics of each task.

For trees there are two views. ``evaluate`` gives the CoNLL 2018 shared-task metrics, for analyses that may differ in
tokens, words and sentences. ``attachment`` gives UAS, LAS and complete trees over the same words, labels with their
subtypes, with or without punctuation; ``by_relation``, ``by_distance``, ``by_sentence_length`` and ``label_confusion``
take its figures apart.

``tree_calibration`` says how far a parser's confidences can be trusted, ``calibration`` does so for any answers, and
``plot_reliability`` draws it.

For constituents: ``parseval``, which counts brackets as evalb does.

For labelled words: ``evaluate_tagging`` (known, unknown and ambiguous words), ``evaluate_spans`` (entities and chunks,
as conlleval counts), ``evaluate_segmentation`` (words as SIGHAN counts).

For summaries and other texts: ``Rouge`` and ``Bleu``. For compressed sentences: ``evaluate_compression``.

``mcnemar`` and ``paired_bootstrap`` say whether two systems differ by more than chance, whatever they answered.
"""

from accord.evaluation.attachment import Attachment, Punctuation, attachment
from accord.evaluation.bleu import Bleu, BleuScore
from accord.evaluation.bootstrap import PairedBootstrap, paired_bootstrap
from accord.evaluation.breakdown import by_distance, by_relation, by_sentence_length, label_confusion
from accord.evaluation.calibration import Binning, Calibration, ReliabilityBin, calibration
from accord.evaluation.compression import CompressionEvaluation, evaluate_compression, kept_relations
from accord.evaluation.confidences import tree_calibration
from accord.evaluation.conll import evaluate
from accord.evaluation.pictures import plot_reliability
from accord.evaluation.protocols import DocumentLike, SentenceLike, TokenLike, WordLike
from accord.evaluation.rouge import Rouge, RougeScore
from accord.evaluation.score import Evaluation, Score
from accord.evaluation.segmentation import SegmentationEvaluation, evaluate_segmentation
from accord.evaluation.significance import McNemar, mcnemar
from accord.evaluation.spans import LabelledSpan, SpanEvaluation, evaluate_spans, spans_of_labels
from accord.evaluation.tagging import Accuracy, TaggingEvaluation, evaluate_tagging, tags_of_forms

__all__ = [
    "Accuracy",
    "Attachment",
    "Binning",
    "Bleu",
    "BleuScore",
    "Calibration",
    "CompressionEvaluation",
    "DocumentLike",
    "Evaluation",
    "LabelledSpan",
    "McNemar",
    "PairedBootstrap",
    "Punctuation",
    "ReliabilityBin",
    "Rouge",
    "RougeScore",
    "Score",
    "SegmentationEvaluation",
    "SentenceLike",
    "SpanEvaluation",
    "TaggingEvaluation",
    "TokenLike",
    "WordLike",
    "attachment",
    "by_distance",
    "by_relation",
    "by_sentence_length",
    "calibration",
    "evaluate",
    "evaluate_compression",
    "evaluate_segmentation",
    "evaluate_spans",
    "evaluate_tagging",
    "kept_relations",
    "label_confusion",
    "mcnemar",
    "paired_bootstrap",
    "plot_reliability",
    "spans_of_labels",
    "tags_of_forms",
    "tree_calibration",
]
