"""What an endpoint was found to take. Endpoints differ; each is asked once, and what it refused is left out after."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from similitude.models.language.endpoint.constraints import Technique

__all__ = ["Support"]

_NOTES = {
    "temperature": "the endpoint takes no temperature: answers are drawn at its own",
    "top_p": "the endpoint takes no top_p: answers are drawn from all tokens",
    "seed": "the endpoint takes no seed: asked anew, it would answer otherwise",
    "stop": "",  # answers are cut at these texts here
    "logprobs": "the endpoint gives no probabilities of tokens",
}
_FEWER = {20: 5, 5: 0}
"""Alternatives asked for next where so many are too many: 20 is the most at OpenAI's chat API, 5 at completions."""


@dataclass
class Support:
    """What is known so far of one endpoint.

    Attributes:
        answered: whether it ever answered.
        limit: what the longest answer is called.
        alternatives: of the first token at most; 0 where it gives no probabilities.
        refused: what it does not take.
        techniques: how answers are held to those allowed, by whether alternatives are wanted too.
        likelihoods: whether it gives likelihoods of given texts.
        counts: whether it counts tokens.
    """

    answered: bool = False
    limit: str = "max_tokens"
    alternatives: int = 20
    refused: frozenset[str] = frozenset()
    techniques: dict[bool, Technique] = field(default_factory=dict)
    likelihoods: bool | None = None
    counts: bool | None = None

    def state(self) -> object:
        """Changes when something was learned that changes requests."""
        return self.limit, self.alternatives, self.refused

    def learn(self, said: str, body: dict[str, object]) -> str | None:
        """Leave out what the endpoint names in its refusal.

        Args:
            said: the refusal.
            body: the request.

        Returns:
            What to tell the user; None where nothing was learned.
        """
        if self.limit in body and self.limit == "max_tokens" and re.search(r"\bmax_(completion_)?tokens\b", said):
            self.limit = "max_completion_tokens"
            return ""
        if "logprobs" in body and re.search(r"logprobs", said):
            self.alternatives = _FEWER.get(self.alternatives, 0)
            return "" if self.alternatives else _NOTES["logprobs"]
        for name in ("temperature", "top_p", "seed", "stop"):
            if name in body and re.search(rf"\b{name}\b", said):
                self.refused |= {name}
                return _NOTES[name]
        return None
