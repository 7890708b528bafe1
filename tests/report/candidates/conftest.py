"""A search as the page sees it, with texts that break pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl
import pytest

from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.item import ITEM_SCHEMA, Items, with_all_columns

TEXTS = (
    '<script>alert("x")</script>',
    "مرحبا بالعالم، كيف حالك اليوم؟",
    "他们昨天晚上在公园里散步。",
    "two dogs run " * 200,
    "</style><img src=x onerror=alert(1)>",
    "https://example.org/" + "a" * 400,
    "line\nbreak",
)
FILTERS = (
    "iou <= 0.12",
    "cosine >= 0.4",
    "length_ratio >= 0.7",
    "disagreement(use, levenshtein) >= 0.3",
    "sigma(uncertain('a/very/long/path/to/a/folder/of/a/model')) >= 0.16",
    "agreement(label1, label2, label3, label4, label5) < 1",
)


@dataclass(frozen=True)
class Search:
    steps: tuple[Step, ...]
    items: Items
    name: str = "captions <of images>"
    seed: int = 7
    plan_text: str = 'name = "captions"\n[filters]\nkeep = ["iou <= 0.12"]\n'
    versions: Mapping[str, str] = field(default_factory=lambda: {"numpy": "2.3.4"})
    saved_to: Path | None = Path("runs/my captions")


def filter_step(name: str, before: int, after: int, **more) -> Step:
    border = [
        BorderExample(left=TEXTS[n % 7], right=TEXTS[(n + 2) % 7], value=0.1 + n / 100, is_kept=n < 6)
        for n in range(12)
    ]
    cosine = Distribution(
        name="cosine", edges=(0.0, 0.5, 1.0), before=(before // 2, before - before // 2), after=(0, after)
    )
    given = {"examples": tuple(border), "distributions": (cosine,), "losses": {name: before - after}}
    return Step(**({"name": name, "of": "pairs", "before": before, "after": after} | given | more))


def steps(filters: int) -> tuple[Step, ...]:
    """Texts are read, cleaned and paired; each filter keeps half, the third all, and the last of six none."""
    strata = Distribution(name="stratum", edges=("neighbours", "random"), before=(0, 0), after=(700, 300))
    clusters = [{"size": 31, "kept": TEXTS[0], "others": [TEXTS[1], TEXTS[2]]}]
    found = [
        Step(name="read", of="texts", before=200, after=199, seconds=1.0, losses={"empty": 1}),
        Step(
            name="clean",
            of="texts",
            before=199,
            after=150,
            losses={"fewer than 20 characters": 40, "more than 100 characters": 9, "never": 0},
            examples=(BorderExample(left=TEXTS[0], value=19, is_kept=False),),
            notes=("9 texts were <b>long</b>",),
        ),
        Step(name="duplicates", of="texts", before=150, after=120, facts={"clusters": 2110, "largest": clusters}),
        Step(name="pairs", of="pairs", before=120, after=1000, facts={"recall": 0.98731}, distributions=(strata,)),
    ]
    left = 1000
    for place in range(filters):
        kept = left if place == 2 else 0 if place == 5 else left // 2
        found.append(filter_step(FILTERS[place % 6], left, kept))
        left = kept
    return (*found, Step(name="select", of="items", before=left, after=left // 10, seconds=2.0))


@pytest.fixture
def search():
    """``search(filters=4)``."""

    def make(filters: int = 4, **changes) -> Search:
        frame = pl.DataFrame(
            {
                "id": [f"x{n}" for n in range(20)],
                "left": [TEXTS[n % 7] for n in range(20)],
                "right": [TEXTS[(n + 1) % 7] for n in range(20)],
                "context": [["Hello", TEXTS[n % 7]] for n in range(20)],
            }
        )
        return Search(**({"steps": steps(filters), "items": Items(with_all_columns(frame, ITEM_SCHEMA))} | changes))

    return make
