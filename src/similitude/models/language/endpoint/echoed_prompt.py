"""Likelihoods of given texts from the completions API: it echoes the prompt with each token's probability.

The prompt is read as plain text, without a chat template, since an endpoint does not say which it would use.
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
    """One request for all options of a choice.

    One token is written, because few servers take 0; it is not counted.

    Raises:
        ArgumentError: there is no prompt, so that the first token has no probability.
    """
    prompt = plain_text(choice.messages)
    if not prompt:
        raise ArgumentError("a choice has no prompt", remedy="give it some text that the options follow")
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
    """One likelihood an option.

    Raises:
        Unreadable: the response holds no probabilities of the prompt's tokens, or not for each option.
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
    """Of the tokens that lie in the option, or begin in the prompt and reach into it."""
    tokens: Sequence[str] = logprobs["tokens"]
    shift = "".join(tokens).find(prompt + option)
    if shift >= 0:  # not 0 where a token that begins every text is echoed too
        starts = [place - shift for place in accumulate(map(len, tokens), initial=0)]
    else:  # tokens that are parts of letters: their places are known to the server alone
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
