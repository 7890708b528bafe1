"""Systems that can be called on texts: ``sim.system("levenshtein")("one text", "another")``."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, System, Tells, UsesAnswers, UsesCache
from similitude.data.scale import Scale
from similitude.data.series_labels import refuse_other_order
from similitude.errors import ArgumentError, PredictionError
from similitude.registry import Spec
from similitude.systems.attach_cache import attach_chosen
from similitude.systems.catalogue import DEFAULT_SYSTEM, make_system
from similitude.systems.objects.function_signature import Takes
from similitude.systems.objects.object_kinds import UNNAMED, name_of, object_system
from similitude.systems.objects.object_system import ObjectSystem
from similitude.systems.objects.score_column import ScoreColumn
from similitude.systems.score_numbers import shown

__all__ = ["NamedSystem", "system"]

Texts = str | Sequence[str]


class NamedSystem:
    """A system with its name. Called with two texts it gives a number, with two lists an array.

    It is taken wherever systems are: ``sim.run(data, [sim.system(f, name="mine"), "levenshtein"])``.

    Attributes:
        inner_system: the system itself.
        label: the name that the user gave it, or that the object has by itself; empty without one.
        is_fitted: whether it learned from texts that the user gave it with `fitted_to`.
    """

    def __init__(self, inner: System, label: str = "", *, is_fitted: bool = False) -> None:
        self.inner_system = inner
        self.label = label
        self.is_fitted = is_fitted

    def __repr__(self) -> str:
        extent = "" if self.range is None else f", {self.range}"
        also = "".join(f", reads the {name}" for name in sorted(self.reads))
        return f"<system '{self.label or self.identity}'{extent}{also}>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner_system":
            raise AttributeError(name)
        return getattr(self.inner_system, name)

    @property
    def summary(self) -> str:
        """One line for listings."""
        return self.inner_system.summary

    @property
    def range(self) -> Scale | None:
        """The outputs that mean "nothing in common" and "the same meaning"."""
        return self.inner_system.range

    @property
    def reads(self) -> frozenset[str]:
        """Which of "context" and "condition" the system takes into account."""
        return self.inner_system.reads

    @property
    def identity(self) -> Spec:
        """The registered name and arguments, or the name of the object."""
        return self.inner_system.identity

    def score(self, items: Items) -> Predictions:
        """One prediction per item, in order."""
        return self.inner_system.score(items)

    def named(self, name: str) -> NamedSystem:
        """The same system under another name."""
        again: Any = self.inner_system
        if isinstance(again, ObjectSystem | ScoreColumn):
            again = replace(again, called=name)
        return NamedSystem(again, name, is_fitted=self.is_fitted)

    def fitted_to(self, texts: Sequence[str]) -> NamedSystem:
        """The system fitted to these texts, for one that needs it, such as tf-idf.

        Raises:
            ArgumentError: it needs no texts.
        """
        if not isinstance(self.inner_system, FitsTexts):
            raise ArgumentError(f"'{self.identity}' learns nothing from texts", remedy="call it as it is")
        return NamedSystem(self.inner_system.fit(_texts(texts, "given")), self.label, is_fitted=True)

    def __call__(
        self,
        left: Texts,
        right: Texts,
        *,
        condition: str | Sequence[str | None] | None = None,
        context: Sequence[str] | Sequence[Sequence[str] | None] | None = None,
    ) -> Any:
        """The similarity of two texts as a number, or of two lists of texts as an array.

        One text and a list: the text is compared with each of the list. A system that learns from texts, such as
        tf-idf, learns from those given here, and a warning says so; `fitted_to` lets it learn from others.

        Args:
            left: a text, or a list of texts.
            right: a text, or a list of texts.
            condition: the respect in which they are compared, for a system that reads it; one, or one for each pair.
            context: the turns of the dialogue that ends in ``left``, oldest first; one such list, or one for each pair.

        Raises:
            ArgumentError: the lists differ in length, something is no text, or the system does not read what is given.
            PredictionError: the system gives no number.
        """
        lefts, rights = _columns(left, right)
        items = self._items(lefts, rights, condition, context)
        scores = self._scores(items)
        return float(scores[0]) if isinstance(left, str) and isinstance(right, str) else scores

    def _items(self, lefts: list[str], rights: list[str], condition: Any, context: Any) -> Items:
        for name, value in (("condition", condition), ("context", context)):
            if value is not None and name not in self.reads:
                raise ArgumentError(f"'{self.label or self.identity}' reads no {name}", remedy=f"leave {name}= out")
        frame = Items.from_pairs(lefts, rights).frame
        conditions = [condition] * len(lefts) if condition is None or isinstance(condition, str) else list(condition)
        is_one = context is None or all(isinstance(turn, str) for turn in context)
        contexts = [context] * len(lefts) if is_one else list(context)
        for name, column in (("condition", conditions), ("context", contexts)):
            if len(column) != len(lefts):
                what = f"{len(column)} of {name}= for {len(lefts)} pairs"
                raise ArgumentError(what, remedy="give one for all pairs, or one for each")
        return Items(
            frame.with_columns(
                pl.Series("condition", conditions, dtype=pl.String),
                pl.Series("context", contexts, dtype=pl.List(pl.String)),
            )
        )

    def _scores(self, items: Items) -> NDArray[np.float64]:
        keeper = NoteKeeper()
        ready = self.inner_system
        if isinstance(ready, UsesCache | UsesAnswers):
            [ready] = attach_chosen([ready], "usual", "usual", keeper)
        ready = ready.with_listener(keeper) if isinstance(ready, Tells) else ready
        if isinstance(ready, FitsTexts) and not self.is_fitted:
            texts = items.texts()
            learned = f"'{self.identity}' learned from the {len(texts)} texts given"
            keeper.note(f"{learned}; .fitted_to(texts) lets it learn from more")
            ready = ready.fit(texts)
        scores = ready.score(items).scores
        for note in keeper.notes:
            if "computed anew" not in note:
                warnings.warn(note, stacklevel=3)
        lacking = np.flatnonzero(~np.isfinite(scores))
        if lacking.size:
            item = items[int(lacking[0])]
            what = f"gave {scores[lacking[0]]} for {item.left[:60]!r} and {item.right[:60]!r}"
            raise PredictionError(what, where=f"system '{self.label or self.identity}'", remedy="mend the system")
        return scores


def system(
    what: Any = DEFAULT_SYSTEM,
    *,
    name: str | None = None,
    takes: Takes | None = None,
    range: str | tuple[float, float] | Scale | None = None,
) -> NamedSystem:
    """A system: by its name with arguments, or made of a function, a model or scores.

    Args:
        what: a registered name, ``"char-ngram-cosine(n=3)"``; a function of one pair or of two lists; a
            ``SentenceTransformer``, ``CrossEncoder``, an object with ``encode(texts)`` or ``score(items)``; or scores.
        name: what tables call it. A function or method with a name, a class and a column of a table have one.
        takes: "pairs" for ``f(left, right)``, "lists" for ``f(lefts, rights)``; found out by default.
        range: the scores that mean "nothing in common" and "the same", "0..1" or (0, 1), if the object does not tell.

    Raises:
        ArgumentError: it is no system, or the arguments do not fit.
        UnknownNameError: nothing has that name.

    >>> system("levenshtein")("kitten", "sitting")
    0.5714285714285714
    >>> system(lambda a, b: len(set(a) & set(b)), name="letters")(["abc", "xy"], "bcd")
    array([2., 0.])
    """
    _check_options(name, takes)
    scale = _scale(range)
    if isinstance(what, NamedSystem | str | Spec):
        return _again(what, name, takes, scale)
    if hasattr(what, "inner_system"):  # a trained model
        return NamedSystem(what.inner_system, name or what.label)
    label = name or name_of(what)
    inner = object_system(what, label or UNNAMED, takes=takes, range=scale, is_named=bool(name))
    return NamedSystem(inner, label)


def _again(what: NamedSystem | str | Spec, name: str | None, takes: Takes | None, range: Scale | None) -> NamedSystem:
    """A registered system, or one that was made before.

    Raises:
        ArgumentError: it is told what only functions or objects are.
    """
    if takes is not None or range is not None:
        told = "takes" if takes is not None else "range"
        raise ArgumentError(f"{told}= is about objects, but '{what}' is a system already", remedy=f"leave {told}= out")
    if isinstance(what, NamedSystem):
        return what.named(name) if name else what
    return NamedSystem(make_system(what), name or "")


def _scale(range: Any) -> Scale | None:
    if range is None or isinstance(range, Scale):
        return range
    if isinstance(range, str):
        return Scale.parse(range)
    if isinstance(range, tuple | list) and len(range) == 2:
        return Scale.parse(f"{range[0]}..{range[1]}")
    raise ArgumentError(f"range={range!r} is no range", remedy='give both ends, as in range="0..1" or range=(0, 1)')


def _check_options(name: Any, takes: Any) -> None:
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise ArgumentError(f"name={name!r} is no name", remedy='give a text, such as name="mine"')
    if takes not in (None, "pairs", "lists"):
        raise ArgumentError(f"takes={takes!r} is not known", remedy='give takes="pairs" or takes="lists"')


def _columns(left: Any, right: Any) -> tuple[list[str], list[str]]:
    """Two columns of texts of the same length; one text stands for as many as the other side has.

    Raises:
        ArgumentError: something is no text, or the lengths differ.
    """
    lefts, rights = _texts(left, "left"), _texts(right, "right")
    if isinstance(left, str) and not isinstance(right, str):
        lefts = lefts * len(rights)
    elif isinstance(right, str) and not isinstance(left, str):
        rights = rights * len(lefts)
    if len(lefts) != len(rights):
        what = f"{len(lefts)} left texts and {len(rights)} right texts"
        raise ArgumentError(what, remedy="give lists of the same length, or one text and a list")
    refuse_other_order({"left": left, "right": right})
    return lefts, rights


def _texts(given: Any, side: str) -> list[str]:
    if isinstance(given, str):
        return [given]
    if given is None or isinstance(given, bytes | int | float) or not hasattr(given, "__iter__"):
        raise ArgumentError(f"the {side} side is {shown(given)}", remedy="give a text or a list of texts")
    texts = list(given)
    bad = next((place for place, text in enumerate(texts) if not isinstance(text, str)), None)
    if bad is not None:
        raise ArgumentError(f"{side} text {bad} is {shown(texts[bad])}", remedy="give texts alone")
    return [str(text) for text in texts]
