"""The model card of a Gaussian process."""

from __future__ import annotations

from typing import Any

from similitude.training.card_page import (
    UNPUBLISHED,
    ModelFacts,
    backbone_name,
    card_page,
    recalibration_text,
    recipe_rows,
    simulated_note,
)

__all__ = ["gpr_card"]

SIGMA = {
    "shared": "Sigma is the expected error of the predicted mean; it does not include how far people differ.",
    "raters": "Sigma is the expected distance of one person's opinion from the prediction; it includes how far people "
    "are expected to differ over the pair.",
}


def gpr_card(record: dict[str, Any], facts: ModelFacts = UNPUBLISHED) -> str:
    """The card in Markdown, from the content of ``similitude.json`` and what the release adds."""
    data, noise = record["data"], record["objective"]["noise"]
    low, high = record["scale"]
    under = " under a condition" if record.get("reads") == "all" else ""
    return card_page(
        record,
        facts,
        title=f"Similarity of two texts{under}, by a Gaussian process",
        description=[
            f"A sparse Gaussian process with {record['architecture']['points']:,} inducing points over the vectors of "
            f"the frozen encoder `{backbone_name(record)}`{_evidence(record['evidence'])}. It predicts mean and "
            f"standard deviation on the scale {low:g}..{high:g}. {SIGMA[noise]}"
        ],
        system="gpr",
        elsewhere=["sentence-transformers cannot open it: it is a Gaussian process. Similitude can."],
        rows=[
            f"| noise | {noise} |",
            f"| recalibration | {recalibration_text(record['recalibration'])} |",
            *recipe_rows(record["recipe"]),
        ],
        limits=[
            "Far from its training items, the process falls back to the mean score and a large sigma.",
            *simulated_note(data["judged_by"]),
        ],
    )


def _evidence(record: dict[str, Any] | None) -> str:
    if record is None:
        return ""
    return f" and {record['numbers']:,} numbers from {', '.join(f'`{name}`' for name in record['written'])}"
