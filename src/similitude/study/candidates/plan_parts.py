"""The parts of a plan: one table of the file each."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = [
    "CleanPart",
    "DialoguesPart",
    "DuplicatesPart",
    "FiltersPart",
    "PairsPart",
    "Part",
    "SelectPart",
    "TextsPart",
]

Pairing = Literal["neighbours", "words", "random", "hard-negatives"]
Range = str
"""A range such as "20..100", "5.." or "..80"."""


class Part(BaseModel):
    """A table of the file: keys that it does not have are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TextsPart(Part):
    """What the texts are, and which column of the file is which.

    Attributes:
        data: a path, several of them, ``hf:NAME`` or ``sample:NAME``.
        text: the column of texts; usual names are found.
        id: the column of ids.
        group: the column of what several texts share, such as an image; they are not paired with each other.
        document: the column that says where a text was taken from; likewise.
        language: the column of languages.
        domain: the column of domains.
        source: the column of sources.
        dialogue: with a row for each turn, the column that says which dialogue it belongs to.
        turn: with a row for each turn, the column of its number.
        turns: the column with lists of turns.
        speaker: the column that says who speaks.
        vectors: a file with a vector for each row: .npy, .npz, .parquet or .safetensors.
        images: the column with paths of images, which are encoded.
        image_model: the model that encodes them.
    """

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


class CleanPart(Part):
    """Which texts are kept, and in which form.

    Attributes:
        characters: how many a text has: "20..100", "20.." or "..100".
        words: likewise.
        punctuation: whether a repeated mark or blank becomes one.
        damaged: whether texts that a wrong encoding has damaged are dropped.
        languages: that texts have, as stated or, where a text states none, as guessed.
        unknown: whether texts whose language cannot be guessed are kept.
        longest: characters of a text; longer ones are dropped or cut.
        long: which of the two.
    """

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


class DialoguesPart(Part):
    """To how many turns dialogues are cut.

    Attributes:
        turns: numbers of turns; as many dialogues are cut to each.
        take: the first turns of a dialogue, or its last ones.
        last: who must speak last.
        utterances: whether every turn becomes a text as well, to be paired with last turns.
    """

    turns: tuple[int, ...] = Field(min_length=1)
    take: Literal["first", "last"] = "first"
    last: str | None = None
    utterances: bool = False

    @field_validator("turns", mode="before")
    @classmethod
    def _several(cls, turns: Any) -> Any:
        return (turns,) if isinstance(turns, int) else turns


class DuplicatesPart(Part):
    """When two texts are near-duplicates, of which one is dropped.

    Attributes:
        similarity: from which share of common character trigrams on; "exact" for the same normal form only; false for
            none.
    """

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


class PairsPart(Part):
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


class FiltersPart(Part):
    """Which pairs are kept.

    Attributes:
        keep: expressions over features and systems, which must all hold: ``iou <= 0.12``.
    """

    keep: tuple[str, ...] = ()

    @field_validator("keep", mode="before")
    @classmethod
    def _several(cls, written: Any) -> Any:
        return (written,) if isinstance(written, str) else written


class SelectPart(Part):
    """Which of the kept pairs become items.

    Attributes:
        items: how many; by default all that the filters keep.
        spread: a feature or system; as many items come from each band of its values.
        bins: the number of bands of equal width, or their edges.
        target: weights of the bands.
        over: columns; as many items come from each of their values, or shares of them.
        per: draw whole groups, such as dialogues, by this column.
        each: how many pairs of every band each group gives.
        contentious: a feature or system; in each band those with its largest values are drawn.
        diverse: draw those that differ most from one another, by one of two methods.
        most: how many items may hold the same text.
        short: what to do if a band has too few pairs: fill up from others with a note, leave it short, or stop.
        fixed_sides: whether the text whose neighbour was found stays on the left.
    """

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
