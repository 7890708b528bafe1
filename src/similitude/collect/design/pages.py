"""Pages with one question of each stratum, such as one dialogue of 3 turns and one of 5, or one of each language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.design.page_assignment import deal, group_numbers
from similitude.collect.design.plural import named_few
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["in_pages"]


def in_pages(questions: pl.DataFrame, *, uneven: bool = False, rng: np.random.Generator) -> pl.DataFrame:
    """Assign questions to pages, each with one question of every stratum and no two of one group.

    Args:
        questions: a frame with the columns question, group and stratum.
        uneven: if strata differ in size, allow pages without the smaller ones.
        rng: the source of randomness.

    Returns:
        The same rows with batch (the page) and position, ordered by both.

    Raises:
        ArgumentError: a question has no stratum; strata differ in size and ``uneven`` is not set; a group has more
            questions than there are pages.

    >>> asked = {"question": ["a", "b", "c", "d"], "group": ["d1", "d1", "d2", "d2"], "stratum": ["3", "3", "5", "5"]}
    >>> pages = in_pages(pl.DataFrame(asked), rng=np.random.default_rng(0))
    >>> pages.group_by("batch", maintain_order=True).agg(pl.col("stratum").sort())["stratum"].to_list()
    [['3', '5'], ['3', '5']]
    """
    strata = questions["stratum"].to_list()
    _refuse_unequal(questions["question"].to_list(), strata, uneven=uneven)
    names = questions["group"].to_list()
    rounds = [np.flatnonzero([one == stratum for one in strata]) for stratum in dict.fromkeys(strata)]
    pages = max(map(len, rounds))
    page = deal(rounds, group_numbers(names), pages, rng, names)
    return numbered(questions, page, rng)


def numbered(questions: pl.DataFrame, page: NDArray[np.intp], rng: np.random.Generator) -> pl.DataFrame:
    """Add the batch and a random position in it, both from 1, and order the questions by them."""
    placed = questions.with_columns(batch=pl.Series(page + 1), position=pl.Series(rng.random(len(page))))
    rank = pl.col("position").rank("ordinal").over("batch").cast(pl.Int64)
    return placed.with_columns(position=rank).sort("batch", "position")


def _refuse_unequal(names: Sequence[str], strata: Sequence[str | None], *, uneven: bool) -> None:
    without = [name for name, stratum in zip(names, strata, strict=True) if stratum is None]
    if without:
        what = f"{counted(len(without), 'question')} without a stratum: {named_few(without)}"
        raise ArgumentError(what, remedy="give every item a value in that column, or use another column")
    counts = Counter(strata).most_common()
    (largest, most), (smallest, fewest) = counts[0], counts[-1]
    if most > fewest and not uneven:
        sizes = ", ".join(f"{count:,} of '{stratum}'" for stratum, count in counts[:6])
        what = (
            f"{sizes}: pages of one each fill {fewest:,} pages, and {most:,} - {fewest:,} = {most - fewest:,} "
            f"questions of '{largest}' are left without one of '{smallest}'"
        )
        raise ArgumentError(what, remedy="remove some, add some of the others, or allow uneven pages (--uneven)")
