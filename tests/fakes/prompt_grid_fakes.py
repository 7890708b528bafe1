"""Language models of which everything is known, and data to ask them about; shared with the tests of reports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripted_model import ScriptedModel

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.writing.benchmark import write
from similitude.models.language.protocol import Likelihood, ModelAnswer, ModelChoice, ModelQuestion

GOLD = {(1, "first"): 1.0, (1, "second"): 5.0, (2, "first"): 2.0, (2, "second"): 4.0} | {
    (3, "first"): 1.5,
    (3, "second"): 3.5,
    (4, "first"): 2.5,
    (4, "second"): 4.5,
}
"""By pair and condition. Pairs 5 to 8 are examples."""


class Fake(ScriptedModel):
    """A scripted model with a name, for which every prompt has 10 tokens, every answer 2 and every option 1."""

    def __init__(
        self,
        name: str,
        says: Callable[[ModelQuestion], str] = lambda question: "3",
        weighs: Callable[[ModelChoice], Sequence[float]] | None = None,
    ) -> None:
        super().__init__(says=lambda question: ModelAnswer(says(question), 10, 2), weighs=weighs, name=name)

    def likelihoods(
        self, choices: Sequence[ModelChoice], listener: Any = None
    ) -> Iterator[tuple[int, tuple[Likelihood, ...]]]:
        for place, weights in super().likelihoods(choices, listener):
            yield place, tuple(each._replace(tokens=1) for each in weights)


def install(monkeypatch, *models: Fake) -> None:
    """From now on, these names mean these models."""
    known = {model.name: model for model in models}
    monkeypatch.setattr(
        "similitude.systems.prompted.language_model_system.open_language_model", lambda model, url, **how: known[model]
    )


def queried(question: ModelQuestion) -> tuple[int, str]:
    """Pair and condition of the last turn."""
    text = question.messages[-1].content
    return int(re.search(r"pair (\d+) left", text)[1]), re.search(r"first|second", text)[0]


def is_instructed(question: ModelQuestion) -> bool:
    return question.messages[0].role == "system"


def examples_in(question: ModelQuestion) -> int:
    return sum(message.role == "assistant" for message in question.messages)


def oracle() -> Fake:
    """Knows gold, once it is told what to do; else it has no idea."""
    return Fake("oracle", lambda question: f"{GOLD[queried(question)]:g}" if is_instructed(question) else "no idea")


def contrary() -> Fake:
    """Turns everything round; once it sees examples, it says 3 whatever is asked."""
    return Fake("contrary", lambda question: "3" if examples_in(question) else f"{6 - GOLD[queried(question)]:g}.")


def conditioned(folder: Path) -> Path:
    """Four pairs under two conditions to measure, four to draw examples from."""
    rows = [(pair, aspect) for pair in range(1, 9) for aspect in ("first", "second")]
    benchmark = Benchmark.from_columns(
        "conditioned",
        scale="1..5",
        id=[f"{pair}-{aspect}" for pair, aspect in rows],
        left=[f"pair {pair} left" for pair, _ in rows],
        right=[f"pair {pair} right {'word ' * pair}" for pair, _ in rows],
        condition=[aspect for _, aspect in rows],
        group=[f"p{pair}" for pair, _ in rows],
        split=["test" if pair <= 4 else "train" for pair, _ in rows],
        score=[GOLD.get(row, 3.0 if row[1] == "first" else 4.0) for row in rows],
    )
    return write(benchmark, folder / "conditioned.jsonl")


def picker() -> Fake:
    """Knows the best reply in a dialogue that it is told, else it takes whatever stands first."""
    gold = {(item.left, item.right): gold.score for item, gold in open_benchmark("sample:dialogues")}
    turns = {item.left: item.context[0] for item, _ in open_benchmark("sample:dialogues")}

    def weighs(choice: ModelChoice) -> Sequence[float]:
        prompt = choice.messages[-1].content
        left = next(text for text in turns if text in prompt)
        if turns[left] in prompt:
            return [gold[left, option.strip()] for option in choice.options]
        return [-float(place) for place in range(len(choice.options))]

    return Fake("picker", weighs=weighs)
