"""Systems of one's own: what they must have, and what is filled in where they leave it out.

A class with ``score(items)`` is enough. Where they are not written, a system gets

- ``identity``: the registered name and its arguments (fields of a dataclass, or parameters of ``__init__`` that are
  kept under their own names);
- ``range``: None, so that its scores are on no known scale until they are calibrated;
- ``reads``: nothing beyond the two texts;
- ``summary``: the first line of the docstring.

``score`` may return `Predictions`, or anything that numpy reads as one number an item.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Any, cast

from similitude.data.prediction import Predictions
from similitude.data.protocols import System
from similitude.data.scale import Scale
from similitude.errors import ExtensionError, PredictionError, SimilitudeError
from similitude.models.loaded_model import ModelChangedError
from similitude.registry import READ, Maker, Spec, spec_of
from similitude.systems.score_numbers import NotNumbersError, score_numbers

__all__ = ["adopted", "complete_system", "has_own_identity", "lacks_of_system"]


def lacks_of_system(name: str, maker: Maker) -> Iterator[str]:
    """What a class of systems must have and has not; a function is looked at when it has made one."""
    if not inspect.isclass(maker):
        return
    needed = {
        "identity": "the name and arguments that rebuild it",
        "range": "where its scores begin and end, or None",
        "reads": 'which of "context" and "condition" it takes into account',
        "summary": "one line for listings",
    }
    if not callable(getattr(maker, "score", None)):
        yield "has no method score(self, items), which gives one number an item"
        return
    yield from (
        f"has no {attribute}: {meaning}" for attribute, meaning in needed.items() if not hasattr(maker, attribute)
    )


def complete_system(name: str, maker: Maker) -> None:
    """Fill in what a class of systems leaves out, as `functools.total_ordering` does; a function is left alone."""
    kind: Any = maker
    if not inspect.isclass(maker) or not callable(getattr(kind, "score", None)):
        return
    defaults: dict[str, Any] = {
        "identity": _Identity(),
        "range": None,
        "reads": frozenset(),
        "summary": (inspect.getdoc(maker) or maker.__name__).partition("\n")[0],
    }
    for attribute, default in defaults.items():
        if not hasattr(kind, attribute):
            setattr(kind, attribute, default)
    if ".py:" in name or not hasattr(kind, "name"):
        kind.name = name
    kind.registered_name = name
    if not hasattr(kind.score, "returns_predictions"):
        kind.score = _predicting(kind.score)


def adopted(system: Any, *, name: str | None = None) -> System:
    """A system, whoever wrote it, with what it leaves out filled in.

    Args:
        system: an object with ``score``.
        name: what to call it, where it was not made from its name.

    Raises:
        ExtensionError: something is missing that cannot be filled in.
    """
    kind: Any = type(system)
    if kind.__module__.startswith("similitude."):
        return cast(System, system)
    if not hasattr(kind, "registered_name") or not hasattr(kind.score, "returns_predictions"):
        complete_system(name or kind.__name__, kind)
    lacks = list(lacks_of_system(kind.__name__, kind))
    if lacks:
        where = f"{kind.__module__}:{kind.__qualname__}"
        raise ExtensionError(f"is no system: it {'; it '.join(lacks)}", where=where, remedy=READ)
    _check_values(kind.registered_name, system)
    return cast(System, system)


def _check_values(name: str, system: Any) -> None:
    """Check that a system says in our types where its scores begin and end, and what it reads.

    Raises:
        ExtensionError: it says something else.
    """
    if not isinstance(system.range, Scale | None):
        remedy = "write range = similitude.Scale(low=0, high=1), or None if the ends are not known"
        raise ExtensionError(f"its range {system.range!r:.60} is no Scale", where=f"system '{name}'", remedy=remedy)
    if isinstance(system.reads, str) or not set(system.reads or ()) <= {"context", "condition"}:
        remedy = 'write reads = frozenset({"condition"}), with what it reads of "context" and "condition"'
        raise ExtensionError(f"reads {system.reads!r:.60} is not known", where=f"system '{name}'", remedy=remedy)


def has_own_identity(system: Any) -> bool:
    """Whether a system says itself by which name and arguments it can be made again."""
    return "identity" in getattr(system, "__dict__", {}) or not isinstance(
        inspect.getattr_static(type(system), "identity", None), _Identity | None
    )


class _Identity:
    """As a property; but a system may keep an identity of its own, which then counts."""

    def __get__(self, system: Any, kind: type | None = None) -> Any:
        return self if system is None else _identity(system)


def _identity(system: Any) -> Spec:
    """Name and arguments, of a dataclass or of a class that keeps its arguments under their names."""
    name = type(system).registered_name
    if dataclasses.is_dataclass(system):
        return spec_of(system, name)
    parameters = inspect.signature(type(system)).parameters.values()
    lost = [each.name for each in parameters if not hasattr(system, each.name)]
    if lost:
        raise ExtensionError(
            f"system '{name}' does not keep its argument '{lost[0]}', so its run could not be rebuilt",
            remedy=f"keep it as self.{lost[0]}, make the class a dataclass, or give it a property 'identity'",
        )
    given = {each.name: getattr(system, each.name) for each in parameters}
    return Spec(
        name, None, (), {each.name: given[each.name] for each in parameters if given[each.name] != each.default}
    )


def _predicting(score: Callable[..., Any]) -> Callable[..., Predictions]:
    """The method, with whatever it returns as predictions."""

    @functools.wraps(score)
    def wrapped(self: Any, items: Any) -> Predictions:
        try:
            said = score(self, items)
        except (SimilitudeError, ModelChangedError):
            raise
        except Exception as error:
            what = f"score() raised {type(error).__name__}: {error}"
            raise PredictionError(what, where=f"system '{self.identity}'", remedy="mend the system") from error
        return said if isinstance(said, Predictions) else _predictions(said, str(self.identity), len(items))

    wrapped.returns_predictions = True  # type: ignore[attr-defined]
    return wrapped


def _predictions(said: Any, name: str, count: int) -> Predictions:
    """One number an item, out of a list, an array, a tensor or a column.

    Raises:
        PredictionError: it is something else.
    """
    try:
        return Predictions(score_numbers(said, count))
    except NotNumbersError as error:
        what = f"score() gave {error}" if error.position is None else f"score() gave {error} for item {error.position}"
        remedy = "return a list or an array of one number an item, or Predictions"
        raise PredictionError(what, where=name, remedy=remedy) from None
