"""Splits of a benchmark in which items that belong together never lie apart.

Items belong together if they are of one group (a dialogue, a sentence pair under two conditions) or share a text or a
context, and so do items that are connected through others. Each such component goes into one split as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from similitude.data.benchmark import Benchmark
from similitude.data.plural import counted
from similitude.errors import ArgumentError
from similitude.inspect.checks.text_keys import keyed

__all__ = ["By", "Components", "Together", "components_of", "draw_splits", "split_shares"]

By = Literal["random", "group", "source", "stratified"]
Together = Literal["texts", "pairs"]

STRATA = 5
"""So many parts of the scores, of equal size, have the same shares in all splits of a stratified draw."""


@dataclass(frozen=True, slots=True)
class Components:
    """Which items belong together.

    Attributes:
        of_item: the component of each item, numbered in order of first appearance.
        sizes: items of each component.
    """

    of_item: NDArray[np.intp]
    sizes: NDArray[np.intp]

    def __len__(self) -> int:
        return self.sizes.size


def split_shares(written: str) -> dict[str, float]:
    """Shares of splits as a user writes them.

    >>> split_shares("train=0.7, dev=0.1, test=0.2")
    {'train': 0.7, 'dev': 0.1, 'test': 0.2}

    Raises:
        ArgumentError: they cannot be read, or do not add up to 1.
    """
    shares: dict[str, float] = {}
    for part in written.split(","):
        name, _, share = (piece.strip() for piece in part.partition("="))
        try:
            shares[name] = float(share)
        except ValueError:
            shares[name] = -1.0
        if not name.replace("_", "").isalnum() or not 0 < shares[name] <= 1:
            raise _unreadable(written)
    if len(shares) != written.count(",") + 1 or abs(sum(shares.values()) - 1) > 1e-6:
        raise _unreadable(written)
    return shares


def components_of(benchmark: Benchmark, together: Together = "texts", *, by_source: bool = False) -> Components:
    """The components of a benchmark.

    Args:
        benchmark: the items.
        together: "texts": items that share a text or a context belong together; "pairs": only those that share both
            texts. Groups are kept together either way.
        by_source: whether all items of one source belong together.
    """
    frame = keyed(benchmark)
    columns = ["left_key", "right_key"] if together == "texts" else ["_pair"]
    table = frame.select(
        pl.col("left_key").cast(pl.String).name.prefix("text"),
        pl.col("right_key").cast(pl.String),
        _pair=pl.concat_str("first_key", "second_key", "context_key", separator="|"),
        _context=pl.when(pl.col("context").list.len() > 0).then(pl.col("context_key").cast(pl.String)),
        _group=pl.col("group"),
        _source=pl.col("source"),
    ).rename({"textleft_key": "left_key"})
    kinds = {
        **dict.fromkeys(columns, "text" if together == "texts" else "pair"),
        **({"_context": "context"} if together == "texts" else {}),
        "_group": "group",
        **({"_source": "source"} if by_source else {}),
    }
    return _connected(table, kinds)


def _connected(table: pl.DataFrame, kinds: Mapping[str, str]) -> Components:
    """Components of the graph in which items are linked to what they share; a kind keeps equal keys apart."""
    links = pl.concat(
        table.select(
            item=pl.int_range(pl.len()),
            key=pl.when(pl.col(name).is_not_null()).then(pl.concat_str(pl.lit(f"{kind}|"), name)),
        )
        for name, kind in kinds.items()
    ).drop_nulls("key")
    keys = links["key"].rank("dense").to_numpy().astype(np.intp) - 1
    items, size = links["item"].to_numpy(), table.height
    total = size + (int(keys.max()) + 1 if keys.size else 0)
    graph = coo_matrix((np.ones(keys.size, np.int8), (items, size + keys)), shape=(total, total))
    labels = connected_components(graph, directed=False)[1][:size]
    _, first, of_item = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(first.size, np.intp)
    order[np.argsort(first, kind="stable")] = np.arange(first.size)
    of_item = order[of_item]
    return Components(of_item, np.bincount(of_item).astype(np.intp))


def draw_splits(
    benchmark: Benchmark,
    shares: Mapping[str, float],
    by: By = "random",
    *,
    together: Together = "texts",
    seed: int = 0,
) -> list[str]:
    """Draw the split of every item at random.

    Args:
        benchmark: the items.
        shares: of the splits, which add up to 1.
        by: "random": shares are of items. "group": shares are of groups, however large. "source": all items of one
            source lie in one split. "stratified": as random, with the same distribution of scores in all splits.
        together: which items are never apart; see `components_of`.
        seed: the same seed gives the same splits.

    Raises:
        ArgumentError: the data has no groups, sources or scores to draw by, or one component is too large.
    """
    _check_columns(benchmark, by, len(shares))
    found = components_of(benchmark, together, by_source=by == "source")
    names = list(shares)
    weights = _groups_in(benchmark, found) if by == "group" else found.sizes.astype(float)
    if len(names) > 1:
        _check_sizes(benchmark, found, weights, shares, by, together)
    strata = _strata(benchmark, found) if by == "stratified" else np.zeros(len(found), np.intp)
    drawn = _assigned(weights, np.array([shares[name] for name in names]), strata, np.random.default_rng(seed))
    chosen = [names[place] for place in drawn[found.of_item]]
    if missing := [name for name in names if name not in chosen]:
        what = f"split '{missing[0]}' would be empty: {counted(len(benchmark), 'item')} in {_parts(found)}"
        raise ArgumentError(what, where=benchmark.name, remedy="give --split fewer splits, or larger shares")
    return chosen


def _groups_in(benchmark: Benchmark, found: Components) -> NDArray[np.float64]:
    """The groups in each component; an item without a group is one of its own."""
    table = benchmark.frame.select("group", item=pl.when(pl.col("group").is_null()).then("id"))
    counted_once = table.with_columns(of=pl.Series(found.of_item)).unique()
    return np.bincount(counted_once["of"].to_numpy(), minlength=len(found)).astype(float)


def _assigned(
    weights: NDArray[np.float64], shares: NDArray[np.float64], strata: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.intp]:
    """The split of each component: drawn in proportion to the room that is left, the largest components first.

    What a stratum is over or under its share is made up for in the next one.
    """
    chosen = np.zeros(weights.size, np.intp)
    carried = np.zeros(shares.size)
    for stratum in np.unique(strata):
        members = rng.permutation(np.flatnonzero(strata == stratum))
        members = members[np.argsort(-weights[members], kind="stable")]
        room = shares * weights[members].sum() + carried
        for member in members:
            fits = np.where(room >= weights[member] - 0.5, np.maximum(room, 0), 0)
            place = rng.choice(shares.size, p=fits / fits.sum()) if fits.sum() > 0 else int(np.argmax(room))
            chosen[member] = place
            room[place] -= weights[member]
        carried = room
    return chosen


def _strata(benchmark: Benchmark, found: Components) -> NDArray[np.intp]:
    """Components by the mean of their scores, in parts with about as many items each; without scores: one of its own.

    A component that holds half of a stratum cannot be drawn evenly anyway, so that ranks of means do.
    """
    scores = benchmark.gold.scores
    known = ~np.isnan(scores)
    total = np.bincount(found.of_item[known], scores[known], len(found))
    count = np.bincount(found.of_item[known], minlength=len(found))
    means = np.divide(total, count, out=np.full(len(found), np.inf), where=count > 0)
    order = np.argsort(means, kind="stable")
    before = np.cumsum(found.sizes[order]) - found.sizes[order] / 2
    strata = np.empty(len(found), np.intp)
    strata[order] = np.minimum((STRATA * before / len(benchmark)).astype(np.intp), STRATA - 1)
    strata[count == 0] = STRATA
    return strata


def _check_columns(benchmark: Benchmark, by: By, splits: int) -> None:
    if by in ("group", "source"):
        values = benchmark.frame[by]
        if values.null_count() == len(benchmark):
            what = f"no item names its {by}, to draw whole {by}s with --by {by}"
            raise ArgumentError(what, where=benchmark.name, remedy=f"give --column {by}=NAME, or draw --by random")
        if by == "source" and values.n_unique() < splits:
            what = f"{splits} splits from {counted(values.n_unique(), 'source')} cannot be drawn --by source"
            raise ArgumentError(what, where=benchmark.name, remedy="draw --by random, or give fewer splits")
    if by == "stratified" and not np.isfinite(benchmark.gold.scores).any():
        raise ArgumentError("no item has a score for --by stratified", where=benchmark.name, remedy="draw --by random")


def _check_sizes(
    benchmark: Benchmark,
    found: Components,
    weights: NDArray[np.float64],
    shares: Mapping[str, float],
    by: By,
    together: str,
) -> None:
    """Refuse fewer components than splits, and a component that is larger than the largest split."""
    largest, total = int(weights.max()), int(weights.sum())
    room = max(shares.values()) * total
    if len(found) < len(shares):
        what = f"{len(shares)} splits cannot be filled from {_parts(found)}"
        raise ArgumentError(what, where=benchmark.name, remedy="publish fewer splits, or one: --split test=1")
    if largest <= room + 0.5:
        return
    share = f"{largest:,} of {total:,} {'groups' if by == 'group' else 'items'}"
    if by == "source":
        what = f"{share} belong together: they are of one source, or of sources that share texts or groups"
        raise ArgumentError(what, where=benchmark.name, remedy="draw --by random, or make the largest split larger")
    if by == "group" and together == "pairs":
        what = f"{share} are connected by pairs that occur in several of them"
        remedy = "drop these pairs from all groups but one, or publish one split: --split test=1"
        raise ArgumentError(what, where=benchmark.name, remedy=remedy)
    by_group = int(components_of(benchmark, "pairs").sizes.max())
    if by != "group" and (together == "pairs" or by_group > room + 0.5):
        what = f"{by_group:,} of {len(benchmark):,} items belong together by their group{_largest_group(benchmark)}"
        remedy = "draw --by group, make the largest split larger, or publish one split: --split test=1"
        raise ArgumentError(what, where=benchmark.name, remedy=remedy)
    what = f"{share} are connected by texts that they share (the most shared: {_hubs(benchmark)})"
    remedy = (
        "keep only pairs and groups together with --keep-together pairs, and the card then counts the texts that occur "
        "in several splits; drop the items of such texts, or publish one split: --split test=1"
    )
    raise ArgumentError(what, where=benchmark.name, remedy=remedy)


def _largest_group(benchmark: Benchmark) -> str:
    groups = benchmark.frame["group"].drop_nulls().value_counts(sort=True)
    return f" (the largest: '{groups['group'][0]}' with {groups['count'][0]:,})" if groups.height else ""


def _hubs(benchmark: Benchmark, most: int = 2) -> str:
    """The texts that most items share."""
    texts = pl.concat([benchmark.frame["left"], benchmark.frame["right"]]).value_counts(sort=True).head(most)
    rows: Sequence[tuple[str, int]] = texts.rows()
    return ", ".join(f"'{text[:40]}' in {counted(number, 'item')}" for text, number in rows)


def _parts(found: Components) -> str:
    return f"{counted(len(found), 'part')} that belong together"


def _unreadable(written: str) -> ArgumentError:
    what = f"--split '{written}' is not valid: shares of splits that add up to 1 are needed"
    return ArgumentError(what, remedy=f"write --split {_of_one(written) or 'train=0.7,dev=0.1,test=0.2'}")


def _of_one(written: str) -> str:
    """Percents or parts as shares of 1; nothing if that is not what was written."""
    parts = {name: float(number) for name, number in re.findall(r"(\w+) *= *(\d+(?:\.\d+)?) *(?:,|$)", written)}
    total = sum(parts.values())
    if total <= 1 or len(parts) != written.count(",") + 1:
        return ""
    shares = {name: round(number / total, 4) for name, number in parts.items()}
    fits = min(shares.values()) > 0 and abs(sum(shares.values()) - 1) < 1e-6
    return ",".join(f"{name}={share:g}" for name, share in shares.items()) if fits else ""
