"""The card of a model of opinions: what it says, of which people, and how it was made."""

from __future__ import annotations

from typing import Any

from similitude.systems.uncertain.heads import make_head

__all__ = ["opinion_card"]

READS = {
    "joint": "reads both texts together and each alone, token against token",
    "cross": "reads both texts together",
    "bi": "reads each text alone and compares their vectors",
}


def opinion_card(record: dict[str, Any]) -> str:
    """The card in Markdown, with the front matter that the Hugging Face hub reads.

    Args:
        record: what ``similitude.json`` says.
    """
    architecture, data, recipe = record["architecture"], record["data"], record["recipe"]
    what = make_head(architecture["head"]).meaning
    lines = [
        *("---", "library_name: transformers", "tags:", "- sentence-similarity", "- similitude", "---", ""),
        "# Similarity of two texts, and how far people would differ over it",
        "",
        f"The model {READS[architecture['encoding']]}. It was trained with Similitude from `{record['backbone']}`.",
        f"It predicts {what.format(**architecture)}, on the scale {record['scale']}.",
        "",
        "## Use",
        "",
        "```",
        'similitude evaluate DATA -s "uncertain(THIS FOLDER)"',
        "```",
        "",
        "## Whose opinions",
        "",
        *_people(data, taught="teaching" in record),
        "",
        "## Training",
        "",
        "| what | value |",
        "| --- | --- |",
        f"| validation | {_figures(record['validation'])} |",
        f"| objective | {record['objective']['name']} |",
        f"| head | {architecture['head']}, pooling {architecture['pooling']}, dropout {architecture['dropout']:g} |",
        *([f"| evidence | {', '.join(record['evidence']['written'])} |"] if "evidence" in record else []),
        *([f"| layers kept | the first {record['layers']} |"] if "layers" in record else []),
        *([f"| adapters | rank {record['adapters']}, added into the weights |"] if "adapters" in record else []),
        *([f"| template | `{_one_line(architecture['template'])}` |"] if architecture.get("template") else []),
        f"| members | {record['members']} |",
        f"| recalibration | {_recalibration(record['recalibration'])} |",
        *(f"| {name.replace('_', ' ')} | {value} |" for name, value in recipe.items() if value is not None),
        f"| seeds | {record['seeds']} |",
        "",
        "## Limits",
        "",
        "The validation items chose the best epoch, so their figures are a little too good; measure on a test split.",
        "The spread is that of people like those above, asked as they were; others may differ more.",
        "",
        *(f"- {note}" for note in record["notes"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _one_line(template: str) -> str:
    return template.replace("\n", "\\n").replace("|", "\\|")


def _people(data: dict[str, Any], *, taught: bool) -> list[str]:
    fewest, most = data["raters"]["fewest"], data["raters"]["most"]
    raters = f"{most} people" if fewest == most else f"{fewest} to {most} people"
    rated = "Each item that was not taught" if taught else "Each item"
    known = f"{rated} was rated by {raters}." if most else "Only mean and standard deviation were kept."
    weighed = " Each benchmark counted the same in training." if data["balanced"] else ""
    origins = [f"- {origin['name']}: {origin['items']:,} items" for origin in data["origins"]]
    simulated = [who for who in data["judged_by"] if "simulated" in (who or "").lower()]
    told = ["", "Some judgements are simulated: nobody's opinion was asked for them."] if simulated else []
    return [*origins, "", f"{known} Validated on {data['validated_on']:,} other items.{weighed}", *told]


def _figures(figures: dict[str, float | None]) -> str:
    return ", ".join(f"{name} {'undefined' if value is None else f'{value:.3f}'}" for name, value in figures.items())


def _recalibration(record: dict[str, Any] | None) -> str:
    if record is None:
        return "none"
    how = f"sigma x {record['factor']:.3g}" if record["kind"] == "scaling" else "an isotonic function of sigma"
    return f"{how}, fitted on {record['items']:,} validation items"
