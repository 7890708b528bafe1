"""The cache against a model that is changed behind its back; ``benchmarks/cache_mutations.py`` does more of this."""

import pytest

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
from model_mutations import MOMENTS, MUTATIONS, Trial, quick_clock


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    with quick_clock():
        yield Trial(tmp_path_factory.mktemp("mutations"), seed=0)


@pytest.mark.parametrize("number", range(len(MUTATIONS)))
def test_no_mutation_leads_to_a_wrong_vector(trial, number):
    """Each mutation once, every third of them in the middle of a run."""
    name = list(MUTATIONS)[number]
    moment = MOMENTS[number // 3 % 3 if number % 3 == 0 else 0]
    assert trial.mutate(name, moment, with_run=number % 4 == 0).wrong == ()


def test_most_mutations_change_the_vectors(tmp_path):
    """Otherwise a cache that never looks at the files would pass too."""
    with quick_clock():
        trial = Trial(tmp_path, seed=1)
        names = ["weights in place, same size and time", "pooling", "prompt", "module in a folder named runs"]
        assert all(trial.mutate(name, with_run=False).changed for name in names)
