# SPDX-License-Identifier: Apache-2.0
"""Sums over trees of phrases in PyTorch are those of the core, and a network learns phrases that the core finds."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from accord.inference.constituents import Spans  # noqa: E402
from accord.tasks.constituents import ConstituencyParser, ConstituentsConfig  # noqa: E402
from accord.tasks.constituents.training import train_constituents  # noqa: E402
from accord.tasks.examples import tiny_constituents  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.torch.export import network_of  # noqa: E402
from accord.torch.span_task import NeuralConstituentsTask  # noqa: E402
from accord.torch.spans import span_log_partition  # noqa: E402

SMALL = ConstituentsConfig(
    scorer="neural",
    least_count=1,
    threads=1,
    neural=NeuralConfig(
        word_size=16, character_size=8, filters=8, units=16, arc_size=16, label_size=8, tag_hidden=8, epochs=25,
        batch_words=60, rate=0.02, dropout=0.1, averaging=0.9, least_count=1, storage="float32", device="cpu",
    ),
)  # fmt: skip


def test_sums_and_marginals_are_those_of_the_core() -> None:
    torch.manual_seed(1)
    lengths = torch.tensor([1, 2, 5, 7])
    scores = (3 * torch.randn(4, 8, 8, dtype=torch.float64)).requires_grad_()
    totals = span_log_partition(scores, lengths)
    totals.sum().backward()
    for row, words in enumerate(lengths.tolist()):
        spans = Spans(scores[row, : words + 1, : words + 1].detach().numpy())
        assert totals[row].item() == pytest.approx(spans.log_partition())
        gradient = scores.grad[row, : words + 1, : words + 1].numpy()
        np.testing.assert_allclose(gradient, spans.marginals()[:, :, 0], atol=1e-12)
        assert scores.grad[row].abs().sum().item() == pytest.approx(np.abs(gradient).sum())  # nothing outside


def test_gradients_are_those_of_finite_differences() -> None:
    torch.manual_seed(2)
    scores = torch.randn(2, 5, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda s: span_log_partition(s, torch.tensor([4, 3])), (scores,))


@pytest.fixture(scope="module")
def parser() -> ConstituencyParser:
    result = train_constituents(tiny_constituents(30), tiny_constituents(8, 30), SMALL)
    assert result.scores["F1"] > 90
    return ConstituencyParser(result.model)


def test_the_core_scores_spans_as_the_network_does(parser: ConstituencyParser) -> None:
    document = tiny_constituents(5, 40)
    assert parser.model.network is not None
    network = network_of(parser.model.network)
    task = NeuralConstituentsTask(document, None, SMALL)
    from accord.torch.batches import Sentences

    sentences = Sentences(document, parser.model.network.vocabulary.reader, torch.device("cpu"))
    assert len(task) == 5
    with torch.no_grad():
        for index, sentence in enumerate(document.sentences):
            found = network(sentences.batch(np.array([index])))
            square = parser.spans(sentence).scores
            for begin in range(len(sentence)):
                for end in range(begin + 1, len(sentence) + 1):
                    labels = network.score_labels(found.label_head[:, begin], found.label_dependent[:, end])
                    expected = found.arcs[0, begin, end] + labels.log_softmax(1)[0]
                    np.testing.assert_allclose(square[begin, end], expected.numpy(), atol=1e-4)


def test_a_neural_model_is_saved_and_loaded(parser: ConstituencyParser, tmp_path) -> None:  # type: ignore[no-untyped-def]
    parser.model.save(tmp_path / "m.accord")
    again = ConstituencyParser.load(tmp_path / "m.accord")
    document = tiny_constituents(5, 40)
    assert [one.tree for one in again.trees(document)] == [one.tree for one in parser.trees(document, threads=2)]
    best = again.trees(document, probabilities=True)[0]
    assert best.probabilities is not None and all(0 <= value <= 1 for value in best.probabilities.values())
    assert again.kbest(document.sentences[0], 3)[0].value == again.trees(document)[0].tree
