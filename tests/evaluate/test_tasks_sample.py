"""The sample of tasks that ships is what its cards promise, and cannot be solved by what it should not be solved by."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from similitude import samples
from similitude.evaluate.tasks.reading import open_card, open_task
from similitude.samples import SAMPLE_TASKS

FILES = Path(samples.__file__).parent / "task_files"


def words(texts):
    return np.array([len(text.split()) for text in texts])


def counts(task):
    return {name: int(n) for name, n in zip(task.classes, np.bincount(task.labels), strict=True)}


@pytest.mark.parametrize("part", SAMPLE_TASKS)
def test_every_task_has_a_card_that_says_how_it_was_made(part):
    task, card = open_task(f"sample:{part}"), open_card(f"sample:{part}")
    assert (task.kind, task.name) == (part, f"sample:{part}")
    assert task.notes == ()
    assert card.licence == "Apache-2.0"
    for said in ("Written for this sample", "not collected from people", "was changed"):
        assert said in " ".join(card.made.split())


def test_every_folder_is_a_task_and_all_is_small():
    assert sorted(path.name for path in FILES.iterdir()) == sorted(SAMPLE_TASKS)
    assert sum(path.stat().st_size for path in FILES.rglob("*")) < 250_000


def test_text_reuse():
    task = open_task("sample:text-reuse")
    assert counts(task) == {"none": 20, "heavy revision": 20, "light revision": 20, "near copy": 20}
    assert Counter(Counter(task.items.rights).values()) == {16: 5}
    lengths = words(task.items.lefts)
    assert (lengths.min(), lengths.max()) == (50, 87)
    by_class = [lengths[task.labels == label].mean() for label in range(4)]
    assert max(by_class) - min(by_class) < 5


def test_related_is_made_of_the_articles_to_be_found():
    pairs, find = open_task("sample:related"), open_task("sample:find-related")
    assert counts(pairs) == {"unrelated": 60, "related": 60}
    places = {text: place for place, text in enumerate(find.pool)}
    linked = [
        find.is_related[places[left], places[right]]
        for left, right in zip(pairs.items.lefts, pairs.items.rights, strict=True)
    ]
    assert linked == (pairs.labels == 1).tolist()


def test_find_related_is_60_articles_on_22_stories():
    task = open_task("sample:find-related")
    assert task.queries == task.pool
    assert len(set(task.pool)) == 60
    same_story = task.is_related | task.is_same
    np.testing.assert_array_equal(same_story, same_story.T)
    sizes = same_story.sum(axis=1)
    assert Counter(sizes.tolist()) == {2: 24, 3: 12, 4: 24}  # 12 stories of two, 4 of three, 6 of four
    assert len({row.tobytes() for row in same_story}) == 22


def test_deduplication():
    task = open_task("sample:deduplication")
    assert counts(task) == {"different": 200, "duplicate": 40}
    assert all(left != right for left, right in zip(task.items.lefts, task.items.rights, strict=True))


def test_intent():
    task = open_task("sample:intent")
    assert Counter(Counter(task.labels).values()) == {12: 12}
    assert len(set(map(str.casefold, task.texts))) == 144


@pytest.mark.parametrize("part", ["text-reuse", "related", "deduplication"])
def test_classes_cannot_be_read_off_the_order_of_rows(part):
    task = open_task(f"sample:{part}")
    places = np.arange(len(task.labels), dtype=float)
    for feature in (places, places % 2):
        assert abs(np.corrcoef(feature, task.labels)[0, 1]) < 0.3


@pytest.mark.parametrize("part", SAMPLE_TASKS)
def test_every_task_has_an_outcome(part):
    task = open_task(f"sample:{part}")
    found = task.outcome(np.random.default_rng(0).random((1, len(task.items))), np.random.default_rng(1))
    assert found.values.shape == (1,)
    assert found.values[0] < {"text-reuse": 0.45, "related": 0.65, "find-related": 0.2}.get(part, 0.55)  # chance
    assert found.notes == ()
