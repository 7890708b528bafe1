import time

from similitude.models.language.endpoint import open_endpoint


def rate(url: str, questions, concurrency: int) -> float:
    """Answers a second, of a model that was asked before."""
    model = open_endpoint("tiny", url=url, concurrency=concurrency)
    list(model.answers(questions[:1]))
    start = time.perf_counter()
    assert len(list(model.answers(questions))) == len(questions)
    return len(questions) / (time.perf_counter() - start)


def test_sixteen_at_once_are_many_times_as_fast_as_one_at_a_time(server, ask):
    """Benchmarks ask for 12 times; here, where other tests may run beside, for 6."""
    server.seconds = 0.2
    assert rate(server.url, ask(96), 16) >= 6 * rate(server.url, ask(5), 1)
    assert server.most_at_once == 16
