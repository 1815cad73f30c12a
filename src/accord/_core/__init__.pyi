"""Native core of Accord."""

from accord._core import tasks as tasks, text as text, trees as trees
