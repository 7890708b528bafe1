"""The plan of a search for candidates: which texts, how they are paired, which pairs are kept and drawn.

::

    name = "captions"
    seed = 1

    [texts]
    data = "captions.jsonl"
    text = "caption"
    group = "image"

    [clean]
    characters = "20..100"

    [duplicates]
    similarity = 0.8

    [pairs]
    by = ["neighbours", "random"]
    k = 10

    [filters]
    keep = ["cosine >= 0.4", "iou <= 0.12"]

    [select]
    items = 3000
    spread = "cosine"

Paths are relative to the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import ArgumentError
from similitude.study.candidates.plan_parts import (
    CleanPart,
    DialoguesPart,
    DuplicatesPart,
    FiltersPart,
    PairsPart,
    Part,
    SelectPart,
    TextsPart,
)
from similitude.study.plan_paths import beside, model_beside, model_seen_from, seen_from

__all__ = ["CandidatesPlan", "plan_of"]

ARGUMENT = re.compile(r"""(?<=[('"])[^()'",=\s]+(?=[,)'"])""")
"""A whole argument of a system, within brackets or quotation marks."""
NAMING = ("spread", "contentious")
"""Values of the selection that may name a system."""


class CandidatesPlan(Part):
    """A plan: each part is a table of the file.

    Attributes:
        name: of the search.
        seed: of everything that is drawn.
        texts: where they come from.
        clean: which texts are kept.
        dialogues: how they are cut.
        duplicates: which texts are too alike.
        pairs: how texts become pairs.
        filters: which pairs are kept.
        select: which of them become items.
    """

    name: str = "candidates"
    seed: int = Field(default=0, ge=0)
    texts: TextsPart = TextsPart()
    clean: CleanPart = CleanPart()
    dialogues: DialoguesPart | None = None
    duplicates: DuplicatesPart = DuplicatesPart()
    pairs: PairsPart = PairsPart()
    filters: FiltersPart = FiltersPart()
    select: SelectPart = SelectPart()

    @model_validator(mode="after")
    def _given_pairs_keep_their_texts(self) -> CandidatesPlan:
        if self.pairs.data is not None and "duplicates" in self.model_fields_set and self.duplicates.similarity:
            raise ValueError("pairs that are given keep their texts, so 'duplicates' cannot drop any; leave it out")
        return self

    @property
    def drops_duplicates(self) -> bool:
        """Whether near-duplicates are dropped: not from pairs that are given, which may be meant to be alike."""
        return self.pairs.data is None and self.duplicates.similarity is not False

    @classmethod
    def read(cls, path: str | Path) -> CandidatesPlan:
        """Read a plan from a file; its paths become relative to the working folder.

        Raises:
            InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
        """
        file = TomlFile.read(path)
        plan = file.validated(cls, name=file.path.stem)
        return plan.moved(partial(beside, file.path), partial(model_beside, file.path))

    def seen_from(self, folder: Path) -> CandidatesPlan:
        """The plan as a file in this folder has it: paths are relative to the folder."""
        return self.moved(partial(seen_from, folder), partial(model_seen_from, folder))

    def moved(self, path: Callable[[str], str], model: Callable[[str], str]) -> CandidatesPlan:
        """The plan with other paths.

        Args:
            path: from a path to another.
            model: from the name of a model to another, or to its folder. In filters and systems, every word in
                brackets or quotation marks may be one: ``uncertain('my-model')``.
        """

        def of_system(written: str) -> str:
            return ARGUMENT.sub(lambda found: model(found[0]), written)

        texts, pairs, select = self.texts, self.pairs, self.select
        data = [path(each) for each in texts.data] if isinstance(texts.data, list) else _each(path, texts.data)
        parts: dict[str, dict[str, Any]] = {
            "texts": {
                "data": data,
                "vectors": _each(path, texts.vectors),
                "image_model": _each(model, texts.image_model),
            },
            "pairs": {"data": _each(path, pairs.data), "system": of_system(pairs.system)},
            "filters": {"keep": tuple(map(of_system, self.filters.keep))},
            "select": {name: of_system(written) for name in NAMING if (written := getattr(select, name)) is not None},
        }
        return self.model_copy(
            update={name: getattr(self, name).model_copy(update=part) for name, part in parts.items()}
        )

    def changed(self, parts: Mapping[str, Any]) -> CandidatesPlan:
        """The plan with other values: single ones by name, those of a part as a mapping.

        Raises:
            ArgumentError: a name is unknown, or a value is wrong.
        """
        values = self.model_dump(exclude_unset=True)
        for name, value in parts.items():
            old = values.get(name)
            values[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, Mapping) else value
        return plan_of(values)


def plan_of(values: Mapping[str, Any]) -> CandidatesPlan:
    """A plan from values in memory, laid out as in a file.

    Raises:
        ArgumentError: a name is unknown, or a value is wrong.

    >>> plan_of({"select": {"items": 0}})
    Traceback (most recent call last):
        ...
    similitude.errors.ArgumentError: select.items = 0: input should be greater than or equal to 1; ...
    """
    try:
        return CandidatesPlan.model_validate(values)
    except ValidationError as error:
        first: Any = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"] if isinstance(part, str))
        if first["type"] == "extra_forbidden":
            known = ", ".join(_known(first["loc"][:-1]))
            raise ArgumentError(f"the plan has no '{name}'", remedy=f"known: {known}") from None
        reason = first["msg"].removeprefix("Value error, ")
        shown = "" if isinstance(first["input"], dict) else f" = {first['input']!r:.60}"
        what = f"{name}{shown}: {reason[:1].lower()}{reason[1:]}"
        raise ArgumentError(what, remedy=f"known: {', '.join(_known(first['loc'][:-1]))}") from None


def _known(place: Sequence[Any]) -> list[str]:
    """The keys of a part of the plan, or of the plan itself."""
    part = {**CandidatesPlan().model_dump(), "dialogues": DialoguesPart(turns=(3,)).model_dump()}
    chosen = part.get(place[0]) if place else part
    return list(chosen if isinstance(chosen, dict) else part)


def _each(change: Callable[[str], str], written: str | None) -> str | None:
    return None if written is None else change(written)
