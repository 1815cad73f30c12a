"""Native core of Accord."""

from accord._core import (
    graph as graph,
    tasks as tasks,
    text as text,
    trees as trees
)
