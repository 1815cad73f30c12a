# SPDX-License-Identifier: Apache-2.0
"""A small network learns three sentences by heart, whatever the loss."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from collections.abc import Iterator  # noqa: E402

import numpy as np  # noqa: E402

from accord.data import Document  # noqa: E402
from accord.tasks.network.config import NeuralConfig  # noqa: E402
from accord.tasks.network.vocabulary import collect_vocabulary  # noqa: E402
from accord.torch import part_argmax, tree_argmax  # noqa: E402
from accord.torch.batches import Batch, Sentences  # noqa: E402
from accord.torch.losses import total_loss  # noqa: E402
from accord.torch.network import Network  # noqa: E402
from accord.torch.part_scores import candidate_layouts, part_scores  # noqa: E402
from accord.torch.sizes import Sizes  # noqa: E402


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """On tensors this small, threads only wait for each other; on a busy machine for long."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


PARTS = [("sibling",), ("grandparent",), ("sibling", "grandparent")]
SENTENCES = (
    ("the:2 dog:3 sleeps:0 here:3", "a:2 man:6 who:4 sleeps:2 here:4 laughs:0", "dogs:2 sleep:0"),
    ("the:2 dog:4 today:4 sleeps:0", "dogs:2 sleep:0", "a:2 man:3 laughs:0 who:5 sleeps:2 here:5"),  # the last crosses
)


def treebank(sentences: tuple[str, ...]) -> Document:
    lines = []
    for sentence in sentences:
        for number, pair in enumerate(sentence.split(), 1):
            form, head = pair.split(":")
            lines.append(f"{number}\t{form}\t_\t_\t_\t_\t{head}\tdep\t_\t_")
        lines.append("")
    return Document.from_conllu("\n".join(lines) + "\n")


def decode(network: Network, batch: Batch, projective: bool) -> torch.Tensor:
    """Heads [sentences, positions] without looking at gold."""
    scores, words = network(batch), batch.lengths - 1
    if not scores.parts:
        best = tree_argmax(scores.arcs, words, projective=projective, straight_through=False)
        return torch.where(best.sum(1) > 0, best.argmax(1), -1)
    unknown = np.full(batch.heads.shape, -1, np.int32)
    layouts = candidate_layouts(scores.arcs, words.numpy(), unknown, tuple(scores.parts), projective=projective)
    return part_argmax(part_scores(scores, layouts), layouts, projective=projective).heads


@pytest.mark.parametrize(
    ("loss", "parts", "projective"),
    [
        ("local", (), False),
        ("crf", (), False),
        ("crf", (), True),
        ("margin", (), False),
        ("sparsemap", (), False),
        *(("crf", parts, True) for parts in PARTS),
        ("margin", PARTS[2], True),
        ("margin", PARTS[2], False),
    ],
)
def test_a_small_network_learns_its_sentences(loss: str, parts: tuple[str, ...], projective: bool) -> None:
    document = treebank(SENTENCES[0 if projective else 1])
    config = NeuralConfig(
        loss=loss,
        tags="none",
        least_count=1,
        word_size=8,
        character_size=0,
        layers=1,
        units=8,
        arc_size=8,
        rank=4,
        dropout=0.0,
        word_dropout=0.0,
        input_dropout=0.0,
    )
    torch.manual_seed(1)
    vocabulary = collect_vocabulary(document, config)
    rows = tuple(vocabulary.reader.rows)
    network = Network(config, Sizes(rows, (), vocabulary.reader.character_rows, 0, {}, parts))
    batch = Sentences(document, vocabulary.reader, torch.device("cpu")).batch(np.arange(3))
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    losses = []
    for _ in range(60):
        optimizer.zero_grad()
        value, pieces = total_loss(network, batch, config, projective=projective)
        assert torch.equal(value, pieces["heads"])
        value.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(value.item())
    assert losses[-1] < 0.1 * losses[0]
    assert torch.equal(decode(network, batch, projective), batch.heads.clamp(min=-1))
