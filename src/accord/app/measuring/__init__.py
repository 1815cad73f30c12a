"""Measurements behind ``accord bench``: each in a process of its own, then as a table or a picture."""
