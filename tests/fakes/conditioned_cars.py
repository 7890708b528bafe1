"""Pairs under conditions, so few that every pair and condition can be named."""

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.training.splits import TrainingData

ROWS = [
    ("A red car.", "A red bus.", "the colour", 5),
    ("A red car.", "A red bus.", "the kind", 2),
    ("Two dogs run.", "A dog sleeps.", "the number", 1),
    ("Two dogs run.", "A dog sleeps.", "the animal", 4),
    ("A man sings.", "A man shouts.", "the person", 5),
    ("A man sings.", "A man shouts.", "the loudness", 3),
]
HELD_OUT = [
    ("A blue van.", "A van.", "the size", 4),
    ("A van.", "A red car.", "the kind", 3),
    ("It rains.", "It snows.", "the weather", 2),
]


def benchmark(
    rows: list[tuple[str, str, str | None, float]], name: str = "cars", *, scale: str | None = "1..5"
) -> Benchmark:
    left, right, condition, score = zip(*rows, strict=True)
    gold = {} if scale is None else {"score": list(score), "scale": scale}
    return Benchmark.from_columns(
        name,
        left=list(left),
        right=list(right),
        condition=list(condition),
        id=[str(n) for n in range(len(rows))],
        **gold,
    )


DATA = TrainingData(benchmark(ROWS), benchmark(HELD_OUT, "held out"))


def keys(items: Items) -> list[tuple[frozenset[str], str]]:
    """The two texts and the condition of each item."""
    rows = zip(items.lefts, items.rights, items.conditions, strict=True)
    return [(frozenset((left, right)), condition) for left, right, condition in rows]


RATED = set(keys(DATA.train.items))
