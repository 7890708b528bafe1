"""``similitude demo``: five systems on pairs that a person scored, then on the simulated samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.cli.progress import progress_bar

if TYPE_CHECKING:
    from similitude.study import Run

__all__ = ["DEMO_SYSTEMS", "demo"]

DEMO_SYSTEMS = ("use-multilingual", "char-ngram-cosine(n=3)", "tfidf-cosine", "levenshtein", "length-ratio")
"""A sentence encoder, and four systems that look at letters, words and lengths."""

READER = {"the same with context": "use-multilingual(context=prepend, condition=append)"}
"""Reads the dialogues and the conditions of the simulated samples."""

SHOWN_PAIRS = ("e99cdb14", "2cab3182", "f9e10dcc", "42962254")
"""How ids begin: the same request in other words, a near one, one that every system gets wrong, and another request."""

SHOWN_SYSTEMS = ("use-multilingual", "levenshtein")


def demo(
    *,
    folder: Annotated[Path, Parameter(metavar="DIR", help="Where to save the runs.")] = Path("runs/demo"),
    json: options.Json = False,
) -> None:
    """Measure five systems on German pairs that a person scored, and on the simulated samples.

    The pairs are the published file of NLU-DE (CC BY 4.0). The samples after it are ours, and their judgements are
    SIMULATED by a seeded model of annotators: they show how the tool works, not which system people would prefer.

    Example: similitude demo
    """
    from similitude.report.demo_view import real_view, simulated_view
    from similitude.samples import REAL_PART, SAMPLE_PARTS, real_part_source

    real = _measured(REAL_PART, DEMO_SYSTEMS, ("spearman", "pearson"), folder)
    if not json:
        results.print(real_view(real, real_part_source(), SHOWN_PAIRS, SHOWN_SYSTEMS))
        results.print()
    simulated = {part: _measured(part, _readers(), ("spearman",), folder) for part in SAMPLE_PARTS}
    if json:
        print_json({part: run.record() for part, run in {REAL_PART: real, **simulated}.items()})
        return
    results.print(simulated_view(simulated))
    results.print()
    results.print(f"Saved in {folder}: every prediction, every figure, what made them (run.json).", markup=False)
    results.print(f"One page of it: similitude report {folder / REAL_PART}", markup=False)
    results.print("Your own data: similitude evaluate pairs.csv -s use-multilingual -s levenshtein", markup=False)


def _readers() -> dict[str, str]:
    first, *others = DEMO_SYSTEMS
    return {first: first, **READER, **{each.partition("(")[0]: each for each in others}}


def _measured(part: str, systems: Sequence[str] | Mapping[str, str], measures: Sequence[str], folder: Path) -> Run:
    from similitude.data.addresses import SAMPLE_PREFIX
    from similitude.study import run

    with progress_bar(f"{SAMPLE_PREFIX}{part}") as listener:
        return run(f"{SAMPLE_PREFIX}{part}", systems, measures, out=folder / part, listener=listener)
