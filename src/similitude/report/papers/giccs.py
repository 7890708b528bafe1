"""The tables of GiCCS: where the figures of a study stand in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from similitude.report.papers.template import Template

__all__ = ["TEMPLATES"]


def _choices() -> Iterator[Template]:
    """Table 6: accuracy by turns, with and without the dialogue; other ways to choose than the paper's are named."""
    names = {"dialogue=true": "w/ context", "dialogue=false": "w/o context"}
    how: dict[str, Any] = {"table": "Table 6", "column": "{part}, {dialogue}", "names": names}
    only: dict[str, Any] = {"measure": "accuracy"}
    yield Template(row="{model}", only={**only, "by": ("sum", "")}, **how)
    yield Template(row="{model}, by {by}", only=only, but={"by": ("sum", "")}, is_addition=True, **how)


def _agreement() -> Iterator[Template]:
    """Table 1: agreement by source and number of turns; the text adds alpha of everything."""
    only: dict[str, Any] = {"figure": "alpha", "of": "combined"}
    whole: dict[str, Any] = {**only, "source": "all", "turns": "all"}
    of_paper = {"data": "annotated"}
    how: dict[str, Any] = {"table": "Table 1", "row": "{source}, {turns}-turn", "but": {"turns": "all"}}
    yield Template(column="alpha", only=only, **how)
    yield Template(table="Table 1", row="overall", column="alpha", only={**whole, **of_paper})
    yield Template(table="Table 1", row="{data}", column="alpha", only=whole, but=of_paper, is_addition=True)
    for of in ("best", "worst"):
        yield Template(column=of, only={"figure": "strong_agreement", "of": of}, times=100, **how)


def _words() -> Iterator[Template]:
    """Table 2: words by turns and domain; RTTR and MTLD as means over turns, which comes closest (docs/words.md)."""
    columns: dict[str, dict[str, str]] = {
        "RTTR": {"figure": "rttr", "of": "text"},
        "MTLD": {"figure": "mtld", "of": "text"},
        "Tokens": {"figure": "tokens"},
        "Lemma": {"figure": "lemmas"},
        "Average turn length": {"figure": "turn_length"},
    }
    for column, only in columns.items():
        row, but = "{turns}-turn, {domain}", {"domain": "all"}
        yield Template(table="Table 2", row=row, column=column, only=only, but=but)


def _halves() -> Iterator[Template]:
    """Table 3: split halves by source and number of turns; the text adds sources as a whole."""
    only: dict[str, Any] = {"figure": "split_half", "of": "spearman"}
    how: dict[str, Any] = {"table": "Table 3", "column": "Spearman"}
    yield Template(row="{source}, {turns}-turn", only=only, but={"turns": "all"}, **how)
    yield Template(row="{source}", only={**only, "turns": "all"}, but={"source": "all"}, **how)


DOUBTED = (
    "Die Innenstadt. / Das Restaurant kann auf dem Land oder in der Stadt sein.",
    "Wie weit ist das? / Wo befindet sich das Restaurant?",
)
"""Pairs on whose scores the expert does not agree."""

TEMPLATES: tuple[Template, ...] = (
    *_agreement(),
    *_words(),
    *_halves(),
    Template(table="Table 4", row="{of}", column="Calculated score", only={"figure": "score", "of": DOUBTED}),
    Template(
        table="Table 5",
        row="{system}",
        column="{measure}",
        names={"pearson": "Pearson", "spearman": "Spearman"},
    ),
    *_choices(),
)
