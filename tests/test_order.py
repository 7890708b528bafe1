"""The order in which tests are dealt to processes."""

from collections import Counter
from itertools import groupby
from types import SimpleNamespace

import pytest


@pytest.fixture
def dealt(request):
    [conftest] = (each for each in request.config.pluginmanager.get_plugins() if hasattr(each, "dealt"))
    return conftest.dealt


def files_of(**files):
    """Tests of these files, of which each has so many, the first few of them slow."""

    def test(file, number, slow):
        return SimpleNamespace(path=file, number=number, get_closest_marker=lambda _name: True if slow else None)

    return [test(file, n, n < slow) for file, (count, slow) in files.items() for n in range(count)]


EXAMPLE = {"a": (30, 0), "b": (4, 1), "c": (40, 0), "d": (6, 5), "e": (10, 0), "f": (3, 2), "g": (7, 0)}


def test_every_part_begins_with_slow_files_and_ends_with_others(dealt):
    order = dealt(files_of(**EXAMPLE), 2)
    parts = order[:50], order[50:]
    assert [[file for file, _ in groupby(part, lambda test: test.path)] for part in parts] == [
        ["d", "b", "a", "c"],
        ["f", "c", "e", "g"],
    ]


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
def test_no_test_is_lost_and_those_of_a_file_stay_in_order(dealt, processes):
    given = files_of(**EXAMPLE)
    order = dealt(given, processes)
    assert sorted(map(id, order)) == sorted(map(id, given))
    for path in EXAMPLE:
        assert [test.number for test in order if test.path == path] == list(range(EXAMPLE[path][0]))
    if processes == 1:
        assert order == given
    slow = Counter(test.path for test in order if EXAMPLE[test.path][1])
    together = [file for file, _ in groupby(order, lambda test: test.path) if EXAMPLE[file][1]]
    assert len(together) == len(slow)


def test_more_slow_tests_than_a_part_has_room_for(dealt):
    given = files_of(a=(1, 0), b=(20, 20), c=(2, 1))
    assert [file for file, _ in groupby(dealt(given, 2), lambda test: test.path)] == ["b", "c", "a"]
