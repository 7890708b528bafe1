"""The layout that all model cards share: what a model is, how to use it, how it was trained, and its limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = [
    "backbone_rows",
    "card_page",
    "data_row",
    "figures_text",
    "recalibration_text",
    "recipe_rows",
    "simulated_note",
    "suspect_rows",
]

SELECTED = (
    "The best epoch was chosen on the validation items, so their figures are optimistic; measure on a test split."
)


def card_page(
    record: Mapping[str, Any],
    *,
    title: str,
    description: Sequence[str],
    system: str,
    rows: Iterable[str],
    limits: Sequence[str],
    sections: Sequence[str] = (),
    library: str | None = None,
) -> str:
    """A card in Markdown, with the front matter that the Hugging Face hub reads.

    Args:
        record: the content of ``similitude.json``.
        title: what the model does.
        description: what the model is.
        system: the name under which Similitude uses it.
        rows: of the table of the training.
        limits: what is not known of the model.
        sections: lines between its use and its training.
        library: that others load it with.
    """
    lines = [
        *("---", *([f"library_name: {library}"] if library else [])),
        *("tags:", "- sentence-similarity", "- similitude", "---", ""),
        *(f"# {title}", "", *description, ""),
        *("## Use", "", "```", f'similitude evaluate DATA -s "{system}(THIS FOLDER)"', "```", *sections, ""),
        *("## Training", "", "| what | value |", "| --- | --- |", *rows, ""),
        *("## Limits", "", SELECTED, *limits, ""),
        *(f"- {note}" for note in record["notes"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def data_row(data: Mapping[str, Any]) -> str:
    """The row that names the training data."""
    return f"| data | {data['name']}: {data['items']:,} items, validated on {data['validated_on']:,} others |"


def recipe_rows(recipe: Mapping[str, Any]) -> Iterable[str]:
    """One row for each number of the recipe that is set."""
    return (f"| {name.replace('_', ' ')} | {value} |" for name, value in recipe.items() if value is not None)


def figures_text(figures: Mapping[str, float | None], *, percent: bool = False) -> str:
    """Figures on one line.

    >>> figures_text({"r": 0.8125, "kl": None})
    'r 0.812, kl undefined'
    >>> figures_text({"spearman": 0.8125}, percent=True)
    'spearman 81.2'
    """

    def written(value: float | None) -> str:
        if value is None:
            return "undefined"
        return f"{100 * value:.1f}" if percent else f"{value:.3f}"

    return ", ".join(f"{name} {written(value)}" for name, value in figures.items())


def recalibration_text(record: Mapping[str, Any] | None) -> str:
    """How predicted standard deviations are corrected."""
    if record is None:
        return "none"
    how = f"sigma x {record['factor']:.3g}" if record["kind"] == "scaling" else "an isotonic function of sigma"
    return f"{how}, fitted on {record['items']:,} validation items"


def simulated_note(judged_by: Iterable[str | None]) -> list[str]:
    """A sentence that says so if judgements are simulated."""
    is_simulated = any("simulated" in (who or "").lower() for who in judged_by)
    return ["Some judgements are simulated: no person gave them."] if is_simulated else []


def backbone_rows(record: dict[str, Any]) -> list[str]:
    """How much of the backbone was used and trained, and how it is shown texts, where that is not the default."""
    shape = record["architecture"]
    templates = {name.replace("_", " "): shape.get(name) for name in ("template", "side_template")}
    rows = {
        "layers kept": f"the first {record['layers']}" if "layers" in record else None,
        "adapters": f"rank {record['adapters']}, merged into the weights" if "adapters" in record else None,
        "frozen": "the model; only the layers after it were trained" if "frozen" in record else None,
        **{name: f"`{_one_line(value)}`" for name, value in templates.items() if value},
    }
    return [f"| {name} | {value} |" for name, value in rows.items() if value is not None]


def suspect_rows(record: dict[str, Any]) -> list[str]:
    """What was made of suspect labels, where a file named them."""
    if "suspects" not in record:
        return []
    known = record["suspects"]
    use = "every label weighed by the probability that it is right" if known["use"] == "weigh" else "left out"
    return [f"| suspect labels | {known['suspects']:,} of {known['labels']:,}: {use} |"]


def _one_line(template: str) -> str:
    return template.replace("\n", "\\n").replace("|", "\\|")
