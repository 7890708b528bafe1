"""What an endpoint supports: tested once; fields that it refused are left out of later requests."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from similitude.models.language.endpoint.constraints import Technique

__all__ = ["Support"]

_NOTES = {
    "temperature": "the endpoint accepts no temperature: answers are sampled at its default",
    "top_p": "the endpoint accepts no top_p: answers are sampled from all tokens",
    "seed": "the endpoint accepts no seed: answers cannot be reproduced",
    "stop": "",  # answers are cut at the stop texts here
    "logprobs": "the endpoint returns no token probabilities",
}
_FEWER = {20: 5, 5: 0}
"""How many alternatives to request next if so many are refused: the maximum is 20 in OpenAI's chat API and 5 in its
completions API.
"""


@dataclass
class Support:
    """What is known so far about one endpoint.

    Attributes:
        answered: whether it has ever answered.
        limit: the name of the field for the maximum length of an answer.
        alternatives: maximum alternatives to the first token; 0 if it returns no probabilities.
        refused: the fields that it does not accept.
        techniques: how answers are restricted, by whether alternatives are wanted too.
        likelihoods: whether it returns likelihoods of given texts; None if not tested.
        counts: whether it counts tokens; None if not tested.
    """

    answered: bool = False
    limit: str = "max_tokens"
    alternatives: int = 20
    refused: frozenset[str] = frozenset()
    techniques: dict[bool, Technique] = field(default_factory=dict)
    likelihoods: bool | None = None
    counts: bool | None = None

    def state(self) -> object:
        """A value that changes when something is learned that changes requests."""
        return self.limit, self.alternatives, self.refused

    def learn(self, message: str, body: dict[str, object]) -> str | None:
        """Leave out the field that the endpoint names in its refusal.

        Args:
            message: the endpoint's message.
            body: the request.

        Returns:
            A message for the user; None if nothing was learned.
        """
        if self.limit in body and self.limit == "max_tokens" and re.search(r"\bmax_(completion_)?tokens\b", message):
            self.limit = "max_completion_tokens"
            return ""
        if "logprobs" in body and re.search(r"logprobs", message):
            self.alternatives = _FEWER.get(self.alternatives, 0)
            return "" if self.alternatives else _NOTES["logprobs"]
        for name in ("temperature", "top_p", "seed", "stop"):
            if name in body and re.search(rf"\b{name}\b", message):
                self.refused |= {name}
                return _NOTES[name]
        return None
