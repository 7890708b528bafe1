"""The card of any trained model, by the kind of system that its record names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from similitude.errors import ArgumentError
from similitude.training.card_page import ModelFacts
from similitude.training.conditional.card import similarity_card
from similitude.training.gaussian_process.card import gpr_card
from similitude.training.uncertain.card import opinion_card

__all__ = ["model_card", "system_of"]

CARDS: Final[dict[str, Callable[[dict[str, Any], ModelFacts], str]]] = {
    "conditional": similarity_card,
    "uncertain": opinion_card,
    "gpr": gpr_card,
}


def system_of(record: dict[str, Any]) -> str:
    """The system that opens the model of a record: conditional, uncertain or gpr."""
    return str(record.get("system", "conditional"))


def model_card(record: dict[str, Any], facts: ModelFacts) -> str:
    """The card in Markdown, from the content of ``similitude.json`` and what the release adds.

    Raises:
        ArgumentError: the record names no kind of model that has a card.
    """
    name = system_of(record)
    if name not in CARDS:
        raise ArgumentError(f"there is no card for a model of '{name}'", remedy=f"known: {', '.join(CARDS)}")
    return CARDS[name](record, facts)
