# SPDX-License-Identifier: Apache-2.0
"""The network of a model file in PyTorch and in ONNX Runtime, to stand beside the core in ``neural_speed.py``.

Both read the inputs that the core's reader gives, for they know no text, in batches of sentences of similar length;
they find trees by the core's own search, and choose labels for the arcs of these trees. In PyTorch all else is
``accord.torch``. ONNX Runtime does the LSTM layers, the scores of arcs and tags and the vectors of labels; the
embeddings of words and characters before them, and the scores of labels once trees are known, are PyTorch's.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import embedding

from accord.data import Document
from accord.inference.trees import argmax_batch
from accord.tasks.parser import ParserModel
from accord.torch.batches import Batch, Sentences
from accord.torch.export import network_of
from accord.torch.losses import arc_mask
from accord.torch.network import SLOPE, Network, Scores

Forward = Callable[[Batch], Scores]


class PeerParser:
    """Trees, labels and tags by a network; ``seconds`` gathers CPU time by step."""

    def __init__(self, model: ParserModel, engine: str, batch_positions: int) -> None:
        if model.network is None or model.network.parts or model.config.projective:
            raise SystemExit("peers need a neural scorer of arcs and non-projective trees")
        torch.set_num_threads(1)
        self.model = model
        self.reader = model.network.vocabulary.reader
        self.tasks = model.network.tasks
        self.network = network_of(model.network)
        self.forward: Forward = self.network if engine == "torch" else OnnxNetwork(self.network)
        self.batch_positions = batch_positions
        self.seconds: dict[str, float] = defaultdict(float)

    def _step(self, name: str) -> AbstractContextManager[None]:
        @contextmanager
        def timed() -> Any:
            started = time.process_time()
            yield
            self.seconds[name] += time.process_time() - started

        return timed()

    @torch.no_grad()
    def parse(self, document: Document) -> tuple[NDArray[np.int32], NDArray[np.int32], dict[str, NDArray[np.int32]]]:
        """Heads, labels and tags by task, of the words of all sentences."""
        with self._step("inputs"):
            data = Sentences(document, self.reader, torch.device("cpu"))
        total = int(data.lengths.sum())
        heads, labels = np.zeros(total, np.int32), np.zeros(total, np.int32)
        tags = {task: np.zeros(total, np.int32) for task in self.tasks}
        for group in data.batches(np.flatnonzero(data.lengths > 1), self.batch_positions):
            with self._step("inputs"):
                batch = data.batch(group)
                flat = data.positions(group)
            with self._step("network"):
                scores = self.forward(batch)
            with self._step("trees"):
                chosen = self._trees(batch, scores, data.lengths[group].tolist())
            heads[flat] = chosen
            with self._step("labels and tags"):
                sentence, position = batch.mask.nonzero(as_tuple=True)
                head = torch.from_numpy(chosen.astype(np.int64)).clamp(min=0)
                arcs = scores.label_head[sentence, head], scores.label_dependent[sentence, position]
                labels[flat] = self.network.score_labels(*arcs).argmax(1).numpy()
                for task, values in scores.tags.items():
                    tags[task][flat] = values.argmax(1).numpy()
        words = data.words
        return heads[words], labels[words], {task: values[words] for task, values in tags.items()}

    def _trees(self, batch: Batch, scores: Scores, sizes: list[int]) -> NDArray[np.int32]:
        table = scores.arcs.masked_fill(~arc_mask(batch), float("-inf")).double().numpy()
        sentences = [table[i, :size, :size] for i, size in enumerate(sizes)]
        trees = argmax_batch(sentences, single_root=self.model.single_root, threads=1)
        return np.concatenate([tree.heads for tree in trees])

    @torch.no_grad()
    def scores(self, document: Document, *, labels: bool) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """Of a document's one sentence: scores of arcs, (n+1, n+1), and log-probabilities of labels, (n+1, n+1, L)."""
        found = self.forward(Sentences(document, self.reader, torch.device("cpu")).batch(np.array([0])))
        arcs = found.arcs[0].double().numpy()
        if not labels:
            return arcs, None
        head, dependent = (grid.reshape(-1) for grid in np.indices(arcs.shape))
        every = self.network.score_labels(found.label_head[0, head], found.label_dependent[0, dependent])
        return arcs, torch.log_softmax(every.double(), 1).numpy().reshape(*arcs.shape, -1)


class OnnxNetwork:
    """Encoder and heads as an ONNX graph: embedded positions, time first, and lengths in; scores out."""

    def __init__(self, network: Network) -> None:
        import onnxruntime

        if network.config.encoder != "lstm":
            raise SystemExit("the ONNX graph is written for LSTM encoders")
        self.network = network
        self.tasks = list(network.sizes.tasks)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        graph = _Graph(network).bytes()
        self.session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def __call__(self, batch: Batch) -> Scores:
        flat = self.network._embed(batch)
        padded = torch.cat([flat, flat.new_zeros(1, flat.shape[1])])
        inputs = embedding(batch.rows.T.contiguous(), padded).numpy()
        lengths = batch.lengths.numpy().astype(np.int32)
        arcs, head, dependent, *tags = map(torch.from_numpy, self.session.run(None, {"x": inputs, "lengths": lengths}))
        chosen = {task: one.flatten(0, 1)[batch.places] for task, one in zip(self.tasks, tags, strict=True)}
        return Scores(arcs, head, dependent, chosen, {})


class _Graph:
    """Writes the graph node by node."""

    def __init__(self, network: Network) -> None:
        from onnx import TensorProto, helper

        self.helper = helper
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        layers, units = network.encoder, network.config.units
        x, tags = "x", []
        for index, layer in enumerate(layers):
            x = self._lstm(x, layer, units)
            if network.sizes.tasks and index + 1 == network.tag_layer:
                hidden = self._rectified(x, network.tag_hidden)
                read = self._node("Transpose", [hidden], perm=[1, 0, 2])
                tags = [self._linear(read, classifier) for classifier in network.classifiers.values()]
                if index + 1 < len(layers):
                    x = self._node("Concat", [x, hidden], axis=2)
        top = self._node("Transpose", [x], perm=[1, 0, 2])
        query = self._linear(self._rectified(top, network.arc_dependent), network.arc_form)
        query = self._node("Transpose", [query], perm=[0, 2, 1])
        arcs = self._node("MatMul", [self._rectified(top, network.arc_head), query])
        outputs = [arcs, self._rectified(top, network.label_head), self._rectified(top, network.label_dependent), *tags]
        real, whole = TensorProto.FLOAT, TensorProto.INT32
        given = [
            helper.make_tensor_value_info("x", real, ["time", "sentence", network.width]),
            helper.make_tensor_value_info("lengths", whole, ["sentence"]),
        ]
        answers = [helper.make_tensor_value_info(name, real, [None, None, None]) for name in outputs]
        graph = helper.make_graph(self.nodes, "scores", given, answers, self.weights)
        self.model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)

    def bytes(self) -> Any:
        return self.model.SerializeToString()

    def _node(self, kind: str, inputs: list[str], outputs: int = 1, **settings: Any) -> str:
        names = [f"{kind}.{len(self.nodes)}.{i}" for i in range(outputs)]
        self.nodes.append(self.helper.make_node(kind, inputs, names, **settings))
        return names[0]

    def _weight(self, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        name = f"weight.{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _linear(self, x: str, linear: nn.Module) -> str:
        weight, bias = linear.weight.detach().numpy(), linear.bias.detach().numpy()
        return self._node("Add", [self._node("MatMul", [x, self._weight(weight.T)]), self._weight(bias)])

    def _rectified(self, x: str, linear: nn.Module) -> str:
        return self._node("LeakyRelu", [self._linear(x, linear)], alpha=SLOPE)

    def _lstm(self, x: str, layer: nn.Module, units: int) -> str:
        """ONNX has the gates in the order input, output, forget, cell; PyTorch input, forget, cell, output."""

        def gates(name: str) -> NDArray[np.float32]:
            def one(parameter: Tensor) -> NDArray[np.float32]:
                given, forget, cell, out = parameter.detach().numpy().reshape(4, units, -1)
                return np.concatenate([given, out, forget, cell])

            return np.stack([one(getattr(layer, name)), one(getattr(layer, f"{name}_reverse"))])

        bias = np.concatenate([gates("bias_ih_l0"), gates("bias_hh_l0")], axis=1)[:, :, 0]
        weights = [self._weight(w) for w in (gates("weight_ih_l0"), gates("weight_hh_l0"), bias)]
        y = self._node("LSTM", [x, *weights, "lengths"], hidden_size=units, direction="bidirectional")
        y = self._node("Transpose", [y], perm=[0, 2, 1, 3])
        return self._node("Reshape", [y, self._weight(np.array([0, 0, 2 * units], np.int64))])
