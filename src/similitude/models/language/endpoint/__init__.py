"""A language model behind any OpenAI-compatible endpoint.

::

    open_endpoint(
        model: str,                              # the model's name there
        *,
        url: str = "https://api.openai.com/v1",  # the base URL, up to and with its version
        key_variable: str | None = "OPENAI_API_KEY",  # the environment variable that holds the key; none: no key
        api: "chat" | "completions" = "chat",    # completions: for base models, which know no chat
        concurrency: int = 8,                    # requests under way at once
        requests_a_minute: float | None = None,
        tokens_a_minute: float | None = None,
        timeout: float = 120.0,                  # seconds for one request
        retries: int = 5,                        # of a request that failed for a reason that may pass
        window: int | None = None,               # tokens that the model reads and writes; unknown unless given
        constrain: "auto" | "schema" | "choice" | "grammar" | "plain" = "auto",  # how `allowed` is held to
        scores_choices: bool | None = None,      # whether likelihoods can be had; none: found out by asking
        price_in: float | None = None,           # of a million tokens read
        price_out: float | None = None,          # of a million tokens written
        extra: Mapping[str, Any] = {},           # more fields of every request, as in {'reasoning_effort': 'low'}
    ) -> EndpointModel                           # a LanguageModel; `endpoint` holds the above, `usage` the totals

Nothing is asked and no key is looked up before the first question. The key is in no field, error, log or file.
"""

from similitude.models.language.endpoint.endpoint import Api, Constrain, Endpoint
from similitude.models.language.endpoint.model import EndpointModel, open_endpoint
from similitude.models.language.endpoint.usage import Usage

__all__ = ["Api", "Constrain", "Endpoint", "EndpointModel", "Usage", "open_endpoint"]
