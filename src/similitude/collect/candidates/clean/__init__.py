"""Cleaning texts before they are paired."""

from similitude.collect.candidates.clean.clean_texts import Cleaned, clean, word_counts
from similitude.collect.candidates.clean.rules import CleanRules
from similitude.collect.candidates.clean.tally import CleanTally, clean_step

__all__ = ["CleanRules", "CleanTally", "Cleaned", "clean", "clean_step", "word_counts"]
