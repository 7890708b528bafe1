"""A system: how alike two texts are by their first words alone."""

from dataclasses import dataclass

from similitude import Items, Scale


@dataclass(frozen=True)
class FirstWord:
    """1 where the first words of two texts begin with the same letters, else 0.

    Args:
        letters: how many letters are compared; 0 for all.
    """

    letters: int = 0

    range = Scale(low=0.0, high=1.0, origin="system")

    def score(self, items: Items) -> list[float]:
        pairs = zip(items.lefts, items.rights, strict=True)
        return [float(self._first(left) == self._first(right)) for left, right in pairs]

    def _first(self, text: str) -> str:
        word = (text.lower().split() or [""])[0]
        return word[: self.letters] if self.letters else word
