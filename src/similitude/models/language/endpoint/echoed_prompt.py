"""Likelihoods of given texts from the completions API, which echoes a prompt with the probability of each token.

The prompt is sent as plain text without a chat template, since an endpoint does not say which one it uses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from similitude.errors import ArgumentError
from similitude.models.language.endpoint.endpoint import Endpoint
from similitude.models.language.endpoint.failures import Unreadable
from similitude.models.language.endpoint.request_format import plain_text
from similitude.models.language.protocol import Likelihood, Message, ModelChoice

__all__ = ["PROBE_CHOICE", "echo_request", "read_likelihoods"]

PROBE_CHOICE = ModelChoice(messages=(Message("user", "One and one is"),), options=(" two", " three apples"))


def echo_request(endpoint: Endpoint, choice: ModelChoice) -> dict[str, Any]:
    """The request for all options of a choice.

    It asks for one new token, because few servers accept 0; that token is ignored.

    Raises:
        ArgumentError: the prompt is empty, so the first token has no probability.
    """
    prompt = plain_text(choice.messages)
    if not prompt:
        raise ArgumentError("a choice has no prompt", remedy="write a prompt for the options to follow")
    return {
        "model": endpoint.model,
        "prompt": [prompt + option for option in choice.options],
        "echo": True,
        "logprobs": 1,
        "max_tokens": 1,
        "temperature": 0,
        **endpoint.extra,
    }


def read_likelihoods(response: Mapping[str, Any], choice: ModelChoice) -> tuple[Likelihood, ...]:
    """One likelihood per option.

    Raises:
        Unreadable: the response lacks the probabilities of the prompt's tokens, or lacks an option.
    """
    try:
        results = sorted(response["choices"], key=lambda result: int(result.get("index", 0)))
        prompt = plain_text(choice.messages)
        return tuple(
            _likelihood(result["logprobs"], prompt, option)
            for result, option in zip(results, choice.options, strict=True)
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"no likelihoods in it, {type(error).__name__}") from None


def _likelihood(logprobs: Mapping[str, Any], prompt: str, option: str) -> Likelihood:
    """Likelihood of the tokens that lie in the option, or that start in the prompt and extend into it."""
    tokens: Sequence[str] = logprobs["tokens"]
    shift = "".join(tokens).find(prompt + option)
    if shift >= 0:  # not 0 if the beginning-of-text token is echoed too
        starts = [place - shift for place in accumulate(map(len, tokens), initial=0)]
    else:  # tokens that are parts of characters: only the server knows their offsets
        starts = [*logprobs["text_offset"], len(prompt) + len(option)]
    begin, end = len(prompt), len(prompt) + len(option)
    inside = [
        value
        for value, first, last in zip(logprobs["token_logprobs"], starts[:-1], starts[1:], strict=True)
        if last > begin and first < end
    ]
    if not inside:
        raise Unreadable("the prompt is not echoed")
    return Likelihood(float(sum(inside)), len(inside), len(option))
