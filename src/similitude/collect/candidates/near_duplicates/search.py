"""The search for near-duplicates: signatures of slices of the texts, and their join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from similitude.collect.candidates.near_duplicates.character_grams import Hashes, compared_forms
from similitude.collect.candidates.near_duplicates.clusters import Clusters
from similitude.collect.candidates.near_duplicates.minhash import Banding, signatures_of_forms
from similitude.collect.candidates.near_duplicates.signature_join import joined_signatures
from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.data.texts import Texts
from similitude.errors import ArgumentError

__all__ = ["DuplicateSearch", "near_duplicates"]

SLICE = 50_000
"""Texts whose signatures are computed at a time."""

EXACT = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateSearch:
    """What counts as a near-duplicate.

    Attributes:
        similarity: the least Jaccard similarity of the sets of character n-grams; 1 for equal normal forms only.
        characters: the n of the n-grams.
    """

    similarity: float = 0.8
    characters: int = 3

    def __post_init__(self) -> None:
        if not 0.3 <= self.similarity <= 1:
            what = f"similarity={self.similarity!r} is not between 0.3 and 1"
            raise ArgumentError(what, remedy='give a share, such as 0.8, or "exact" for equal texts only')
        if not 2 <= self.characters <= 16:
            raise ArgumentError(f"characters={self.characters!r} is not between 2 and 16", remedy="3 suits most texts")

    @classmethod
    def of(cls, similarity: float | str) -> DuplicateSearch:
        """A search at a similarity; ``"exact"`` finds texts with equal normal forms only.

        Raises:
            ArgumentError: it is something else.
        """
        if isinstance(similarity, bool) or not isinstance(similarity, int | float | str):
            raise ArgumentError(f"similarity={similarity!r} is no number", remedy='give 0.8, or "exact"')
        if isinstance(similarity, str) and similarity != EXACT:
            raise ArgumentError(f"similarity='{similarity}' is not known", remedy='give a number, or "exact"')
        return cls(similarity=1.0 if similarity == EXACT else float(similarity))

    @property
    def banding(self) -> Banding:
        """How the minima are divided into bands; without any where only equal forms are found."""
        return Banding(0, 0) if self.similarity == 1 else Banding.at(self.similarity)

    def signatures(self, texts: Texts) -> Hashes:
        """The signatures of a slice of the texts, one column for each; they depend on nothing but the slice."""
        return signatures_of_forms(compared_forms(texts.frame), self.characters, self.banding)

    def join(self, texts: Texts, shards: Sequence[Hashes]) -> Clusters:
        """The clusters among all texts.

        Args:
            texts: all texts.
            shards: the signatures of consecutive slices, in order; the result does not depend on where they were cut.
        """
        compared = texts.frame.select("text", "context")
        return joined_signatures(
            shards,
            lambda rows: compared_forms(compared[rows]),
            similarity=self.similarity,
            characters=self.characters,
            banding=self.banding,
        )


def near_duplicates(texts: Texts, similarity: float | str = 0.8, *, listener: Listener | None = None) -> Clusters:
    """Find near-duplicates, of which the first of each cluster is kept.

    Args:
        texts: the texts; dialogues are compared with all their turns.
        similarity: the least Jaccard similarity of the sets of character trigrams of their normal forms, or "exact".
        listener: hears the progress.

    >>> found = near_duplicates(Texts.from_list(["A red car.", "a  RED car.", "A dog."]))
    >>> found.kept.tolist(), found.representatives.tolist()
    ([0, 2], [0, 0, 2])

    Raises:
        ArgumentError: the similarity is out of range.
    """
    search, heard = DuplicateSearch.of(similarity), OptionalListener(listener)
    shards: list[Hashes] = []
    for start in range(0, max(len(texts), 1), SLICE):
        heard.progress("near-duplicates", start, len(texts))
        shards.append(search.signatures(texts.slice(start, start + SLICE)))
    found = search.join(texts, shards)
    heard.progress("near-duplicates", len(texts), len(texts))
    return found
