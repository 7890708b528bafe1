"""A function as a system: of one pair, ``f(left, right)``, or of two lists, ``f(lefts, rights)``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.errors import PredictionError, SimilitudeError
from similitude.systems.objects.function_form import Pair, Reading, reading_of
from similitude.systems.objects.function_signature import NO_SIGNATURE, FunctionSignature, Takes
from similitude.systems.objects.object_system import ObjectSystem
from similitude.systems.score_numbers import NotNumbersError, one_number, score_numbers

__all__ = ["FunctionSystem"]

_SEARCH_SECONDS = 2.0
"""So long is searched for the pair on which a function of lists fails."""
_TOLD_PAIRS = 1000
"""Progress is told every so many pairs."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FunctionSystem(ObjectSystem):
    """A function. One of pairs is called once for each distinct pair, one of lists once with all pairs.

    Attributes:
        takes: pairs or lists, if the user said so or the signature tells; otherwise found out on the first call.
        signature: which of context and condition it reads.
        found: how it is to be called, once that was found out.
    """

    takes: Takes | None = None
    signature: FunctionSignature = NO_SIGNATURE
    found: list[Reading] = field(default_factory=list, repr=False)

    summary: ClassVar[str] = "a function in Python"

    @property
    def reads(self) -> frozenset[str]:
        """Context and condition, if the function has parameters of these names."""
        return frozenset(self.signature.extra)

    def score(self, items: Items) -> Predictions:
        """One number per item, in order.

        Raises:
            PredictionError: the function raises, or gives something that is not one number each.
            ArgumentError: it may take pairs or lists, with different results.
        """
        self.note_unknown_state(self.state().unknown_because)
        pairs = list(self._pairs(items))
        if not pairs:
            return Predictions(np.empty(0))
        reading = self._reading(pairs)
        if reading.takes == "lists":
            return Predictions(self._of_lists(pairs, items.ids))
        return Predictions(self._of_pairs(pairs, items.ids, reading.refused))

    def _pairs(self, items: Items) -> Iterator[Pair]:
        columns: dict[str, list[Any]] = {}
        if self.signature.extra:
            columns = {"context": items.contexts, "condition": items.conditions}
        extra = [[_hashable(value) for value in columns[name]] for name in self.signature.extra]
        rows = zip(*extra, strict=True) if extra else iter(() for _ in range(len(items)))
        return map(Pair, items.lefts, items.rights, rows)

    def _reading(self, pairs: Sequence[Pair]) -> Reading:
        known = self.takes or self.signature.takes
        if known is not None:
            return Reading(known)
        if not self.found:
            self.found.append(reading_of(self._call, pairs, self.called))
        return self.found[0]

    def _call(self, takes: Takes, pairs: Sequence[Pair]) -> Any:
        """Call the function with the first pair, or with lists."""
        names = self.signature.extra.values()
        if takes == "pairs":
            left, right, extra = pairs[0]
            return self.thing(left, right, **dict(zip(names, map(_listed, extra), strict=True)))
        columns = {name: [_listed(pair.extra[place]) for pair in pairs] for place, name in enumerate(names)}
        return self.thing([pair.left for pair in pairs], [pair.right for pair in pairs], **columns)

    def _of_pairs(self, pairs: Sequence[Pair], ids: Sequence[str], refused: Exception | None) -> NDArray[np.float64]:
        """One call for each distinct pair."""
        known: dict[Pair, float] = {}
        for place, pair in enumerate(pairs):
            if pair in known:
                continue
            try:
                known[pair] = one_number(self._call("pairs", (pair,)))
            except NotNumbersError as error:
                raise self._not_a_number(f"gave {error}", ids[place], pair, refused) from refused
            except SimilitudeError:
                raise
            except Exception as error:
                raise self._raised(error, ids[place], pair, refused if not known else None) from error
            if len(known) % _TOLD_PAIRS == 0:
                self.listener.progress("comparing", place + 1, len(pairs))
        return np.array([known[pair] for pair in pairs], np.float64)

    def _of_lists(self, pairs: Sequence[Pair], ids: Sequence[str]) -> NDArray[np.float64]:
        """One call with all pairs."""
        start = time.monotonic()
        try:
            said = self._call("lists", pairs)
        except SimilitudeError:
            raise
        except Exception as error:
            taken = time.monotonic() - start
            place = _culprit(lambda part: self._call("lists", part), pairs) if taken < _SEARCH_SECONDS else None
            raise self._raised(error, *((ids[place], pairs[place]) if place is not None else ())) from error
        try:
            return score_numbers(said, len(pairs))
        except NotNumbersError as error:
            if error.position is not None:
                raise self._not_a_number(f"gave {error}", ids[error.position], pairs[error.position]) from None
            raise self._not_a_number(f"gave {error}") from None

    def _not_a_number(
        self, what: str, item: str = "", pair: Pair | None = None, refused: Exception | None = None
    ) -> PredictionError:
        is_lists = (self.takes or self.signature.takes or self.found[0].takes) == "lists"
        remedy = "return a list, an array or a tensor of one number for each pair" if is_lists else "return one number"
        return PredictionError(
            f"{what}{_about(item, pair)}{_refusal(refused)}", where=f"system '{self.called}'", remedy=remedy
        )

    def _raised(
        self, error: Exception, item: str = "", pair: Pair | None = None, refused: Exception | None = None
    ) -> PredictionError:
        what = f"raised {_written(error)}{_about(item, pair)}{_refusal(refused)}"
        remedy = 'mend the function; takes="pairs" or takes="lists" in sim.system(f, ...) says how to call it'
        return PredictionError(what, where=f"system '{self.called}'", remedy=remedy)


def _culprit(call: Callable[[Sequence[Pair]], Any], pairs: Sequence[Pair]) -> int | None:
    """The place of a pair on which a function of lists fails alone, by halves; None if it was not found in time."""
    first, last, start = 0, len(pairs), time.monotonic()
    while last - first > 1:
        middle = (first + last) // 2
        if time.monotonic() - start > _SEARCH_SECONDS:
            return None
        if _fails(call, pairs[first:middle]):
            last = middle
        else:
            first = middle
    return first if _fails(call, pairs[first:last]) else None


def _fails(call: Callable[[Sequence[Pair]], Any], pairs: Sequence[Pair]) -> bool:
    try:
        call(pairs)
    except Exception:
        return True
    return False


def _about(item: str, pair: Pair | None) -> str:
    return "" if pair is None else f" for item '{item}' ({_short(pair.left)}, {_short(pair.right)})"


def _refusal(refused: Exception | None) -> str:
    return "" if refused is None else f"; with lists of texts it raised {_written(refused)}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _written(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
