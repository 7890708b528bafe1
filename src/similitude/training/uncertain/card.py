"""The model card of a model of opinions."""

from __future__ import annotations

from typing import Any

from similitude.systems.uncertain.heads import make_head
from similitude.training.card_page import (
    UNPUBLISHED,
    ModelFacts,
    backbone_name,
    backbone_rows,
    card_page,
    recalibration_text,
    recipe_rows,
    simulated_note,
    suspect_rows,
)

__all__ = ["opinion_card"]

READS = {
    "joint": "reads both texts together and each alone, and compares them token by token",
    "cross": "reads both texts together",
    "bi": "reads each text alone and compares their vectors",
}


def opinion_card(record: dict[str, Any], facts: ModelFacts = UNPUBLISHED) -> str:
    """The card in Markdown, from the content of ``similitude.json`` and what the release adds."""
    architecture = record["architecture"]
    meaning = make_head(architecture["head"]).meaning
    under = " under a condition" if architecture.get("reads") == "all" else ""
    reads = f"{READS[architecture['encoding']]}{', each time with the condition of the item' if under else ''}"
    return card_page(
        record,
        facts,
        title=f"Similarity of two texts{under}, and how far people differ over it",
        description=[
            f"The model {reads}. It was trained with Similitude from `{backbone_name(record)}`.",
            f"It predicts {meaning.format(**architecture)}, on the scale {record['scale']}.",
        ],
        system="uncertain",
        elsewhere=["sentence-transformers cannot open it: it predicts a distribution. Similitude can."],
        sections=["", "## Whose opinions", "", *_people(record["data"], has_teacher="teaching" in record)],
        rows=_rows(record),
        limits=["The spread is that of the raters above, asked as they were; other people may differ more."],
    )


def _rows(record: dict[str, Any]) -> list[str]:
    architecture = record["architecture"]
    optional = {
        "evidence": ", ".join(record["evidence"]["written"]) if "evidence" in record else None,
    }
    return [
        f"| objective | {record['objective']['name']} |",
        f"| head | {architecture['head']}, pooling {architecture['pooling']}, dropout {architecture['dropout']:g} |",
        *(f"| {name} | {value} |" for name, value in optional.items() if value is not None),
        *backbone_rows(record),
        *suspect_rows(record),
        f"| members | {record['members']} |",
        f"| recalibration | {recalibration_text(record['recalibration'])} |",
        *recipe_rows(record["recipe"]),
        f"| seeds | {record['seeds']} |",
    ]


def _people(data: dict[str, Any], *, has_teacher: bool) -> list[str]:
    fewest, most = data["raters"]["fewest"], data["raters"]["most"]
    raters = f"{most} people" if fewest == most else f"{fewest} to {most} people"
    rated = "Each item that the teacher did not label" if has_teacher else "Each item"
    known = f"{rated} was rated by {raters}." if most else "Only mean and standard deviation were kept."
    weighed = " All benchmarks had the same weight in training." if data["balanced"] else ""
    origins = [f"- {origin['name']}: {origin['items']:,} items" for origin in data["origins"]]
    simulated = simulated_note(data["judged_by"])
    validated = f"{known} Validated on {data['validated_on']:,} other items.{weighed}"
    return [*origins, "", validated, *([""] if simulated else []), *simulated]
