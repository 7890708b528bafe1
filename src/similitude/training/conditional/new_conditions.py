"""New conditions for rated pairs, from where the user says: other items, a file, or a language model."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np

from similitude.collect.candidates.written_conditions import write_conditions
from similitude.data.item import Items
from similitude.data.item_keys import PairKey, item_keys
from similitude.data.listeners import NamedListener
from similitude.data.protocols import AnswerCache, Listener, VectorCache
from similitude.errors import ArgumentError, InputError
from similitude.systems.prompted.named_model import named_language_model
from similitude.training.conditional.borrowed_conditions import borrowed_conditions
from similitude.training.conditional.similarity_teaching import SimilarityTeaching

__all__ = ["ConditionSource", "NewConditions", "read_condition_list"]


class NewConditions(NamedTuple):
    """Rated pairs under new conditions, and what the user should know."""

    items: Items
    notes: tuple[str, ...] = ()


class ConditionSource(NamedTuple):
    """What makes new conditions, with its caches.

    Attributes:
        teaching: how many, and where from.
        cache: where the encoder that finds near conditions keeps what it computes.
        answers: where a language model's answers are kept.
        listener: is told the progress.
    """

    teaching: SimilarityTeaching
    cache: VectorCache | None = None
    answers: AnswerCache | None = None
    listener: Listener | None = None

    def conditions(self, rated: Items, never: Items, rng: np.random.Generator) -> NewConditions:
        """Rated pairs under new conditions.

        Args:
            rated: the items to learn from.
            never: pairs that get none.
            rng: for all random choices.

        Raises:
            ArgumentError: there are too few conditions or pairs for this many.
            InputError: the file of conditions cannot be used.
        """
        teaching = self.teaching
        if teaching.language_model is not None:
            return self._written(teaching.language_model, rated, never, rng)
        listed = () if teaching.conditions_file is None else read_condition_list(teaching.conditions_file)
        count = teaching.conditions or 0
        return NewConditions(
            borrowed_conditions(
                rated,
                count,
                rng=rng,
                listed=listed,
                never=never,
                or_fewer=teaching.fewer_conditions,
                cache=self.cache,
                listener=self.listener,
            )
        )

    def _written(self, named: str, rated: Items, never: Items, rng: np.random.Generator) -> NewConditions:
        """Two conditions for each of some pairs, chosen at random."""
        out = set(_pairs(never))
        pairs = sorted(set(_pairs(rated)) - out)
        asked = self.teaching.conditions
        wanted = len(pairs) if asked is None else -(-asked // 2)
        if wanted > len(pairs):
            most = 2 * len(pairs)
            what = f"{asked:,} new conditions cannot be written for {len(pairs):,} pairs: there are two for each"
            raise ArgumentError(what, remedy=f"request at most {most:,}: --new-conditions {most}")
        chosen = {pairs[number] for number in rng.permutation(len(pairs))[:wanted].tolist()}
        system = named_language_model(named)
        model = system.language_model
        made = write_conditions(
            rated.take(np.flatnonzero([pair in chosen for pair in _pairs(rated)])),
            model,
            is_chat=system.form_for(model, by_likelihood=False) == "chat",
            answers=self.answers,
            listener=NamedListener(self.listener, name="conditions"),
        )
        return NewConditions(made.items, made.notes)


def _pairs(items: Items) -> list[PairKey]:
    return [pair for pair, _ in item_keys(items)]


def read_condition_list(path: str) -> list[str]:
    """Read conditions from a text file, one per line; blank lines and lines that start with # are ignored.

    Raises:
        InputError: the file cannot be read, or contains no condition.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        remedy = "name a text file with one condition per line, or a language model that writes them"
        raise InputError("the conditions cannot be read", where=path, remedy=remedy) from None
    found = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not found:
        raise InputError("the file contains no condition", where=path, remedy="write one condition per line")
    return found
