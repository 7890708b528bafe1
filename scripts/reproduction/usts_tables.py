"""Tables 3 to 5, 8 to 10 and Figures 1 to 3 of USTS, from the published ratings and texts."""

from __future__ import annotations

import numpy as np
import polars as pl

from reproduction.outcome import Figures, Ours
from reproduction.usts_corpus import PARTS, SOURCES, Corpus
from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.groups import divergence_as_groups_join
from similitude.gold.reliability.growth import divergence_growth, growth
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.rating_spread import spread_of
from similitude.gold.reliability.rounds import compare_rounds
from similitude.inspect.words.overlap import word_overlaps
from similitude.stats.arrays import Array

CUT = "0.586: every other correlation of the table is rounded, this one looks cut off"
QUOTES = "each curly quotation mark of PAWS-X counted as two characters, as before the paper's cleaning (our guess)"
OUTWARD = "the printed range is rounded outward"
BEYOND = "4 of 14,951 pairs lie beyond the printed 1.5"
FEWER = {
    "USTS-U": "the file has 11 of 19 Chinese ratings, and 4 students and 4 general users where the paper has 5 each",
    "USTS-C": "the published ratings do not give it; nor do KL the other way round, medians, or a floor of the spread",
}
PRINTED_RATINGS = "from the 15 ratings that the paper prints"
BOUNDS = "the printed range bounds ours"


TABLE_1 = {
    "No. 1": (4.5, 4.7, 4.8, *12 * (5.0,)),
    "No. 2": (0.0, 0.3, 0.5, 0.5, 1.2, 1.5, 1.5, 1.8, 2.0, 2.0, 2.0, 2.0, 2.5, 3.5, 3.5),
    "No. 3": (0.5, 1.0, 1.0, 1.8, 1.8, 1.8, 2.0, 2.2, 2.5, 3.0, 3.0, 3.2, 3.5, 3.6, 4.5),
}
"""The ratings as printed, in order; our text of the paper cuts those of No. 1 after the eighth 5.0, the largest."""


def table_1(_: Corpus) -> Figures:
    found: Figures = {}
    for row, ratings in TABLE_1.items():
        for column, value in (("μ", np.mean(ratings)), ("σ", np.std(ratings))):
            found["Table 1", row, column] = Ours(float(value), note=PRINTED_RATINGS, derived=True)
    return found


def table_3(corpus: Corpus) -> Figures:
    found: Figures = {}
    for name, source in SOURCES.items():
        part = corpus.of_source(source)
        figures = amounts(part) | lengths(part.items) | raters(part)
        for row, value in figures.items():
            note = CUT if (name, row) == ("XNLI", "Raters, ρ") else QUOTES if _has_quotes(name, row) else ""
            found["Table 3", row, name] = Ours(value, note=note)
    return found


def _has_quotes(name: str, row: str) -> bool:
    return row.startswith("Length") and name in ("PAWS-X", "USTS")


def amounts(part: Judgements) -> dict[str, float]:
    contentious = contention(part)["contentious"]
    many, high = len(contentious), int(contentious.sum())
    return {"Amount, raw": many, "Amount, σ > 0.5": high, "Amount, ratio": 100 * high / many}


def lengths(items: pl.DataFrame) -> dict[str, float]:
    doubled = pl.when(pl.col("domain") == "pawsx").then(1).otherwise(0)
    counted = pl.col("left", "right").str.len_chars() + doubled * pl.col("left", "right").str.count_matches("[“”]")
    sides = items.select(counted.mean()).row(0)
    return {"Length, S1": sides[0], "Length, S2": sides[1], "Length, pair": sum(sides) / 2}


def raters(part: Judgements) -> dict[str, float]:
    values = part.matrix().values
    sigma = float(spread_of(values).sigma.mean())
    return {"Raters, r": mean_pearson(values), "Raters, ρ": mean_spearman(values), "Raters, σ": sigma}


def mean_pearson(values: Array) -> float:
    return pairwise_correlation(values, "pearson", resampling=NO_INTERVALS).estimate.value


def mean_spearman(values: Array) -> float:
    return pairwise_correlation(values, "spearman", resampling=NO_INTERVALS).estimate.value


def table_4(corpus: Corpus) -> Figures:
    found: Figures = {}
    for part, most in (("USTS-U", 7), ("USTS-C", 15)):
        at = [number for number in (4, 6, 8, 10, 14, 15) if number <= most]
        for row in divergence_growth(corpus.in_chinese(part), at=at).curve.to_dicts():
            note = "10 pairs of spread 0 left out" if row["dropped"] else ""
            found["Table 4", part, str(row["raters"])] = Ours(row["kl"], note=note)
    return found


def table_5(corpus: Corpus) -> Figures:
    found: Figures = {}
    for part in PARTS:
        values = corpus.parts[part].matrix().values
        spread = spread_of(values)
        figures = {
            "#": values.shape[1], "Annotators": len(values), "μ, from": float(spread.mean.min()),
            "μ, to": float(spread.mean.max()), "σ": float(spread.sigma.mean()),
            "r": mean_pearson(values), "ρ": mean_spearman(values),
        }  # fmt: skip
        for column, value in figures.items():
            found["Table 5", part, column] = Ours(value, note=OUTWARD if column == "μ, to" and part == "USTS-C" else "")
    return found


def table_8(corpus: Corpus) -> Figures:
    """Of all cells only the people's spread on the test sets; the others need trained models."""
    found: Figures = {}
    for part, benchmark in corpus.benchmarks.items():
        sigma = benchmark.frame.select("split", sigma=pl.col("ratings").list.std(ddof=0))
        test, whole = (float(rows["sigma"].mean()) for rows in (sigma.filter(split="test"), sigma))  # type: ignore[arg-type]
        found["Table 8", "people", f"{part}, σ_H"] = Ours(test, note=f"{whole:.3f} over all three splits")
    return found


def table_9(corpus: Corpus) -> Figures:
    columns = {"English native": "NT", "Translator": "+PT", "Oversea student": "+OS", "General user": "+GU"}
    found: Figures = {}
    for part in PARTS:
        for row in divergence_as_groups_join(corpus.study[part], reference="Chinese native").to_dicts():
            found["Table 9", part, columns[row["joined"]]] = Ours(row["kl"], note=FEWER[part])
    return found


def table_10(corpus: Corpus) -> Figures:
    pairs = corpus.pairs_in_two_languages
    table = pairs.frame.select("language", "source", overlap=word_overlaps(pairs.items))
    found: Figures = {}
    for language in ("zh", "en"):
        rows = table.filter(language=language)
        for column in (*PARTS, "USTS"):
            chosen = rows if column == "USTS" else rows.filter(source=column.lower())
            found["Table 10", language, column] = Ours(float(chosen["overlap"].mean()))  # type: ignore[arg-type]
    return found


def figure_1(corpus: Corpus) -> Figures:
    sigma = contention(corpus.first_round)["sigma"].to_numpy()
    figures = {
        "σ, from": Ours(float(sigma.min())),
        "σ, to": Ours(float(sigma.max()), note=BEYOND),
        "pairs with σ up to 0.5": Ours(int((sigma <= 0.5).sum())),
        "pairs with σ above 0.5": Ours(int((sigma > 0.5).sum())),
        "mean σ of the raters": Ours(float(sigma.mean())),
    }
    return {("Figure 1", row, "value"): ours for row, ours in figures.items()}


def figure_2(corpus: Corpus) -> Figures:
    found: Figures = {}
    for part in PARTS:
        sigma = growth(corpus.in_chinese(part)).curve["sigma"].to_numpy()
        for column, value in (("from", sigma.min()), ("to", sigma.max())):
            found["Figure 2", f"{part}, σ", column] = Ours(float(value), note=BOUNDS)
    return found


def figure_3(corpus: Corpus) -> Figures:
    rounds = compare_rounds(corpus.parts["USTS-C"], above=0.27, resampling=NO_INTERVALS)
    apart = (rounds.items["mean_first"] - rounds.items["mean_second"]).to_numpy()
    within = f"{100 * np.mean((apart >= -1) & (apart <= 2)):.1f} % of pairs lie within the printed -1 to 2"
    figures = {
        "mean σ, first round": Ours(rounds.sigma_first.value),
        "mean σ, second round": Ours(rounds.sigma_second.value),
        "pairs above the mean σ of USTS-U": Ours(100 * rounds.share_above.value),
        "mean σ of USTS-U": Ours(float(spread_of(corpus.parts["USTS-U"].matrix().values).sigma.mean())),
        "μ1 - μ2, from": Ours(float(apart.min()), note=within),
        "μ1 - μ2, to": Ours(float(apart.max()), note=within),
    }
    return {("Figure 3", row, "value"): ours for row, ours in figures.items()}
