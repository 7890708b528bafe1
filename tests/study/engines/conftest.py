from collections.abc import Iterator

import pytest

from similitude.study.engines import Engine, open_engine


@pytest.fixture(params=["one thread", "two threads", "ray"])
def engine(request) -> Engine:
    """Each adapter of the port."""
    if request.param == "ray":
        return request.getfixturevalue("ray_engine")
    return request.getfixturevalue("threads")(1 if request.param == "one thread" else 2)


@pytest.fixture
def threads() -> Iterator:
    from contextlib import ExitStack

    with ExitStack() as stack:
        yield lambda workers: stack.enter_context(open_engine("local", workers=workers))
