# SPDX-License-Identifier: Apache-2.0
"""Between a network in PyTorch and the arrays of a model file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from accord.tasks.network.model import NetworkModel
from accord.tasks.network.storage import Array, restore, store
from accord.torch.network import GatedConvolution, Network
from accord.torch.sizes import Sizes


def named_parameters(network: Network) -> Iterator[tuple[str, Tensor]]:
    """The parameters under the names that ``core/neural`` knows; the two biases of an LSTM are still apart.

    Given vectors appear as the table that they are mapped to.
    """
    given = [] if network.given is None else [network.given.mapped()]
    for index, table in enumerate([*network.words, *given, *network.tags]):
        yield f"input.{index}", table
    if network.config.character_size:
        yield "characters", network.characters
        yield from _linear("filters", network.filters)
    yield "root", network.root
    if network.config.encoder == "convolution":
        yield from _linear("projection", network.projection)
        if hasattr(network, "tag_projection"):
            yield from _linear("tag_projection", network.tag_projection)
    for layer, module in enumerate(network.encoder):
        if isinstance(module, nn.LSTM):
            for side, suffix in (("forward", ""), ("backward", "_reverse")):
                name = f"encoder.{layer}.{side}"
                yield f"{name}.input", getattr(module, f"weight_ih_l0{suffix}")
                yield f"{name}.recurrent", getattr(module, f"weight_hh_l0{suffix}")
                yield f"{name}.bias", getattr(module, f"bias_ih_l0{suffix}")
                yield f"{name}.bias+", getattr(module, f"bias_hh_l0{suffix}")
        else:
            assert isinstance(module, GatedConvolution)
            yield from _linear(f"encoder.{layer}", module.map)
    for name in ("arc_head", "arc_dependent", "arc_form"):
        yield from _linear(name, getattr(network, name))
    if network.sizes.labels:
        yield from _linear("label_head", network.label_head)
        yield from _linear("label_dependent", network.label_dependent)
        yield "label_form", network.label_form
    if network.sizes.tasks:
        yield from _linear("tag_hidden", network.tag_hidden)
        for name, classifier in network.classifiers.items():
            assert isinstance(classifier, nn.Linear)
            yield from _linear(f"class.{name}", classifier)
    for name, linear in network.part_maps.items():
        assert isinstance(linear, nn.Linear)
        yield from _linear(f"part.{name}", linear)
        yield f"nowhere.{name}", network.part_nowhere[name]


def _linear(name: str, linear: nn.Linear) -> Iterator[tuple[str, Tensor]]:
    yield name, linear.weight
    yield f"{name}_bias", linear.bias


def to_arrays(network: Network, storage: str) -> dict[str, Array]:
    """The weights as arrays of a model file; see :mod:`accord.tasks.network.storage`."""
    values: dict[str, NDArray[np.float32]] = {}
    for name, parameter in named_parameters(network):
        array = parameter.detach().float().cpu().numpy()
        plain = name.removesuffix("+")
        values[plain] = values[plain] + array if plain in values else array.copy()
    return store(values, storage)


@torch.no_grad()
def from_arrays(network: Network, arrays: Mapping[str, Array]) -> None:
    """Put the arrays of a model file into a network of the same shape; one with given vectors cannot take them back."""
    if network.given is not None:
        raise ValueError("a model file holds given vectors after their map: make the network without them")
    weights = restore(arrays)
    for name, parameter in named_parameters(network):
        if name.endswith("+"):
            parameter.zero_()
        else:
            parameter.copy_(torch.from_numpy(weights[name]))


def network_of(stored: NetworkModel) -> Network:
    """The network of a model file in PyTorch, ready to predict."""
    network = Network(stored.config, Sizes.of(stored.vocabulary, stored.labels, stored.parts))
    from_arrays(network, stored.weights)
    network.eval()
    return network
