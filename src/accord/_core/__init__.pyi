"""Native core of Accord."""

from accord._core import (
    chains as chains,
    compressions as compressions,
    constituents as constituents,
    graph as graph,
    hypergraph as hypergraph,
    learn as learn,
    neural as neural,
    tasks as tasks,
    text as text,
    trees as trees
)
