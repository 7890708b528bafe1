"""Whether annotators are named: figures about people need their names."""

from __future__ import annotations

from similitude.data.judgements import Judgements

__all__ = ["number_of_raters", "why_unnamed"]

POSITIONS = "positions in a list are not people; --positions-are-people if they are"
COLUMN = "figures about people need the column 'annotator'"


def why_unnamed(judgements: Judgements) -> str | None:
    """Why figures about people are left out; None if every answer names its annotator.

    >>> import polars as pl
    >>> made = Judgements(name="made", frame=pl.DataFrame({"item": ["a", "a"], "value": [1.0, 2.0]}))
    >>> why_unnamed(made)
    'annotators are not named: positions in a list are not people; --positions-are-people if they are'
    """
    unnamed = judgements.frame["annotator"].null_count()
    if not unnamed:
        return None
    who = "annotators are" if unnamed == len(judgements) else f"the annotators of {unnamed:,} answers are"
    return f"{who} not named: {POSITIONS if judgements.kind == 'rating' else COLUMN}"


def number_of_raters(judgements: Judgements) -> int | None:
    """The number of annotators; None if some are not named."""
    return None if judgements.frame["annotator"].null_count() else len(judgements.annotators)
