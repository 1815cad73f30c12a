"""Proximity operators and groups of features."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class GroupStructure:
    def __init__(self, members: Sequence[Sequence[int]], entries: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def layers(self) -> list[list[int]]: ...

    def set_weights(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def prox(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: float) -> NDArray[numpy.float64]: ...

    def ratios(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

    def threshold_for(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: int) -> float: ...

def soft_threshold(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: float) -> NDArray[numpy.float64]: ...

def budget_threshold(ratios: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: int) -> float: ...

class SparsitySettings:
    def __init__(self, *, shrinking: str, groups: Sequence[Sequence[int]], counted: int, budget: int, strength: float, lasso: float, rate: float, interval: int, instances: int) -> None: ...

class Sparsity:
    def finish(self) -> None: ...

    def chosen(self) -> NDArray[numpy.uint8]: ...

    def features(self, table: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.int32]]:
        """Keys and columns of the features of a table that are not zero."""

    @property
    def history(self) -> list[tuple[int, int, int]]:
        """
        Of each proximal step: features before and after, and groups that are left.
        """
