"""The card of a Gaussian process: what it says, over which encoder, and how it was made."""

from __future__ import annotations

from typing import Any

__all__ = ["gpr_card"]

SIGMA = {
    "shared": "Sigma tells how far the gold score may lie from the prediction; it is not how far people differ.",
    "raters": "Sigma tells how far one person's opinion may lie from the prediction: how far people are expected to "
    "differ over the pair is part of it.",
}


def gpr_card(record: dict[str, Any]) -> str:
    """The card in Markdown.

    Args:
        record: what ``similitude.json`` says.
    """
    data, recipe = record["data"], record["recipe"]
    low, high = record["scale"]
    lines = [
        *("---", "tags:", "- sentence-similarity", "- similitude", "---", ""),
        "# Similarity of two texts, by a Gaussian process",
        "",
        f"A sparse Gaussian process with {record['architecture']['points']:,} inducing points over the vectors of "
        f"`{record['backbone']}`, which was left as it is{_evidence(record['evidence'])}. It predicts mean and "
        f"standard deviation on the scale {low:g}..{high:g}. {SIGMA[record['objective']['noise']]}",
        "",
        "## Use",
        "",
        "```",
        'similitude evaluate DATA -s "gpr(THIS FOLDER)"',
        "```",
        "",
        "## Training",
        "",
        "| what | value |",
        "| --- | --- |",
        f"| data | {data['name']}: {data['items']:,} items, validated on {data['validated_on']:,} others |",
        f"| validation | {_figures(record['validation'])} |",
        f"| noise | {record['objective']['noise']} |",
        f"| recalibration | {_recalibration(record['recalibration'])} |",
        *(f"| {name.replace('_', ' ')} | {value} |" for name, value in recipe.items()),
        "",
        "## Limits",
        "",
        "The validation items chose the best epoch, so their figures are a little too good; measure on a test split.",
        "Far from all that it was shown, the process falls back to the mean score and a large sigma.",
        *_simulated(data["judged_by"]),
        "",
        *(f"- {note}" for note in record["notes"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _evidence(record: dict[str, Any] | None) -> str:
    if record is None:
        return ""
    return f", and over {record['numbers']:,} numbers from {', '.join(f'`{name}`' for name in record['written'])}"


def _figures(figures: dict[str, float | None]) -> str:
    return ", ".join(f"{name} {'undefined' if value is None else f'{value:.3f}'}" for name, value in figures.items())


def _recalibration(record: dict[str, Any] | None) -> str:
    if record is None:
        return "none"
    how = f"sigma x {record['factor']:.3g}" if record["kind"] == "scaling" else "an isotonic function of sigma"
    return f"{how}, fitted on {record['items']:,} validation items"


def _simulated(judged_by: list[str | None]) -> list[str]:
    is_simulated = any("simulated" in (who or "").lower() for who in judged_by)
    return ["Some judgements are simulated: nobody's opinion was asked for them."] if is_simulated else []
