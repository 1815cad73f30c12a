"""Networks: what they read, and their forward pass."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

import accord._core.text


class InputReader:
    def __init__(self, fields: Sequence[tuple[str, int, Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]]], characters: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], clusters: accord._core.text.ClusterLexicon) -> None: ...

    @property
    def rows(self) -> list[int]: ...

    @property
    def character_rows(self) -> int: ...

    def read(self, document: accord._core.text.Document) -> tuple[list[tuple[NDArray[numpy.uint32], NDArray[numpy.int32]]], tuple[NDArray[numpy.uint32], NDArray[numpy.int32]]]:
        """
        Offsets and numbers of each field, and of the characters, for all positions: root, then words.
        """

def count_values(document: accord._core.text.Document, attributes: Sequence[str], clusters: accord._core.text.ClusterLexicon) -> list[tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]]: ...

def count_characters(document: accord._core.text.Document) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32]]: ...

def values_of_forms(forms: Sequence[str], attribute: str) -> NDArray[numpy.uint64]:
    """The value of an attribute for each of some words, as keys of a field."""

def simd() -> str:
    """The vector instructions in use."""

class LemmaGuide:
    def __init__(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], starts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], rules: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)], often: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    @staticmethod
    def key(form: str, tag: int) -> int: ...

    def choose(self, form: str, tag: int, scores: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

class NetworkShape:
    def __init__(self, *, encoder: str, word_fields: int, word_size: int, tag_size: int, character_size: int, filters: int, layers: int, units: int, reach: int, arc_size: int, label_size: int, labels: int, tag_hidden: int, tag_layer: int, tasks: Sequence[tuple[str, int]], parts: Sequence[str], rank: int, readings: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, lemmas: LemmaGuide | None = None) -> None: ...

def choose_readings(readings: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], scores: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]]) -> NDArray[numpy.int32]:
    """
    The classes of each word by their scores, words x tasks, that make a reading.
    """

class Network:
    def __init__(self, shape: NetworkShape, reader: InputReader, floats: Sequence[tuple[str, Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], halves: Sequence[tuple[str, Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]]], bytes: Sequence[tuple[str, Annotated[NDArray[numpy.int8], dict(shape=(None, None), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]]], precision: str) -> None:
        """
        The network keeps the lists, and they the arrays, which must not change.
        """

    def encode(self, document: accord._core.text.Document, sentences: Sequence[int]) -> NDArray[numpy.float32]:
        """The top of the encoder for these sentences: root, then words."""
