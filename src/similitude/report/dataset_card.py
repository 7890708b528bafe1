"""A dataset card in Markdown: contents, judges, aggregation and reliability of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.gold.reliability.agreement import Agreement
from similitude.inspect.words.distribution import Distribution, score_distribution, sigma_distribution
from similitude.report.markdown import markdown_table
from similitude.report.reading_lines import reading_lines
from similitude.report.reliability import about_judgements, agreement_table, left_out_words, simulated_words

__all__ = ["dataset_card", "distribution_texts"]

MOST_LEFT_OUT = 20


def dataset_card(
    benchmark: Benchmark, judgements: Judgements, figures: Sequence[Agreement], *, level: float, command: str = ""
) -> str:
    """A dataset card in Markdown.

    Args:
        benchmark: the gold that was made.
        judgements: what it was made from.
        figures: of agreement and opinions.
        level: confidence level.
        command: what makes it again.
    """
    return "\n\n".join(_parts(benchmark, judgements, figures, level, command)) + "\n"


def _parts(
    benchmark: Benchmark, judgements: Judgements, figures: Sequence[Agreement], level: float, command: str
) -> Iterator[str]:
    yield f"# {benchmark.name}"
    if simulated_words(judgements):
        yield f"**{simulated_words(judgements)}.** No person was asked."
    yield _listed(
        items=f"{len(benchmark):,}",
        languages=", ".join(benchmark.frame["language"].drop_nulls().unique(maintain_order=True).to_list()),
        domains=", ".join(benchmark.frame["domain"].drop_nulls().unique(maintain_order=True).to_list()[:12]),
        splits=", ".join(benchmark.splits),
        scale=str(benchmark.scale),
        licence=benchmark.licence or "not stated",
    )
    yield "## How it was judged"
    origin = benchmark.provenance
    yield _listed(
        answers=about_judgements(judgements),
        by=origin.judged_by or "not stated",
        files=", ".join(origin.files),
        format=origin.format,
    )
    if lines := [line for reading in origin.readings for line in reading_lines(reading)]:
        yield "The files were read like this:"
        yield "\n".join(f"- {name}: {value}" for name, value in lines)
    yield "## How gold was made"
    yield f"{origin.aggregation or 'not stated'}."
    warnings = (f"warning: {warning}" for warning in origin.warnings)
    if notes := [*warnings, *origin.notes, *left_out_words(origin, MOST_LEFT_OUT)]:
        yield "\n".join(f"- {note}" for note in notes)
    if command:
        yield f"```\n{command}\n```"
    yield "## How far it can be trusted"
    yield markdown_table(agreement_table("reliability", "Reliability", figures, level))
    yield "## Scores"
    yield "\n\n".join(distribution_texts(benchmark))
    yield "The benchmark keeps every judgement that counts, so other aggregations can be tried."


def _listed(**facts: str) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)


def distribution_texts(benchmark: Benchmark) -> Iterator[str]:
    """Scores and standard deviations of opinions in ten bins, as far as they are known."""
    named = {
        "score": score_distribution(benchmark.frame, benchmark.scale),
        "standard deviation of opinions": sigma_distribution(benchmark.frame, benchmark.scale),
    }
    for name, found in named.items():
        if found is not None:
            yield _distribution(name, found)


def _distribution(name: str, found: Distribution) -> str:
    edges = found.edges
    heads = " | ".join(f"{low:.2f}–{high:.2f}" for low, high in pairwise(edges))
    counts = " | ".join(f"{count:,}" for count in found.counts)
    mean = (
        "" if math.isnan(found.spread.mean) else f" (mean {found.spread.mean:z.2f}, median {found.spread.median:z.2f})"
    )
    rule = " | ".join("---:" for _ in found.counts)
    return f"Items by {name}{mean}:\n\n| {heads} |\n| {rule} |\n| {counts} |"
