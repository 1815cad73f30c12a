"""Accord: structured prediction for language."""
