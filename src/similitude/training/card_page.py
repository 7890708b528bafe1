"""The layout that all model cards share: metadata for the hub, use, data, recipe, figures with intervals, limits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from similitude.data.writing.front_matter import front_matter

__all__ = [
    "UNPUBLISHED",
    "ModelFacts",
    "backbone_name",
    "backbone_rows",
    "card_page",
    "figures_text",
    "recalibration_text",
    "recipe_rows",
    "simulated_note",
    "suspect_rows",
]

SELECTED = (
    "The best epoch was chosen on the validation items, so their figures are optimistic; measure on a test split."
)
HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
TASK = {"type": "sentence-similarity", "name": "Semantic textual similarity"}
UNCHANGED = ("language", "license", "license_name", "license_link")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What a published model says of itself beside its training; empty while it is not published.

    Attributes:
        name: of the model.
        version: of the release.
        repository: on the hub.
        metadata: language, license and further keys for the hub.
        description: what it is for, in Markdown.
        results: entries of ``model-index``: measured on benchmarks that it was not selected on.
        evaluation: the same in Markdown.
        limits: what it is not good for, in Markdown.
        licence: a sentence.
        citation: BibTeX, or a sentence.
    """

    name: str = ""
    version: str = ""
    repository: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    results: Sequence[Mapping[str, Any]] = ()
    evaluation: str = ""
    limits: str = ""
    licence: str = ""
    citation: str = ""

    @property
    def place(self) -> str:
        """What stands for the model in commands: its repository, or its folder."""
        return self.repository or "THIS FOLDER"


UNPUBLISHED = ModelFacts()
"""Of a model that was only trained."""


def card_page(
    record: Mapping[str, Any],
    facts: ModelFacts,
    *,
    title: str,
    description: Sequence[str],
    system: str,
    rows: Iterable[str],
    limits: Sequence[str],
    elsewhere: Sequence[str],
    sections: Sequence[str] = (),
    library: str = "similitude",
    percent: bool = False,
) -> str:
    """A card in Markdown, with the front matter that the Hugging Face hub reads.

    Args:
        record: the content of ``similitude.json``.
        facts: what the release adds.
        title: what the model does.
        description: what the model is.
        system: the name under which Similitude uses it.
        rows: of the table of the recipe.
        limits: what is not known of the model.
        elsewhere: how other libraries open it, or why they cannot.
        sections: lines between its use and its training.
        library: that others load it with.
        percent: whether figures are shown times 100.
    """
    lines = [
        *(front_matter(_metadata(record, facts, library)), ""),
        *(f"# {facts.name or title}", "", *([facts.description, ""] if facts.description else []), *description, ""),
        *("## Use", "", "```", f'similitude evaluate DATA -s "{system}({facts.place})"', "```", "", *elsewhere),
        *sections,
        *("", "## Training data", "", *_data(record["data"]), ""),
        *("## Training", "", "| what | value |", "| --- | --- |", *rows, ""),
        *("## Figures", "", *_figures(record, percent=percent), ""),
        *([facts.evaluation, ""] if facts.evaluation else []),
        *("## Limits", "", *([facts.limits, ""] if facts.limits else []), *limits, ""),
        *(f"- {note}" for note in record["notes"]),
        *(["", "## Licence", "", facts.licence] if facts.licence else []),
        *(["", "## Citation", "", facts.citation] if facts.citation else []),
    ]
    return (
        re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip()
        + f"\n\nTrained with Similitude {record['versions']['similitude']}.\n"
    )


def _metadata(record: Mapping[str, Any], facts: ModelFacts, library: str) -> dict[str, Any]:
    data = record["data"]
    base = record["backbone"] if _is_on_hub(record["backbone"]) else None
    named = [name for name in str(data["name"]).split(" + ") if HUB_NAME.fullmatch(name)]
    given = facts.metadata
    return {
        "language": given.get("language") or data.get("languages"),
        **{name: given[name] for name in UNCHANGED[1:] if name in given},
        "library_name": library,
        "pipeline_tag": "sentence-similarity",
        "base_model": base,
        "base_model_relation": "finetune" if base else None,
        "datasets": named,
        "tags": ["sentence-similarity", "semantic-textual-similarity", "similitude", *given.get("tags", ())],
        "model-index": _index(record, facts),
    }


def _is_on_hub(backbone: str) -> bool:
    return bool(HUB_NAME.fullmatch(backbone)) and not Path(backbone).exists()


def backbone_name(record: Mapping[str, Any]) -> str:
    """What the training started from: its name, without the folders of this machine.

    >>> backbone_name({"backbone": "/home/ann/models/minilm"}), backbone_name({"backbone": "owner/minilm"})
    ('minilm', 'owner/minilm')
    """
    written = str(record["backbone"])
    return Path(written).name if Path(written).is_absolute() or written.startswith(".") else written


def _index(record: Mapping[str, Any], facts: ModelFacts) -> list[dict[str, Any]]:
    """Figures for the hub: measured ones, or those on the validation items as long as there are no others.

    The hub reads no results without a figure, so data on which all are undefined are left out.
    """
    found = list(facts.results) or [
        {
            "task": TASK,
            "dataset": {"type": record["data"]["name"], "name": f"{record['data']['name']} (validation)"},
            "metrics": [
                {"type": name, "value": value} for name, value in record["validation"].items() if value is not None
            ],
        }
    ]
    results = [result for result in found if result["metrics"]]
    return [{"name": facts.name or str(record["data"]["name"]), "results": results}] if results else []


def _data(data: Mapping[str, Any]) -> Iterator[str]:
    facts = {
        "name": data["name"],
        "items": f"{data['items']:,}, validated on {data['validated_on']:,}",
        "languages": ", ".join(data.get("languages", ())),
        "licence": ", ".join(data.get("licences", ())),
        "judged by": ", ".join(dict.fromkeys(filter(None, data.get("judged_by", ())))),
        "fingerprint": ", ".join(_several(data.get("fingerprint", ()))),
    }
    yield from ("| what | value |", "| --- | --- |")
    yield from (f"| {name} | {value} |" for name, value in facts.items() if value)
    for reading in data.get("readings", ()):
        left_out = reading["rows"] - reading["kept"]
        rest = f", of which {left_out:,} were left out" if left_out > 0 else ""
        columns = ", ".join(f"{ours} = {theirs}" for ours, theirs in reading["columns"].items() if ours != theirs)
        told = f"read as {reading['layout']}, {reading['rows']:,} rows{rest}{f'; {columns}' if columns else ''}"
        yield f"| file | {reading['file']}: {told} |"


def _several(value: str | Sequence[str]) -> list[str]:
    return [value[:16]] if isinstance(value, str) else [each[:16] for each in value]


def _figures(record: Mapping[str, Any], *, percent: bool) -> Iterator[str]:
    """Validation figures with their intervals."""
    ends = record.get("validation_intervals", {})
    items = f"{record['data']['validated_on']:,} validation items"
    level = f" In brackets the {ends['level']:.0%} interval (jackknife over items)." if ends else ""
    yield f"On the {items}{', times 100' if percent else ''}. {SELECTED}{level}"
    yield ""
    yield from ("| measure | value |", "| --- | ---: |")
    for name, value in record["validation"].items():
        low, high = ends.get(name, (None, None))
        interval = "" if low is None else f" [{_number(low, percent)}, {_number(high, percent)}]"
        yield f"| {name} | {_number(value, percent)}{interval} |"


def _number(value: float | None, percent: bool) -> str:
    if value is None:
        return "undefined"
    return f"{100 * value:z.1f}" if percent else f"{value:z.3f}"


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
    return ", ".join(f"{name} {_number(value, percent)}" for name, value in figures.items())


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
