"""Pages that the code writes itself: measures with formulas, systems, formats, keys of TOML files, and the API."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import build_docs
from website.api_pages import api_pages
from website.docstring_markdown import docstring_markdown
from website.toml_keys import toml_page

FAMILIES = {
    "correlation": "Correlation with gold",
    "error": "Errors on the gold scale",
    "cumulative_gain": "The top of one list",
    "grouped": "The top of each query's list",
    "classification": "Low and high pairs",
    "combination": "Combinations of two measures",
    "binary_labels": "Two labels, without a threshold",
    "threshold": "Two labels, at a learned threshold",
    "threshold_target": "Two labels, with a target or costs",
    "over_sources": "Means over sources",
    "distribution": "Predicted distributions",
}
"""The families of measures by the module that holds them."""
NOTATION = r"""
| symbol | meaning |
|---|---|
| $y_i$, $\hat{y}_i$ | gold score and prediction of item $i$; a bar is the mean over items |
| $n$ | number of items |
| $\sigma_i$, $\hat{\sigma}_i$ | standard deviation of people's ratings of item $i$, and the predicted one |
| $C$, $D$ | pairs of items that gold and system put into the same order, and into the opposite order |
| $T_y$, $T_{\hat{y}}$ | pairs of items that are tied only in gold, and only in the predictions |
| $m_i$, $m^{*}_i$ | gold at place $i$ as the system ranks the items, and in the best order; $k$ places count |
| $G$, $B_g$, $\hat{B}_g$ | groups; the best items of group $g$ in gold, and for the system |
| $\mathrm{TP}$, $\mathrm{FP}$ | true and false positives; for "low", pairs below the border are positive |
| $\mathrm{TN}$, $\mathrm{FN}$ | true and false negatives |
| $L(x)$, $b(x)$ | whether a score is low (or high); the bin of a score: low, middle or high |
| $F_{\mathrm{low}}$ | F1 of one class |
| $P$, $N$ | items with the positive and with the negative label |
| $[\ldots]$ | 1 if what stands in the brackets is true, else 0 |
| $a$, $b$ | the two measures that are combined |
| $m_s$, $n_s$, $S$ | the measure on source $s$, its number of items, and the sources |
| $\Phi$, $\varphi$ | distribution and density of the standard normal distribution |
| $\hat{c}(p)$, $\hat{c}_{\leq}(p)$ | share of gold inside the central interval of $p$, and below its quantile |
"""


def reference_pages() -> Iterator[tuple[str, str]]:
    """The path and the text of each page."""
    yield "reference/measures.md", measures_page()
    yield "reference/systems.md", systems_page()
    yield "reference/formats.md", formats_page()
    yield "reference/toml.md", toml_page()
    yield from api_pages()


def measures_page() -> str:
    """Every measure with its formula, range, direction, ties and where it is undefined."""
    from similitude.evaluate.measures import catalogue

    lines = ["# Measures, with formulas", _generated("the registry of measures"), MEASURES_INTRO, NOTATION]
    family = ""
    for measure in catalogue():
        own = type(measure).__module__.rpartition(".")[2]
        if own != family:
            family = own
            lines.append(f"## {FAMILIES.get(family, 'From other packages')}")
        lines += _measure(measure)
    return "\n\n".join(lines) + "\n"


MEASURES_INTRO = (
    "[Measures](../measures.md) explains how they are written, and [choosing](../choosing.md) which one fits a task. "
    "All formulas use these symbols:"
)


def _measure(measure: Any) -> Iterator[str]:
    better = "higher is better" if measure.higher_is_better else "lower is better"
    yield f"### `{measure}`"
    yield f"{measure.meaning[:1].upper()}{measure.meaning[1:]}."
    yield f"$$\n{measure.formula}\n$$"
    facts = {
        "Range": f"{build_docs.end(measure.low)} to {build_docs.end(measure.high)}; {better}",
        "Needs": ", ".join(sorted(measure.requires)) or "nothing but scores",
        "Ties": measure.on_ties,
        "Undefined where": measure.undefined,
        "Also written": ", ".join(f"`{name}`" for name in _aliases(measure)),
    }
    yield "\n".join(f"- **{name}:** {text}" for name, text in facts.items() if text)
    yield docstring_markdown(inspect.getdoc(type(measure)) or "")


def _aliases(measure: Any) -> list[str]:
    from similitude.evaluate.measures.catalogue import MEASURES

    return MEASURES.aliases(measure.name)


def systems_page() -> str:
    """Every system with its arguments."""
    from similitude.systems import SYSTEMS

    lines = ["# Systems and their arguments", _generated("the registry of systems"), SYSTEMS_INTRO]
    for name in SYSTEMS:
        maker, arguments = SYSTEMS.maker(name), SYSTEMS.parameters(name)
        lines.append(f"## `{name}`")
        if arguments:
            lines.append(f"```text\n{name}({arguments})\n```")
        lines.append(docstring_markdown(inspect.getdoc(maker) or ""))
    for head, path in SHARED.items():
        lines += [f"## {head}", _arguments(path)]
    return _linked("\n\n".join(lines)) + "\n"


SHARED = {
    "Arguments of every encoder": "similitude.systems.encoders.model_system.ModelSystem",
    "Arguments of every language model": "similitude.systems.prompted.language_model_system.LanguageModelSystem",
}
"""Classes whose arguments many systems have: docstrings name them by their internal paths."""
NOT_WRITTEN = ("cache", "listener", "answers", "opened")
"""Attributes of these classes that nobody writes as an argument."""
PLACES = {
    **{path: f"[{head[0].lower()}{head[1:]}](#{head.lower().replace(' ', '-')})" for head, path in SHARED.items()},
    "similitude.systems.encoders.input_text": "[encoders](../systems.md#encoders)",
    "similitude.systems.prompted.choice_template": "[multiple choice](../prompted.md#multiple-choice)",
    "similitude.systems.prompted.prompt_window": "[long prompts](../prompted.md#the-prompt)",
}
"""Where a reader finds what docstrings name by an internal path."""


def _arguments(path: str) -> str:
    """The attributes of a class, without those that nobody writes."""
    from pydoc import locate

    _, _, listed = docstring_markdown(inspect.getdoc(locate(path)) or "").partition("**Attributes**\n\n")
    return "\n".join(
        line for line in listed.splitlines() if not line.startswith(tuple(f"- `{n}`" for n in NOT_WRITTEN))
    )


def _linked(text: str) -> str:
    for path, place in PLACES.items():
        text = text.replace(f"`{path}`", place)
    return text


SYSTEMS_INTRO = (
    'A system is written with its arguments, as in `-s "char-ngram-cosine(n=3)"`. '
    "An argument without a default must be given. "
    "[Systems](../systems.md) explains how to choose one and how to bring your own."
)


def formats_page() -> str:
    """Every format of benchmarks and of judgements, and every recipe."""
    from similitude.data.reading.format import described
    from similitude.data.reading.judgements import JUDGEMENT_FORMATS

    heads = ("format", "recognised by", "what it is")
    judgements = ((f"`{name}`", how, what) for name, how, what in described(JUDGEMENT_FORMATS))
    parts = [
        "# Formats of files",
        _generated("the registries of formats and recipes"),
        "[Data](../data.md) explains how a file is recognised, and [judgements](../judgements.md) the same for raw "
        "answers. A layout of your own is a [recipe](../recipes.md).",
        "## Benchmarks",
        build_docs.formats(),
        "## Raw answers of people",
        build_docs.table(*heads, rows=judgements),
        "## Recipes that ship with Similitude",
        build_docs.recipes(),
        "## Checks",
        "What `similitude data check` looks for.",
        build_docs.checks(),
    ]
    return "\n\n".join(parts) + "\n"


def _generated(source: str) -> str:
    return f"*This page is written from {source} when the site is built.*"
