"""Spanning trees: argmax, sums, k-best, samples."""

from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


def check(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

def argmax(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> tuple[float, NDArray[numpy.int32]]: ...

def log_partition(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> float: ...

def entropy(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> float: ...

def marginals(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], projective: bool, single_root: bool) -> tuple[float, NDArray[numpy.float64]]: ...

def kbest(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], k: int, projective: bool, single_root: bool) -> tuple[NDArray[numpy.float64], NDArray[numpy.int32]]: ...

def sample(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], count: int, seed: int, projective: bool, single_root: bool) -> NDArray[numpy.int32]: ...

def argmax_batch(batch: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], projective: bool, single_root: bool, threads: int) -> tuple[NDArray[numpy.float64], list[NDArray[numpy.int32]]]: ...

def log_partition_batch(batch: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], projective: bool, single_root: bool, threads: int) -> NDArray[numpy.float64]: ...

def marginals_batch(batch: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], projective: bool, single_root: bool, threads: int) -> tuple[NDArray[numpy.float64], list[NDArray[numpy.float64]]]: ...

def closest_projective(heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], single_root: bool) -> NDArray[numpy.int32]: ...

def is_tree(heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], single_root: bool) -> bool: ...

def is_projective(heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

class Part(enum.Enum):
    arc = 0

    sibling = 1

    grandparent = 2

    grand_sibling = 3

    tri_sibling = 4

class PartModel(enum.Enum):
    full = 0

    model0 = 1

    model1 = 2

    model2 = 3

    carreras = 4

class PartLayout:
    def __init__(self, words: int, arcs: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order='C', device='cpu', writable=False)], families: Sequence[Part]) -> None: ...

    @property
    def size(self) -> int: ...

    def list_parts(self, family: Part) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32]]: ...

    def parts_of(self, model: PartModel, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int64] | None: ...

    def argmax(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool) -> tuple[float, NDArray[numpy.int32]]: ...

    def log_partition(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool) -> float: ...

    def entropy(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool) -> float: ...

    def marginals(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool) -> tuple[float, NDArray[numpy.float64]]: ...

    def kbest(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool, k: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.int32]]: ...

    def sample(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], model: PartModel, single_root: bool, count: int, seed: int) -> NDArray[numpy.int32]: ...
