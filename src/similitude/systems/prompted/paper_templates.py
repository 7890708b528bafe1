"""The prompts of the papers, by name.

``csts-none``, ``csts-short``, ``csts-long``
    Deshpande et al. (2023), C-STS, Figures 5 and 6: the whole prompt is one text, and examples write scores as ``4.0``.
    The figures break their lines where the column ends; the prompts do not.
``giccs``
    GiCCS, Figure 2: the German multiple-choice question. Its options are in the order of the file (``orders=file``).
"""

from __future__ import annotations

import hashlib
from importlib import resources
from typing import Literal, NamedTuple

from similitude.errors import ArgumentError

__all__ = ["PAPER_TEMPLATES", "PaperTemplate", "paper_template", "template_fingerprint"]

Asks = Literal["scores", "choice"]


class PaperTemplate(NamedTuple):
    """A prompt of a paper.

    Attributes:
        name: its name.
        asks: whether it asks for a score or for a choice.
        source: where the paper shows it.
        score_digits: digits after the point of the scores of examples.
    """

    name: str
    asks: Asks
    source: str
    score_digits: int = 1

    @property
    def text(self) -> str:
        """The template as a user would write it."""
        return (resources.files("similitude.systems.prompted") / "templates" / f"{self.name}.txt").read_text("utf-8")


PAPER_TEMPLATES: dict[str, PaperTemplate] = {
    template.name: template
    for template in (
        PaperTemplate("csts-none", "scores", "C-STS, Figures 5 and 6, without instructions"),
        PaperTemplate("csts-short", "scores", "C-STS, Figure 5"),
        PaperTemplate("csts-long", "scores", "C-STS, Figure 6"),
        PaperTemplate("giccs", "choice", "GiCCS, Figure 2"),
    )
}


def paper_template(name: str, asks: Asks) -> PaperTemplate | None:
    """The template of a paper; None if no paper's has that name.

    Raises:
        ArgumentError: it asks for something else.
    """
    found = PAPER_TEMPLATES.get(name)
    if found is not None and found.asks != asks:
        fitting = ", ".join(one.name for one in PAPER_TEMPLATES.values() if one.asks == asks)
        what = f"template '{name}' asks for {'a choice' if found.asks == 'choice' else 'scores'}"
        raise ArgumentError(what, remedy=f"use one of: {fitting}, or a file of your own")
    return found


def template_fingerprint(name: str) -> str | None:
    """Hash of a paper's template; None if no paper's has that name."""
    found = PAPER_TEMPLATES.get(name)
    return None if found is None else hashlib.sha256(found.text.encode()).hexdigest()
