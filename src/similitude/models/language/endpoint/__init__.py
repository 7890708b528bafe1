"""A language model behind any OpenAI-compatible endpoint.

::

    open_endpoint(
        model: str,                              # the model's name there
        *,
        url: str = "https://api.openai.com/v1",  # the base URL, including the version
        key_variable: str | None = "OPENAI_API_KEY",  # the environment variable with the key; None: no key
        api: "chat" | "completions" = "chat",    # completions: for base models without a chat format
        concurrency: int = 8,                    # concurrent requests
        requests_a_minute: float | None = None,
        tokens_a_minute: float | None = None,
        timeout: float = 120.0,                  # seconds per request
        retries: int = 5,                        # after failures that may be temporary
        window: int | None = None,               # context window in tokens; unknown unless given
        constrain: "auto" | "schema" | "choice" | "grammar" | "plain" = "auto",  # how `allowed` is enforced
        scores_choices: bool | None = None,      # whether it returns likelihoods; None: probe it
        price_in: float | None = None,           # per million tokens read
        price_out: float | None = None,          # per million tokens written
        extra: Mapping[str, Any] = {},           # extra fields of every request, e.g. {'reasoning_effort': 'low'}
    ) -> EndpointModel                           # a LanguageModel; `endpoint` holds the above, `usage` the totals

Nothing is requested, and no key is read, before the first question. The key appears in no field, error, log or file.
"""

from similitude.models.language.endpoint.endpoint import Api, Constrain, Endpoint
from similitude.models.language.endpoint.model import EndpointModel, open_endpoint
from similitude.models.language.endpoint.usage import Usage

__all__ = ["Api", "Constrain", "Endpoint", "EndpointModel", "Usage", "open_endpoint"]
