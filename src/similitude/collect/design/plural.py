"""Words for numbers in designs: names of tuples, ratios and ranges, lists of names."""

from __future__ import annotations

from similitude.data.reading.problems import excerpt

__all__ = ["named_few", "ratio", "span", "times", "tuple_name"]

_NAMES = {2: "pair", 3: "triple", 4: "four-tuple", 5: "five-tuple", 6: "six-tuple"}
_TIMES = {1: "once", 2: "twice"}


def tuple_name(size: int) -> str:
    """The name of a tuple of this size.

    >>> tuple_name(3), tuple_name(4), tuple_name(9)
    ('triple', 'four-tuple', '9-tuple')
    """
    return _NAMES.get(size, f"{size}-tuple")


def times(number: int) -> str:
    """A number of times in words.

    >>> times(1), times(2), times(7)
    ('once', 'twice', '7 times')
    """
    return _TIMES.get(number, f"{number:,} times")


def span(low: float, high: float) -> str:
    """A range of numbers, or a single number if both ends are equal.

    >>> span(6, 6), span(7, 8), span(0.9, 1.234)
    ('6', '7 to 8', '0.9 to 1.23')
    """
    return ratio(low) if low == high else f"{ratio(low)} to {ratio(high)}"


def ratio(value: float) -> str:
    """A number with at most two decimals, or two significant digits if it is below 0.01.

    >>> ratio(3.0), ratio(0.9643), ratio(0.004), ratio(1200)
    ('3', '0.96', '0.004', '1,200')
    """
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:.2g}" if abs(value) < 0.01 else f"{value:,.2f}".rstrip("0")


def named_few(names: list[str], most: int = 3) -> str:
    """The first few names in quotes, and how many more there are.

    >>> named_few(["a", "b", "c", "d"])
    "'a', 'b', 'c' and 1 more"
    """
    shown = ", ".join(excerpt(name) for name in names[:most])
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown
