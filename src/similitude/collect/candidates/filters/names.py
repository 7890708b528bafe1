"""Names in filters: columns that came with the pairs, features, columns of the texts, and systems."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.collect.candidates.features import FEATURES, Feature, PairColumn, PairScorer, SystemScore, TextColumn
from similitude.data.texts import TEXT_SCHEMA
from similitude.errors import ArgumentError, ExtensionError, UnknownNameError
from similitude.registry import Spec, parse

__all__ = ["Names"]

OWN_COLUMNS = tuple(name for name in TEXT_SCHEMA.names() if name not in ("id", "text", "context"))
COLUMN = "column"


@dataclass(frozen=True, slots=True)
class Names:
    """All that a filter can name.

    Attributes:
        pair_columns: columns that came with given pairs.
        text_columns: columns of the texts.
        scorer: knows the systems; None if there are none.
    """

    pair_columns: tuple[str, ...] = ()
    text_columns: tuple[str, ...] = OWN_COLUMNS
    scorer: PairScorer | None = None

    def feature(self, written: str) -> Feature:
        """The feature, the column or the system's score that a name means; arguments are looked up in the same way.

        Raises:
            UnknownNameError: nothing has that name.
            ArgumentError: the arguments do not fit, or the name means two things.

        >>> Names(pair_columns=("label",)).feature("label").meaning
        'a column that came with the pairs'
        """
        spec = parse(written)
        is_bare = str(spec) == spec.name
        if spec.name == COLUMN:
            return self._pair_column(spec)
        registered = self._registered(spec)
        if is_bare and spec.name in self.pair_columns:
            self._refuse_two_meanings(spec.name, registered)
            return PairColumn(spec.name)
        if registered is not None:
            self._refuse_missing_columns(registered)
            return registered.resolved(self.feature)
        if is_bare and spec.name in self.text_columns:
            return TextColumn(spec.name)
        return self._system(spec)

    def is_column(self, name: str) -> bool:
        """Whether a bare word names a column of the pairs."""
        return name in self.pair_columns

    def _registered(self, spec: Spec) -> Feature | None:
        try:
            FEATURES.maker(spec.name)
        except UnknownNameError:
            return None
        except ExtensionError:
            if self.scorer is None or ".py:" not in spec.name:
                raise
            return None  # a class in a file that is no feature may be a system
        try:
            return FEATURES.make(spec)
        except ArgumentError as error:
            is_bare = str(spec) == spec.name
            if spec.name in self.pair_columns and is_bare:
                return None  # sigma alone is a column, sigma(system) a feature
            if is_bare and (example := getattr(FEATURES.maker(spec.name), "example", None)):
                remedy = f"write it with arguments, as in {example}"
                raise ArgumentError(f"'{spec.name}' alone says too little", remedy=remedy) from error
            raise

    def _refuse_two_meanings(self, name: str, registered: Feature | None) -> None:
        if registered is not None and registered.kind == "number":
            what = f"'{name}' is a feature ({registered.meaning}) and a column that came with the pairs"
            raise ArgumentError(what, remedy=f"write column({name}), or rename the column to use the feature")

    def _refuse_missing_columns(self, feature: Feature) -> None:
        for column in feature.text_columns:
            if column not in self.text_columns:
                raise UnknownNameError("column of the texts", column, self.text_columns)

    def _pair_column(self, spec: Spec) -> Feature:
        name = ", ".join(map(str, spec.arguments))
        if name not in self.pair_columns:
            raise UnknownNameError("column of the pairs", name, self.pair_columns)
        return PairColumn(name, is_plain=False)

    def _system(self, spec: Spec) -> Feature:
        try:
            if self.scorer is not None:
                return SystemScore(str(spec), self.scorer.range_of(str(spec)))
        except UnknownNameError as error:
            if error.name != spec.name:
                raise  # a name among the arguments
        systems = () if self.scorer is None else self.scorer.names()
        known = {*FEATURES.names(), *self.pair_columns, *self.text_columns, *systems}
        raise UnknownNameError("feature, column or system", spec.name, known)
