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
from pathlib import Path
from typing import Any, Literal, overload

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import ArgumentError
from similitude.study.plan_paths import beside, model_beside

__all__ = [
    "CandidatesPlan",
    "CleanPart",
    "DialoguesPart",
    "DuplicatesPart",
    "FiltersPart",
    "PairsPart",
    "SelectPart",
    "TextsPart",
    "plan_of",
]

ARGUMENT = re.compile(r"""(?<=[('"])[^()'",=\s]+(?=[,)'"])""")
"""A whole argument of a system, within brackets or quotation marks."""
NAMING = ("spread", "contentious")
"""Values of the selection that may name a system."""

Pairing = Literal["neighbours", "words", "random", "hard-negatives"]
Range = str
"""A range such as "20..100", "5.." or "..80"."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextsPart(_Part):
    """What the texts are, and which column of the file is which."""

    data: str | list[str] | None = None
    text: str | None = None
    id: str | None = None
    group: str | None = None
    document: str | None = None
    language: str | None = None
    domain: str | None = None
    source: str | None = None
    dialogue: str | None = None
    turn: str | None = None
    turns: str | None = None
    speaker: str | None = None
    vectors: str | None = None
    images: str | None = None
    image_model: str | None = None

    @model_validator(mode="after")
    def _one_source_of_vectors(self) -> TextsPart:
        if self.vectors is not None and self.images is not None:
            raise ValueError("'vectors' and 'images' both say where vectors come from; leave one out")
        if (self.images is None) != (self.image_model is None):
            raise ValueError("'images' (a column of paths) and 'image_model' go together")
        return self

    @property
    def columns(self) -> dict[str, str]:
        """Our names of columns and theirs, as readers take them."""
        names = ("text", "id", "group", "document", "language", "domain", "source")
        more = ("dialogue", "turn", "turns", "speaker")
        return {name: theirs for name in (*names, *more) if (theirs := getattr(self, name)) is not None}


class CleanPart(_Part):
    """Which texts are kept, and in which form."""

    characters: Range | None = None
    words: Range | None = None
    punctuation: bool = True
    damaged: bool = True
    languages: tuple[str, ...] = ()
    unknown: Literal["keep", "drop"] = "keep"
    longest: int = Field(default=10_000, ge=1)
    long: Literal["drop", "cut"] = "drop"

    @field_validator("languages", mode="before")
    @classmethod
    def _several(cls, names: Any) -> Any:
        return (names,) if isinstance(names, str) else names


class DialoguesPart(_Part):
    """To how many turns dialogues are cut."""

    turns: tuple[int, ...] = Field(min_length=1)
    take: Literal["first", "last"] = "first"
    last: str | None = None
    utterances: bool = False

    @field_validator("turns", mode="before")
    @classmethod
    def _several(cls, turns: Any) -> Any:
        return (turns,) if isinstance(turns, int) else turns


class DuplicatesPart(_Part):
    """From which similarity on two texts are near-duplicates: a number, "exact", or false for none."""

    similarity: float | Literal["exact"] | Literal[False] = 0.8

    @field_validator("similarity", mode="before")
    @classmethod
    def _share(cls, similarity: Any) -> Any:
        is_number = isinstance(similarity, int | float) and not isinstance(similarity, bool)
        if is_number and 0 < similarity <= 1:
            return float(similarity)
        if similarity == "exact" or similarity is False:
            return similarity
        raise ValueError('must be a number above 0 and at most 1, "exact" or false')


class PairsPart(_Part):
    """How texts become pairs.

    Attributes:
        by: ways to find pairs.
        system: whose vectors find neighbours.
        k: partners of each text, for neighbours and for words.
        of: the column of groups that are paired instead of texts, such as images: every text of one group with every
            text of the other.
        within: both texts must have the same value in this column.
        across: both texts must have different values in this column.
        never_same: both texts must not have the same value in these columns, where they have one.
        random: how many random pairs, as a share of k for each text.
        exact: whether neighbours are searched exactly; by default up to 20,000 texts.
        data: pairs that are given, instead of pairs that are found.
    """

    by: tuple[Pairing, ...] = ("neighbours",)
    system: str = "use"
    k: int = Field(default=10, ge=1)
    of: str | None = None
    within: str | None = None
    across: str | None = None
    never_same: tuple[str, ...] = ("document", "group")
    random: float = Field(default=0.1, gt=0, le=10)
    exact: bool | None = None
    data: str | None = None

    @field_validator("by", "never_same", mode="before")
    @classmethod
    def _several(cls, names: Any) -> Any:
        return (names,) if isinstance(names, str) else names

    @model_validator(mode="after")
    def _given_or_found(self) -> PairsPart:
        if self.data is not None and "by" in self.model_fields_set:
            raise ValueError("'data' gives the pairs, so 'by' would find none; leave one out")
        if not self.by:
            raise ValueError("'by' names no way to pair texts")
        if len(set(self.by)) < len(self.by):
            raise ValueError("'by' names a way twice")
        return self

    @property
    def uses_vectors(self) -> bool:
        """Whether pairs are found by vectors."""
        return self.data is None and bool({"neighbours", "hard-negatives"} & set(self.by))


class FiltersPart(_Part):
    """Which pairs are kept: all expressions must hold, one after the other."""

    keep: tuple[str, ...] = ()

    @field_validator("keep", mode="before")
    @classmethod
    def _several(cls, written: Any) -> Any:
        return (written,) if isinstance(written, str) else written


class SelectPart(_Part):
    """Which of the kept pairs become items."""

    items: int | None = Field(default=None, ge=1)
    spread: str | None = None
    bins: int | tuple[float, ...] = 5
    target: tuple[float, ...] = ()
    over: tuple[str, ...] | dict[str, str | int | dict[str, float]] = ()
    per: str | None = None
    each: int = Field(default=1, ge=1)
    contentious: str | None = None
    diverse: Literal["k-center", "facility-location"] | None = None
    most: int | None = Field(default=None, ge=1)
    short: Literal["note", "leave", "error"] = "note"
    fixed_sides: bool = False

    @field_validator("over", mode="before")
    @classmethod
    def _several(cls, names: Any) -> Any:
        return (names,) if isinstance(names, str) else names


class CandidatesPlan(_Part):
    """A plan: each part is a table of the file."""

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
        texts, pairs, select = plan.texts, plan.pairs, plan.select
        models = models_beside(file.path)
        parts = {
            "texts": {
                "data": _beside(file.path, texts.data),
                "vectors": _beside(file.path, texts.vectors),
                "image_model": None if texts.image_model is None else model_beside(file.path, texts.image_model),
            },
            "pairs": {"data": _beside(file.path, pairs.data), "system": models(pairs.system)},
            "filters": {"keep": tuple(map(models, plan.filters.keep))},
            "select": {name: models(written) for name in NAMING if (written := getattr(select, name)) is not None},
        }
        return plan.model_copy(
            update={name: getattr(plan, name).model_copy(update=part) for name, part in parts.items()}
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


def models_beside(file: Path) -> Callable[[str], str]:
    """From a filter or a system to the same with folders of models that lie beside the plan's file.

    A word in brackets or quotation marks is such a folder if there is one: ``uncertain('my-model')``.
    """

    def changed(written: str) -> str:
        return ARGUMENT.sub(lambda found: model_beside(file, found[0]), written)

    return changed


@overload
def _beside(file: Path, written: str | None) -> str | None: ...
@overload
def _beside(file: Path, written: str | list[str] | None) -> str | list[str] | None: ...
def _beside(file: Path, written: str | list[str] | None) -> str | list[str] | None:
    if isinstance(written, list):
        return [beside(file, each) for each in written]
    return None if written is None else beside(file, written)
