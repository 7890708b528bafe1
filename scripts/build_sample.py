"""Build the sample benchmark that ships in the package: our own texts, judged by simulated annotators.

Run ``make sample`` after a change to the texts in ``scripts/sample_texts`` or to the model in
``similitude.collect.simulation``. A test fails if the shipped files differ from what this script generates.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from similitude.collect.simulation import Annotators, PerceivedScores, judge_best_worst, judge_ratings
from similitude.data import Benchmark, Provenance, Scale
from similitude.data.writing.benchmark import write
from similitude.gold.aggregation import count_best_worst

TEXTS = Path(__file__).parent / "sample_texts"
TARGET = Path(__file__).parents[1] / "src" / "similitude" / "samples" / "files"
SEED = 20231
LICENCE = "Apache-2.0"
UNIT, LIKERT, SIX_POINT = Scale(low=0, high=1), Scale(low=1, high=5), Scale(low=0, high=5)


def read_texts(name: str) -> list[dict[str, Any]]:
    texts: list[dict[str, Any]] = json.loads((TEXTS / f"{name}.json").read_text(encoding="utf-8"))
    return texts


def provenance(how: str, aggregation: str) -> Provenance:
    return Provenance(judged_by=f"simulated annotators ({how}, seed {SEED})", aggregation=aggregation)


def build_dialogues(rng: np.random.Generator) -> Benchmark:
    """Twelve dialogues with five candidates each; all ten triples of a dialogue judged best-worst by five of 15."""
    rows, similarity, tuples = [], {}, {}
    for dialogue in read_texts("dialogues"):
        ids = [f"{dialogue['id']}-{number}" for number in range(1, 6)]
        for item, candidate in zip(ids, dialogue["candidates"], strict=True):
            similarity[item] = candidate["similarity"]
            rows.append(
                {
                    "id": item,
                    "left": dialogue["turns"][-1],
                    "right": candidate["text"],
                    "context": dialogue["turns"],
                    "group": dialogue["id"],
                    "language": dialogue["language"],
                    "domain": dialogue["domain"],
                    "source": "similitude sample",
                }
            )
        tuples |= {f"{dialogue['id']}-q{n:02d}": chosen for n, chosen in enumerate(combinations(ids, 3), 1)}
    judgements = judge_best_worst(tuples, similarity, Annotators.draw(15, rng), per_tuple=5, rng=rng)
    scores = count_best_worst(judgements).select("id", score=pl.col("normalised").round(6))
    return Benchmark(
        name="sample:dialogues",
        frame=pl.DataFrame(rows).join(scores, on="id", how="left", maintain_order="left"),
        scale=UNIT,
        licence=LICENCE,
        provenance=provenance("best-worst, 5 a triple", "(#best - #worst) / #appearances, mapped to 0..1"),
        judgements=judgements,
    )


def rated(
    name: str,
    rows: list[dict[str, Any]],
    readings: dict[str, list[PerceivedScores]],
    *,
    raters: int,
    scale: Scale,
    step: float,
    rng: np.random.Generator,
) -> Benchmark:
    ratings = judge_ratings(readings, Annotators.draw(20, rng), per_item=raters, scale=scale, step=step, rng=rng)
    answers = pl.col("ratings").list
    gold = ratings.with_columns(score=answers.mean().round(6), sigma=answers.std(ddof=0).round(6))
    shuffled = pl.DataFrame(rows)[rng.permutation(len(rows))]  # row order must tell nothing about gold
    return Benchmark(
        name=f"sample:{name}",
        frame=shuffled.join(gold, on="id", how="left", maintain_order="left"),
        scale=scale,
        licence=LICENCE,
        provenance=provenance(f"{raters} ratings an item", "mean and population standard deviation of the ratings"),
    )


def build_conditions(rng: np.random.Generator) -> Benchmark:
    """Forty pairs under two conditions each, rated 1..5 by five."""
    rows, readings = [], {}
    for pair in read_texts("conditions"):
        for kind in ("alike", "differ"):
            # The id must not say which of the two conditions makes the pair alike.
            item = f"{pair['id']}-{'ab'[(kind == 'alike') == (int(pair['id'][1:]) % 2 == 0)]}"
            readings[item] = [PerceivedScores((pair[kind]["similarity"] - LIKERT.low) / LIKERT.width)]
            rows.append(
                {
                    "id": item,
                    "left": pair["left"],
                    "right": pair["right"],
                    "condition": pair[kind]["condition"],
                    "group": pair["id"],
                    "language": "en",
                    "source": "similitude sample",
                }
            )
    return rated("conditions", rows, readings, raters=5, scale=LIKERT, step=1.0, rng=rng)


def build_opinions(rng: np.random.Generator) -> Benchmark:
    """Sixty pairs rated 0..5 in steps of 0.1 by ten each; twenty of them contentious."""
    rows, readings = [], {}
    for pair in read_texts("opinions"):
        readings[pair["id"]] = [
            PerceivedScores(r["similarity"] / SIX_POINT.width, r["weight"]) for r in pair["readings"]
        ]
        rows.append(
            {key: pair[key] for key in ("id", "left", "right", "language", "domain")} | {"source": "similitude sample"}
        )
    return rated("opinions", rows, readings, raters=10, scale=SIX_POINT, step=0.1, rng=rng)


def build(target: Path = TARGET) -> list[Benchmark]:
    """Write all three parts. Each has its own random stream, so a change to one leaves the others as they are."""
    target.mkdir(parents=True, exist_ok=True)
    streams = np.random.SeedSequence(SEED).spawn(3)
    builders = (build_dialogues, build_conditions, build_opinions)
    parts = [make(np.random.default_rng(stream)) for make, stream in zip(builders, streams, strict=True)]
    for part in parts:
        write(part, target / f"{part.name.removeprefix('sample:')}.jsonl")
    return parts


if __name__ == "__main__":
    for part in build(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET):
        print(part)
