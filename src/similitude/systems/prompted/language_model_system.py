"""The base of systems with a language model: endpoint or local model, cache, listener, identity."""

# No postponed annotations here: the registry reads them off subclasses in other modules, which lack these names.
import hashlib
import json
import re
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
"""The same as in the endpoint package; repeated here because importing that package takes time."""

SCHEME = 3
"""Incremented when the same arguments lead to other prompts or to another parsing of answers."""

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
"""Arguments that do not change the answers."""

_ON_THIS_MACHINE = ("revision", "device", "dtype", "tokens")


@dataclass(frozen=True)
class LanguageModelSystem:
    """A system with a language model.

    Attributes:
        model: its name at the endpoint; on this machine a folder, a name on the hub or a GGUF file.
        url: the URL of an OpenAI-compatible endpoint, such as ``http://localhost:8080/v1``; None for this machine.
        language: the language of the prompts: en, de or zh; None for that of each item if supported, else English.
        format: "chat", or "text" for a model without a chat format; None is text for a local model without a chat
            template, else chat.
        overlong: what to do with a prompt that exceeds the context window: "refuse"; "truncate" by the rule of
            `similitude.systems.prompted.prompt_window`; or "skip" the item, which is counted and left out of figures.
        stop: texts that end an answer. None is an empty line for prompts that are plain text, else none.
        pattern: a regular expression that finds the score or the letter in an answer, before all other rules: its first
            group, or all that it matches.
        seed: the seed of all random draws.
        key_variable: the environment variable with the endpoint's key; None if it needs none.
        concurrency: maximum concurrent requests.
        requests_a_minute: maximum requests per minute.
        tokens_a_minute: maximum tokens per minute.
        timeout: maximum seconds per request.
        retries: retries after failures that may be temporary.
        window: the context window of the endpoint's model in tokens; None if unknown.
        constrain: how the endpoint restricts answers to the allowed ones.
        scores_choices: whether the endpoint returns likelihoods of given texts; None to test it.
        price_in: price per million tokens read, in any currency.
        price_out: price per million tokens written.
        extra: extra fields of each request.
        revision: the revision of a model on the hub.
        device: a torch device.
        dtype: the precision.
        tokens: tokens per row on this machine.
        answers: the cache of answers.
        listener: is told about progress, and gets notes for the user.
        opened: an existing language model, used instead of the one that the arguments name.
    """

    name: ClassVar[str]
    summary: ClassVar[str]

    model: str
    url: str | None = field(default=None, kw_only=True)
    language: Language | None = field(default=None, kw_only=True)
    format: Form | None = field(default=None, kw_only=True)
    overlong: Overlong = field(default="refuse", kw_only=True)
    stop: tuple[str, ...] | None = field(default=None, kw_only=True)
    pattern: str | None = field(default=None, kw_only=True)
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
        self._check_reading()
        if self.opened is not None:
            return
        elsewhere = _AT_ENDPOINT if self.url is None else _ON_THIS_MACHINE
        wrong = [one.name for one in fields(self) if one.name in elsewhere and getattr(self, one.name) != one.default]
        if wrong:
            where, remedy = ("at an endpoint", "give") if self.url is None else ("on this machine", "leave out")
            what = f"cannot make system '{self.name}': {', '.join(wrong)} applies to a model {where}"
            raise ArgumentError(what, remedy=f"{remedy} url, or leave out {', '.join(wrong)}")
        if self.url is not None:
            self._check_endpoint(self.url)

    def _check_reading(self) -> None:
        if self.stop is not None and not all(self.stop):
            raise ArgumentError(f"stop has an empty text for '{self.name}'", remedy="give texts, or stop=none")
        if self.pattern is not None:
            try:
                re.compile(self.pattern)
            except re.error as error:
                raise ArgumentError(
                    f"pattern '{self.pattern}' is not a regular expression: {error}",
                    remedy="write it as in pattern='Score: ([0-9.]+)'",
                ) from None

    def stops_for(self, form: Form) -> tuple[str, ...]:
        """The texts that end an answer to a prompt of this form."""
        if self.stop is not None:
            return self.stop
        return ("\n\n",) if form == "text" else ()

    @property
    def _pattern(self) -> re.Pattern[str] | None:
        return None if self.pattern is None else re.compile(self.pattern)

    def _check_endpoint(self, url: str) -> None:
        """Check the arguments early: the identity, which is displayed and stored, must not contain a key."""
        from similitude.models.language.endpoint.endpoint import Endpoint

        given = {name: getattr(self, name) for name in _AT_ENDPOINT if name != "extra"}
        Endpoint(model=self.model, url=url, **given)

    @property
    def identity(self) -> Spec:
        """The registered name, the model, and the arguments that differ from their defaults.

        Rate limits and prices are left out, since they do not change the system.
        """
        keywords = dict(spec_of(self, self.name).keywords)
        for name in _NO_MATTER:
            keywords.pop(name, None)
        return Spec(self.name, None, (keywords.pop("model"),), keywords)

    @property
    def language_model(self) -> LanguageModel:
        """The language model, not yet loaded."""
        if self.opened is not None:
            return self.opened
        names = _ON_THIS_MACHINE if self.url is None else _AT_ENDPOINT
        how = {name: getattr(self, name) for name in names}
        return open_language_model(self.model, self.url, is_text=self.format == "text", **how)

    def form_for(self, model: LanguageModel, *, by_likelihood: bool) -> Form:
        """The prompt format, chat or text. An endpoint scores only plain texts."""
        if by_likelihood and self.url is not None:
            return "text"
        return self.format or ("chat" if getattr(model, "is_chat", True) else "text")

    def model_fingerprint(self) -> str:
        """Hash of the model and of the files that prompts are built from."""
        facts = [self.name, SCHEME, self.language_model.key.fingerprint, self.material()]
        return hashlib.sha256(json.dumps(facts).encode("utf-8", "surrogatepass")).hexdigest()

    def material(self) -> list[str]:
        """Fingerprints of the files that prompts are built from: our texts, and files that the arguments name."""
        return [texts_fingerprint()]

    def with_answers(self, answers: AnswerCache) -> Self:
        """The same system with this cache of answers."""
        return replace(self, answers=answers)

    def with_listener(self, listener: Listener) -> Self:
        """The same system with this listener."""
        return replace(self, listener=listener)

    def with_model(self, model: LanguageModel) -> Self:
        """The same system with an existing language model, for example your own."""
        return replace(self, opened=model)

    def note(self, text: str) -> None:
        """Pass a note to the listener, if there is one."""
        if self.listener is not None:
            self.listener.note(text)


def file_fingerprint(path: str) -> str:
    """Hash of a file's contents.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError:
        raise InputError("cannot be read", where=path, remedy="name an existing file") from None
