"""The results of one system for its model card: the metadata that the Hugging Face hub reads, and a table."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from similitude._version import __version__
from similitude.errors import ArgumentError
from similitude.report.notation import SIMULATED, how_sure, interval_text
from similitude.study.runs import Run

__all__ = ["model_card_of", "result_entry", "result_lines"]


def model_card_of(runs: Sequence[Run], system: str | None = None) -> str:
    """The results of one system on one or more benchmarks.

    Args:
        runs: one for each benchmark.
        system: its label or identity; may be left out if there is only one.

    Raises:
        ArgumentError: there is no such system, or it was not said which.
    """
    places = [_place(run, system) for run in runs]
    name = runs[0].systems[places[0]].label
    head: list[str] = []
    for run, place in zip(runs, places, strict=True):
        if result_entry(run, place)["metrics"]:  # the hub reads no results without a figure
            head += _metadata(run, place)
    if head:
        head = ["---", "model-index:", f"- name: {_quoted(name)}", "  results:", *head, "---", ""]
    body = [line for run, place in zip(runs, places, strict=True) for line in result_lines(run, place)]
    made = f"Measured with Similitude {__version__}."
    return "\n".join([*head, "## Semantic textual similarity", "", *body, made, ""])


def _place(run: Run, system: str | None) -> int:
    names = [record.label for record in run.systems]
    if system is None:
        if len(names) > 1:
            raise ArgumentError(
                f"a model card is about one of the {len(names)} systems",
                where=run.data.name,
                remedy=f"give --system, one of: {', '.join(names)}",
            )
        return 0
    for place, record in enumerate(run.systems):
        if system in (record.label, record.identity):
            return place
    raise ArgumentError(f"no system '{system}'", where=run.data.name, remedy=f"systems there: {', '.join(names)}")


def _metadata(run: Run, place: int) -> Iterator[str]:
    yield "  - task:"
    yield "      type: sentence-similarity"
    yield "      name: Semantic textual similarity"
    yield "    dataset:"
    yield f"      type: {_quoted(run.data.name)}"
    yield f"      name: {_quoted(run.data.name + (' (simulated judgements)' if run.data.is_simulated else ''))}"
    if run.data.split:
        yield f"      split: {_quoted(run.data.split)}"
    yield f"      revision: {run.data.fingerprint}"
    yield "    metrics:"
    for measure, figure in zip(run.measures, run.figures[place], strict=True):
        if not math.isnan(figure.value):
            yield f"    - type: {_quoted(str(measure))}"
            yield f"      value: {figure.value:.6g}"


def result_entry(run: Run, place: int) -> dict[str, Any]:
    """The results of one system on one benchmark, as an entry of the hub's ``model-index``."""
    simulated = " (simulated judgements)" if run.data.is_simulated else ""
    figures = zip(run.measures, run.figures[place], strict=True)
    return {
        "task": {"type": "sentence-similarity", "name": "Semantic textual similarity"},
        "dataset": {
            "type": run.data.name,
            "name": run.data.name + simulated,
            **({"split": run.data.split} if run.data.split else {}),
            "revision": run.data.fingerprint,
        },
        "metrics": [
            {"type": str(measure), "value": round(float(one.value), 6)}
            for measure, one in figures
            if not math.isnan(one.value)
        ],
    }


def result_lines(run: Run, place: int) -> Iterator[str]:
    """A table of the measures of one system with their intervals, in Markdown."""
    confidence = run.confidence
    warning = f" **{SIMULATED}.**" if run.data.is_simulated else ""
    split = f", split {run.data.split}" if run.data.split else ""
    yield f"{run.data.name}{split}, {run.data.counted} items.{warning}"
    yield ""
    yield "| measure | value |" if confidence is None else f"| measure | value | {how_sure(confidence)} |"
    yield "| --- | ---: |" if confidence is None else "| --- | ---: | ---: |"
    for column, (measure, figure) in enumerate(zip(run.measures, run.figures[place], strict=True)):
        value = f"undefined: {figure.reason}" if math.isnan(figure.value) else f"{figure.value:z.3f}"
        interval = "" if confidence is None else f" {interval_text(confidence.intervals[place][column])} |"
        yield f"| {measure} | {value} |{interval}"
    yield ""


def _quoted(text: str) -> str:
    """A string in YAML."""
    return json.dumps(text, ensure_ascii=False)
