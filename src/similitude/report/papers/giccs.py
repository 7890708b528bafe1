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
    yield Template(row="{model}, by {by}", only=only, but={"by": ("sum", "")}, **how)


TEMPLATES: tuple[Template, ...] = (
    Template(
        table="Table 5",
        row="{system}",
        column="{measure}",
        names={"pearson": "Pearson", "spearman": "Spearman"},
    ),
    *_choices(),
)
