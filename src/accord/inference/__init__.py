"""Structures on numpy arrays: best ones, probabilities, rankings, samples."""
