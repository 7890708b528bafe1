"""Tasks from tables in memory: one table, several by name, a benchmark, and what errors call them."""

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, SimilitudeError
from similitude.evaluate.tasks.reading import open_task

PAIRS = {"left": ["a", "b", "c", "d"], "right": ["a a", "b b", "x", "y"], "related": [1, 1, 0, 0]}


def test_one_table():
    task = open_task(pl.DataFrame(PAIRS), kind="related")
    assert (task.kind, task.name) == ("related", "unnamed")
    assert task.items.lefts == PAIRS["left"]
    assert np.array_equal(task.labels, [1, 1, 0, 0])
    assert open_task(PAIRS, name="mine").name == "mine"


def test_a_benchmark_is_a_table():
    made = sim.Benchmark.from_columns(left=["a", "b", "c", "d"], right=["a", "c", "d", "e"], score=[1, 0, 1, 0])
    task = open_task(made, kind="related", columns={"label": "score"})
    assert np.array_equal(task.labels, [1, 0, 1, 0])


def test_several_tables_by_the_names_of_their_files():
    queries = pl.DataFrame({"id": ["q1", "q2"], "text": ["a", "c"]})
    pool = pl.DataFrame({"id": ["d1", "d2", "d3"], "text": ["a b", "c d", "e"]})
    related = pl.DataFrame({"query": ["q1", "q2"], "document": ["d1", "d2"]})
    tables = {"queries": queries, "pool": pool, "related": related}
    task = open_task(tables)
    assert (task.queries, task.pool) == (("a", "c"), ("a b", "c d", "e"))
    assert task.is_related.tolist() == [[True, False, False], [False, True, False]]
    with pytest.raises(SimilitudeError, match=r"^related, row 2: .*query 'q9'"):
        open_task(tables | {"related": pl.DataFrame({"query": ["q1", "q9"], "document": ["d1", "d2"]})})
    assert task.kind == "find-related"
    records = [{"id": "q1", "text": "a"}, {"id": "q2", "text": "c"}]
    assert open_task(tables | {"queries": records, "pool": pool.to_dict(as_series=False)}).queries == ("a", "c")
    with pytest.raises(SimilitudeError):
        open_task({})


def test_errors_name_what_was_given():
    with pytest.raises(SimilitudeError) as caught:
        open_task(pl.DataFrame({"left": ["a"], "right": ["b"], "related": ["perhaps"]}), kind="related")
    assert "DataFrame" in str(caught.value)
    assert "parquet" not in str(caught.value)
    with pytest.raises(ArgumentError, match="no argument 'colums'"):
        open_task(PAIRS, colums={})
