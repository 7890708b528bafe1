"""What a system that asks a language model says of itself: never a key, and nothing that makes no difference."""

import pytest

from similitude.errors import ArgumentError
from similitude.systems import make_system


@pytest.mark.parametrize("name", ["prompted", "choice"])
@pytest.mark.parametrize(
    "wrong", ["url=http://user:hush-hush@localhost:9/v1", "url=http://localhost:9/v1, key_variable=sk-hush-hush"]
)
def test_a_key_in_the_wrong_place_is_refused_at_once_and_not_quoted(name, wrong):
    with pytest.raises(ArgumentError) as refused:
        make_system(f"{name}(gpt, {wrong})")
    assert "hush" not in str(refused.value)


def test_how_fast_it_is_asked_and_what_it_costs_make_no_other_system():
    plain = make_system("prompted(gpt, url=http://localhost:9/v1)")
    fast = make_system("prompted(gpt, url=http://localhost:9/v1, concurrency=64, timeout=5, price_in=2.5)")
    assert fast.identity == plain.identity
    assert make_system("prompted(gpt, url=http://localhost:9/v1, temperature=1)").identity != plain.identity
