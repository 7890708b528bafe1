"""The model card: what a trained model is, how it was made, and how to use it, for whoever finds its folder."""

from __future__ import annotations

from typing import Any

__all__ = ["model_card"]

WHAT = {
    "cross": "a cross-encoder: f(s1; s2; c), one number from both sentences and the condition read together",
    "bi": "a bi-encoder: cos(f(s1; c), f(s2; c)), each sentence read together with the condition",
    "tri": "a tri-encoder: cos(h(c; s1), h(c; s2)), each text encoded alone",
}
PLAIN = {
    "cross": "a cross-encoder: one number from two texts read together",
    "bi": "a bi-encoder: the cosine of two texts' vectors",
}


def model_card(record: dict[str, Any]) -> str:
    """The card in Markdown, with the front matter that the Hugging Face hub reads.

    Args:
        record: what ``similitude.json`` says.
    """
    architecture, data, recipe = record["architecture"], record["data"], record["recipe"]
    kinds = WHAT if architecture["reads"] == "all" else {**WHAT, **PLAIN}
    figures = ", ".join(f"{name} {_percent(value)}" for name, value in record["validation"].items())
    lines = [
        *_front_matter(architecture),
        f"# {'Similarity under a condition' if architecture['reads'] != 'sentences' else 'Similarity of two texts'}",
        "",
        f"This is {kinds[architecture['encoding']]}. It was trained with Similitude from `{record['backbone']}`.",
        "",
        "## Use",
        "",
        "```",
        'similitude evaluate DATA -s "conditional(THIS FOLDER)"',
        "```",
        *_elsewhere(architecture),
        "",
        f"Scores run from 0 to 1, the ends of the scale {record['scale']} of the training data.",
        "",
        "## Training",
        "",
        "| what | value |",
        "| --- | --- |",
        f"| data | {data['name']}: {data['items']:,} items, validated on {data['validated_on']:,} others |",
        f"| validation (x 100) | {figures} |",
        f"| objective | {_objective(record['objective'])} |",
        f"| pooling | {architecture['pooling']}{', dense layer with tanh' if architecture['mlp'] else ''} |",
        *(f"| {name.replace('_', ' ')} | {value} |" for name, value in recipe.items() if value is not None),
        f"| seeds | {record['seeds']} |",
        *_teachers(record.get("teachers")),
        "",
        "## Limits",
        "",
        "The validation items chose the best epoch, so their figures are a little too good; measure on a test split.",
        "What the model was not shown (other domains, languages, kinds of conditions) was not measured.",
        "",
        *(f"- {note}" for note in record["notes"]),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _front_matter(architecture: dict[str, Any]) -> list[str]:
    opens = architecture["encoding"] == "bi" and not architecture["mlp"]
    library = "sentence-transformers" if opens else "transformers"
    return ["---", f"library_name: {library}", "tags:", "- sentence-similarity", "- similitude", "---", ""]


def _elsewhere(architecture: dict[str, Any]) -> list[str]:
    """How sentence-transformers opens it, where it can."""
    if architecture["encoding"] != "bi" or architecture["mlp"]:
        return []
    texts = {
        "sentences": '["A sentence.", "Another."]',
        "before": '[("condition", "A sentence."), ("condition", "Another.")]',
        "after": '[("A sentence.", "condition"), ("Another.", "condition")]',
    }["sentences" if architecture["reads"] == "sentences" else architecture["place"]]
    return [
        "",
        "```python",
        "from sentence_transformers import SentenceTransformer",
        "",
        'model = SentenceTransformer("THIS FOLDER")',
        f"left, right = model.encode({texts})",
        "model.similarity(left, right)",
        "```",
    ]


def _objective(objective: dict[str, Any]) -> str:
    if "name" in objective:
        return str(objective["name"])
    parts = [f"{objective['mse']:g} x MSE"] if objective["mse"] else []
    if objective["quad"]:
        parts.append(f"{objective['quad']:g} x Quad (margin {objective['margin']:g})")
    return " + ".join(parts)


def _teachers(teachers: dict[str, Any] | None) -> list[str]:
    if teachers is None:
        return []
    figures = ", ".join(f"{name} {_percent(value)}" for name, value in teachers["out_of_fold"].items())
    return [
        f"| teachers | {teachers['count']}, each trained without the items that it scored |",
        f"| learned from | {1 - teachers['weight']:g} x gold + {teachers['weight']:g} x the teachers' scores |",
        f"| teachers against gold (x 100) | {figures} |",
    ]


def _percent(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:.1f}"
