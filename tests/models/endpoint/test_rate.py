import pytest

from similitude.models.language.endpoint import open_endpoint


@pytest.mark.parametrize(("concurrency", "count"), [(1, 4), (16, 48)])
def test_as_many_are_asked_at_once_as_was_said(server, ask, concurrency, count):
    server.seconds = 0.1
    assert len(list(open_endpoint("tiny", url=server.url, concurrency=concurrency).answers(ask(count)))) == count
    assert server.most_at_once == concurrency
