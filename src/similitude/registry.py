"""One generic registry: a name, written as users write it, to the thing that it names.

A thing is written ``name``, ``name@cut``, or ``name(argument, key=value)``: ``pearson``, ``ndcg@10``,
``hmean(pearson, f1_low)``, ``char-ngram-cosine(n=3)``. `parse` turns that text into a `Spec`, and
`Registry.make` turns a `Spec` into the thing. Other packages join by entry points in the registry's group.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

from similitude.errors import ArgumentError, UnknownNameError

__all__ = ["Registry", "Spec", "parse", "spec_of"]

T = TypeVar("T")

_HEAD = re.compile(r"^\s*(?P<name>[\w./:-]+?)\s*(?:@\s*(?P<at>\w+))?\s*(?:\((?P<inside>.*)\))?\s*$", re.DOTALL)
_KEYWORD = re.compile(r"^\s*([A-Za-z_]\w*)\s*=(.*)$", re.DOTALL)
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


@dataclasses.dataclass(frozen=True, slots=True)
class Spec:
    """A name with its arguments; ``str(spec)`` writes it back as a user would."""

    name: str
    at: int | str | None = None
    arguments: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        cut = "" if self.at is None else f"@{self.at}"
        inside = [_write(value) for value in self.arguments]
        inside += [f"{key}={_write(value)}" for key, value in self.keywords.items()]
        return f"{self.name}{cut}({', '.join(inside)})" if inside else f"{self.name}{cut}"


def parse(text: str) -> Spec:
    """Read ``name@cut(argument, key=value)``.

    >>> parse("char-ngram-cosine(n=3)")
    Spec(name='char-ngram-cosine', at=None, arguments=(), keywords={'n': 3})
    >>> str(parse("hmean( pearson,ndcg@10 )"))
    'hmean(pearson, ndcg@10)'
    """
    match = _HEAD.match(text)
    if match is None:
        raise ArgumentError(f"cannot read '{text}'", remedy="write name, name@cut or name(key=value, ...)")
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    for part in _split(match["inside"] or "", whole=text):
        keyword = _KEYWORD.match(part)
        if keyword:
            keywords[keyword[1]] = _value(keyword[2])
        else:
            arguments.append(_value(part))
    at = match["at"]
    return Spec(match["name"], int(at) if at and at.isdigit() else at, tuple(arguments), keywords)


def spec_of(thing: Any, name: str) -> Spec:
    """The spec that rebuilds a dataclass registered under ``name``: only what differs from the defaults."""
    keywords = {
        field.name: getattr(thing, field.name)
        for field in dataclasses.fields(thing)
        if field.init and field.repr and getattr(thing, field.name) != field.default
    }
    return Spec(name, None, (), keywords)


class Registry(Generic[T]):
    """Names of one kind of thing, each with the function or class that makes it."""

    def __init__(self, kind: str, group: str) -> None:
        self.kind = kind
        self._group = group
        self._makers: dict[str, Callable[..., T]] = {}
        self._aliases: dict[str, str] = {}
        self._looked_outside = False

    def register(self, name: str, *aliases: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
        """Decorate a class or function so that ``name`` makes one."""

        def remember(maker: Callable[..., T]) -> Callable[..., T]:
            self._makers[name] = maker
            self._aliases.update(dict.fromkeys(aliases, name))
            return maker

        return remember

    def names(self) -> list[str]:
        """All names, those of other packages included, in the order in which they joined."""
        self._look_outside()
        return list(self._makers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def maker(self, name: str) -> Callable[..., T]:
        """The function or class behind a name.

        Raises:
            UnknownNameError: nothing has that name; the message suggests the nearest.
        """
        key = name.lower()
        key = self._aliases.get(key, key)
        if key not in self._makers:
            self._look_outside()
        if key not in self._makers:
            raise UnknownNameError(self.kind, name, [*self._makers, *self._aliases])
        return self._makers[key]

    def parameters(self, name: str) -> str:
        """The arguments of what a name makes, with their defaults, as a user would write them."""
        return _parameters(self.maker(name))

    def make(self, written: str | Spec) -> T:
        """Make the thing that ``written`` names.

        Raises:
            UnknownNameError: nothing has that name.
            ArgumentError: the arguments do not fit the thing.
        """
        spec = parse(written) if isinstance(written, str) else written
        maker = self.maker(spec.name)
        keywords = dict(spec.keywords)
        if spec.at is not None:
            keywords["k"] = spec.at
        bound = _bind(maker, self.kind, spec, keywords)
        return maker(*bound.args, **bound.kwargs)

    def _look_outside(self) -> None:
        if self._looked_outside:
            return
        self._looked_outside = True
        from importlib.metadata import entry_points

        for point in entry_points(group=self._group):
            self._makers.setdefault(point.name, point.load())


def _bind(maker: Callable[..., Any], kind: str, spec: Spec, keywords: Mapping[str, Any]) -> inspect.BoundArguments:
    """Arguments by parameter, each checked against its annotation."""
    from pydantic import ConfigDict, TypeAdapter, ValidationError

    signature = inspect.signature(maker)
    remedy = f"arguments of '{spec.name}': {_parameters(maker) or 'none'}"
    try:
        bound = signature.bind(*spec.arguments, **keywords)
    except TypeError as error:
        raise ArgumentError(f"cannot make {kind} '{spec}': {error}", remedy=remedy) from None
    hints = typing.get_type_hints(maker.__init__ if inspect.isclass(maker) else maker)
    for name, value in bound.arguments.items():
        hint = hints.get(name, Any)
        if signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            hint = types.GenericAlias(tuple, (hint, ...))
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(hint, config=ConfigDict(strict=False))
            bound.arguments[name] = adapter.validate_python(value)
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            what = f"cannot make {kind} '{spec}': {name}={_write(value)} is not valid ({why.lower()})"
            raise ArgumentError(what, remedy=remedy) from None
    return bound


def _parameters(maker: Callable[..., Any]) -> str:
    fields = dataclasses.fields(maker) if dataclasses.is_dataclass(maker) else ()
    hidden = {field.name for field in fields if not field.repr}
    shown = [p for p in inspect.signature(maker).parameters.values() if p.name not in hidden]
    return ", ".join(_parameter(p) for p in shown)


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"{parameter.name}..."
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={_write(parameter.default)}"


_TOKEN = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|.""", re.DOTALL)
_DEPTH = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def _split(inside: str, *, whole: str) -> list[str]:
    """Parts between commas that stand outside any bracket or quotes."""
    parts, depth = [""], 0
    for token in _TOKEN.findall(inside):
        depth += _DEPTH.get(token, 0)
        if depth < 0 or token in ("'", '"'):
            raise ArgumentError(f"cannot read '{whole}'", remedy="brackets or quotes do not match")
        if token == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    if depth != 0:
        raise ArgumentError(f"cannot read '{whole}'", remedy="brackets or quotes do not match")
    return [part.strip() for part in parts if part.strip()]


def _value(text: str) -> Any:
    """A number, a quoted text, true, false, none; anything else is taken as plain text."""
    text = text.strip()
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def _write(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    return repr(value) if isinstance(value, str) and not _reads_back(value) else str(value)


def _reads_back(text: str) -> bool:
    """Whether a text can stand without quotes."""
    try:
        return parse(f"x({text})").arguments == (text,)
    except ArgumentError:
        return False
