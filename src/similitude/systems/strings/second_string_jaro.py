"""Jaro as the Java library SecondString computes it, which DKPro Similarity uses.

It differs from the standard definition (`edit_distance.Jaro`) in three ways:

- characters match less than half the *shorter* length + 1 positions apart, not half the longer length - 1;
- the matching characters are looked for twice, for left in right and for right in left. If the two counts differ, as
  they may in texts of more than a few words, the similarity is 0;
- half of an odd number of matching characters out of order is rounded down.
"""

from __future__ import annotations

from collections import defaultdict

__all__ = ["second_string_jaro"]


def second_string_jaro(left: str, right: str) -> float:
    """(m/|a| + m/|b| + (m - t)/m) / 3 with SecondString's m and t; 0 if no character matches, 1 for two empty texts.

    >>> round(second_string_jaro("dixon", "dicksonx"), 4)  # d, i, o, n match; x is too far: (4/5 + 4/8 + 1) / 3
    0.7667
    """
    reach = min(len(left), len(right)) // 2 + 1
    in_right, in_left = _common(left, right, reach), _common(right, left, reach)
    matching = len(in_right)
    if left == right:
        return 1.0
    if matching == 0 or matching != len(in_left):
        return 0.0
    swapped = sum(map(str.__ne__, in_right, in_left)) // 2
    return (matching / len(left) + matching / len(right) + (matching - swapped) / matching) / 3.0


def _common(own: str, other: str, reach: int) -> list[str]:
    """The characters of a text that match in the other: each takes the first free place of its character nearby."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place in range(len(other) - 1, -1, -1):
        places[other[place]].append(place)
    found = []
    for position, character in enumerate(own):
        free = places.get(character)
        # Places too far to the left stay so: later characters look further to the right.
        while free and free[-1] < position - reach:
            free.pop()
        if free and free[-1] < position + reach:
            free.pop()
            found.append(character)
    return found
