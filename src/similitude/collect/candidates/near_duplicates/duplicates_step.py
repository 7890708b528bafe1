"""What the search for near-duplicates found, for the page: counts, the largest clusters, pairs at the border."""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.near_duplicates.clusters import Clusters, Edges
from similitude.collect.candidates.near_duplicates.search import DuplicateSearch
from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.plural import counted
from similitude.data.texts import Texts

__all__ = ["duplicates_step"]

COPY: Final = "the same text as an earlier one"
NEAR: Final = "nearly the same text as an earlier one"
LARGEST: Final = 20
MEMBERS: Final = 5
EXAMPLES: Final = 5
SHOWN: Final = 300
EDGES: Final = (1.0, 2.0, 3.0, 4.0, 6.0, 11.0, 101.0, 1001.0, 1e9)
"""Sizes of clusters: 1, 2, 3, 4 to 5, 6 to 10, 11 to 100, 101 to 1,000, more."""


def duplicates_step(texts: Texts, found: Clusters, search: DuplicateSearch, *, seconds: float = 0.0) -> Step:
    """The step of the search.

    Args:
        texts: all texts, as they were searched.
        found: the clusters.
        search: what was searched for.
        seconds: how long it took.
    """
    copies, sizes = int(found.copies.sum()), found.sizes
    near = len(texts) - len(sizes) - copies
    counts = tuple(np.histogram(sizes, EDGES)[0].tolist())
    alone = (len(sizes), *([0] * (len(EDGES) - 2)))
    return Step(
        name="duplicates",
        of="texts",
        before=len(texts),
        after=len(sizes),
        seconds=seconds,
        losses={reason: count for reason, count in ((COPY, copies), (NEAR, near)) if count},
        facts={**_facts(found, search), "largest_clusters": _largest(texts, found, sizes)},
        examples=(*_shown(texts, _lowest(found.dropped), is_kept=False), *_shown(texts, found.spared, is_kept=True)),
        distributions=(Distribution(name="texts in a cluster", edges=EDGES, before=counts, after=alone),),
        notes=_notes(found),
    )


def _facts(found: Clusters, search: DuplicateSearch) -> dict[str, object]:
    facts: dict[str, object] = {"similarity": search.similarity, "clusters": int((found.sizes > 1).sum())}
    if search.similarity == 1:
        return facts
    return {
        **facts,
        "n_grams": f"{search.characters} characters",
        "chance_to_find_a_pair_at_the_border": round(search.banding.chance(search.similarity), 4),
        "compared_pairs": found.compared,
    }


def _largest(texts: Texts, found: Clusters, sizes: NDArray[np.int64]) -> list[dict[str, object]]:
    """The largest clusters: the text that is kept, the size, and the first of the others."""
    order = np.lexsort((found.kept, -sizes))[:LARGEST]
    rows = found.kept[order[sizes[order] > 1]]
    members = np.flatnonzero(np.isin(found.representatives, rows) & (found.representatives != np.arange(len(texts))))
    frame = pl.DataFrame({"row": members, "kept": found.representatives[members]})
    firsts = dict(frame.group_by("kept", maintain_order=True).agg(pl.col("row").head(MEMBERS)).rows())
    size = dict(zip(found.kept[order].tolist(), sizes[order].tolist(), strict=True))
    return [
        {"kept": _text(texts, row), "size": size[row], "dropped": [_text(texts, each) for each in firsts[row]]}
        for row in rows.tolist()
    ]


def _lowest(edges: Edges) -> Edges:
    return edges.take(np.lexsort((edges.second, edges.first, edges.similarity)))


def _shown(texts: Texts, edges: Edges, *, is_kept: bool) -> tuple[BorderExample, ...]:
    some = edges.take(np.arange(min(EXAMPLES, len(edges))))
    return tuple(
        BorderExample(left=_text(texts, first), right=_text(texts, second), value=round(value, 4), is_kept=is_kept)
        for first, second, value in zip(
            some.first.tolist(), some.second.tolist(), some.similarity.tolist(), strict=True
        )
    )


def _text(texts: Texts, row: int) -> str:
    text = str(texts.frame["text"][row])
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _notes(found: Clusters) -> tuple[str, ...]:
    if not found.uncompared:
        return ()
    left = counted(found.uncompared, "comparison")
    return (
        f"{left} left out, because too many texts share a band without being similar; a few near-duplicates may stay",
    )
