"""The two correlations of figures of reliability."""

from typing import Literal

__all__ = ["Correlation"]

Correlation = Literal["pearson", "spearman"]
