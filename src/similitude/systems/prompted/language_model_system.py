"""What systems that ask a language model share: where it is, who listens, what is kept, what changes the answers."""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from similitude.data.protocols import AnswerCache, Listener
from similitude.errors import ArgumentError, InputError
from similitude.models.encoders.loader import Dtype
from similitude.models.language.factory import open_language_model
from similitude.models.language.protocol import LanguageModel
from similitude.registry import Spec, spec_of
from similitude.systems.prompted.prompt_window import Overlong
from similitude.systems.prompted.prompts import Form
from similitude.systems.prompted.translations import Language, texts_fingerprint

__all__ = ["LanguageModelSystem", "file_fingerprint"]

Constrain = Literal["auto", "choice", "grammar", "schema", "plain"]
"""As an endpoint knows it; written again here, because to load what speaks to endpoints takes time."""

SCHEME = 1
"""Goes up when the same arguments come to mean other prompts or another reading of answers."""

_AT_ENDPOINT = (
    "key_variable",
    "concurrency",
    "requests_a_minute",
    "tokens_a_minute",
    "timeout",
    "retries",
    "window",
    "constrain",
    "scores_choices",
    "price_in",
    "price_out",
    "extra",
)
_NO_MATTER = ("concurrency", "requests_a_minute", "tokens_a_minute", "timeout", "retries", "price_in", "price_out")
"""To what is answered."""

_ON_THIS_MACHINE = ("revision", "device", "dtype", "tokens")


@dataclass(frozen=True)
class LanguageModelSystem:
    """A system around a language model.

    Attributes:
        model: its name at the endpoint, or a folder, a name on the hub or a GGUF file.
        url: of an OpenAI-compatible endpoint, such as ``http://localhost:8080/v1``; none for this machine.
        language: of the prompts: en, de or zh; none is that of each item, where we speak it, else English.
        format: "chat", or "text" for a model that only goes on writing; none is text for a model on this machine that
            has no chat template, else chat.
        overlong: what becomes of a prompt longer than the model's window: "refuse", or "truncate" by the rule of
            `similitude.systems.prompted.prompt_window`.
        seed: of all that is drawn.
        key_variable: the environment variable that holds the endpoint's key; none where it needs none.
        concurrency: requests under way at once.
        requests_a_minute: at most.
        tokens_a_minute: at most.
        timeout: seconds that one request may take.
        retries: of a request that failed for a reason that may pass.
        window: tokens that the endpoint's model reads and writes at most; none where that is unknown.
        constrain: how the endpoint holds answers to those allowed.
        scores_choices: whether the endpoint gives likelihoods of given texts; none to find out.
        price_in: of a million tokens read, in any currency.
        price_out: of a million tokens written.
        extra: further fields of each request.
        revision: of a model on the hub.
        device: as torch writes it.
        dtype: the precision to compute in.
        tokens: read at a time on this machine.
        answers: where answers are kept.
        listener: hears how far it is, and what the user should know.
        opened: a language model that is there already, in place of the one that the arguments name.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    model: str
    url: str | None = field(default=None, kw_only=True)
    language: Language | None = field(default=None, kw_only=True)
    format: Form | None = field(default=None, kw_only=True)
    overlong: Overlong = field(default="refuse", kw_only=True)
    seed: int = field(default=0, kw_only=True)
    key_variable: str | None = field(default="OPENAI_API_KEY", kw_only=True)
    concurrency: int = field(default=8, kw_only=True)
    requests_a_minute: float | None = field(default=None, kw_only=True)
    tokens_a_minute: float | None = field(default=None, kw_only=True)
    timeout: float = field(default=120.0, kw_only=True)
    retries: int = field(default=5, kw_only=True)
    window: int | None = field(default=None, kw_only=True)
    constrain: Constrain = field(default="auto", kw_only=True)
    scores_choices: bool | None = field(default=None, kw_only=True)
    price_in: float | None = field(default=None, kw_only=True)
    price_out: float | None = field(default=None, kw_only=True)
    extra: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)
    revision: str | None = field(default=None, kw_only=True)
    device: str | None = field(default=None, kw_only=True)
    dtype: Dtype = field(default="auto", kw_only=True)
    tokens: int | None = field(default=None, kw_only=True)
    answers: AnswerCache | None = field(default=None, kw_only=True, repr=False, compare=False)
    listener: Listener | None = field(default=None, kw_only=True, repr=False, compare=False)
    opened: LanguageModel | None = field(default=None, kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.seed < 0:
            raise ArgumentError(f"seed={self.seed} is not valid for '{self.name}'", remedy="give 0 or more")
        if self.opened is not None:
            return
        elsewhere = _AT_ENDPOINT if self.url is None else _ON_THIS_MACHINE
        wrong = [one.name for one in fields(self) if one.name in elsewhere and getattr(self, one.name) != one.default]
        if wrong:
            where, remedy = ("at an endpoint", "give") if self.url is None else ("on this machine", "leave out")
            what = f"cannot make system '{self.name}': {', '.join(wrong)} is for a model {where}"
            raise ArgumentError(what, remedy=f"{remedy} url, or leave out {', '.join(wrong)}")
        if self.url is not None:
            self._check_endpoint(self.url)

    def _check_endpoint(self, url: str) -> None:
        """At once, before identity is shown or written down: a key or a password may stand in the wrong place."""
        from similitude.models.language.endpoint.endpoint import Endpoint

        given = {name: getattr(self, name) for name in _AT_ENDPOINT if name != "extra"}
        Endpoint(model=self.model, url=url, **given)

    @property
    def identity(self) -> Spec:
        """The registered name, the model, and the arguments that differ from their defaults.

        How fast an endpoint is asked and what it costs are left out: they make it no other system.
        """
        keywords = dict(spec_of(self, self.name).keywords)
        for name in _NO_MATTER:
            keywords.pop(name, None)
        return Spec(self.name, None, (keywords.pop("model"),), keywords)

    @property
    def language_model(self) -> LanguageModel:
        """The model, opened."""
        if self.opened is not None:
            return self.opened
        names = _ON_THIS_MACHINE if self.url is None else _AT_ENDPOINT
        how = {name: getattr(self, name) for name in names}
        return open_language_model(self.model, self.url, is_text=self.format == "text", **how)

    def form_for(self, model: LanguageModel, *, by_likelihood: bool) -> Form:
        """Chat or text. An endpoint weighs plain texts only, whatever its model speaks."""
        if by_likelihood and self.url is not None:
            return "text"
        return self.format or ("chat" if getattr(model, "is_chat", True) else "text")

    def model_fingerprint(self) -> str:
        """Changes with the model, and with the files that prompts are made of."""
        facts = [self.name, SCHEME, self.language_model.key.fingerprint, self.material()]
        return hashlib.sha256(json.dumps(facts).encode("utf-8", "surrogatepass")).hexdigest()

    def material(self) -> list[str]:
        """What prompts are made of beyond items and arguments: our texts, and files that the arguments name."""
        return [texts_fingerprint()]

    def with_answers(self, answers: AnswerCache) -> Self:
        """The same system, looking there before it asks."""
        return replace(self, answers=answers)

    def with_listener(self, listener: Listener) -> Self:
        """The same system, telling this listener."""
        return replace(self, listener=listener)

    def with_model(self, model: LanguageModel) -> Self:
        """The same system around a language model that is there already, such as one of your own."""
        return replace(self, opened=model)

    def note(self, text: str) -> None:
        """Tell the listener, if there is one."""
        if self.listener is not None:
            self.listener.note(text)


def file_fingerprint(path: str) -> str:
    """A hash of a file's content.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        raise InputError("cannot be read", where=path, remedy="name a file that is there") from None
