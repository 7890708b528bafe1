"""An engine by its name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from similitude.data.number_arguments import check_numbers, check_whole_numbers
from similitude.errors import ArgumentError, UnknownNameError
from similitude.study.engines.engine import Engine
from similitude.study.engines.local import LocalEngine
from similitude.study.engines.ray_tasks import ray_engine

__all__ = ["ENGINES", "open_engine"]


def open_engine(
    name: str = "local",
    *,
    address: str | None = None,
    workers: int | None = None,
    threads: int | None = 1,
    gpus: float = 0.0,
) -> AbstractContextManager[Engine]:
    """Open an engine for a ``with`` block; what it started is stopped at the end.

    Args:
        name: "local" for threads of this process, "ray" for the workers of a Ray cluster.
        address: of a Ray cluster that runs, ``HOST:PORT``; by default one is started on this machine.
        workers: how many pieces run at a time. By default 1 in this process, and one for each CPU of a cluster.
        threads: the number of threads that BLAS and OpenMP use within a piece; None leaves them alone.
        gpus: of a cluster, for each piece; 0.5 lets two pieces share one.

    Raises:
        UnknownNameError: there is no such engine.
        ArgumentError: the arguments do not fit the engine, or no cluster answers.
        MissingExtraError: Ray is not installed.

    >>> with open_engine(workers=2) as engine:
    ...     engine.run(abs, [-1, -2], lambda piece, result: None)
    """
    check_whole_numbers(workers=workers, threads=threads)
    check_numbers(gpus=gpus)
    if workers is not None and workers < 1:
        raise ArgumentError(f"{workers} workers can do nothing", remedy="give --workers 1 or more")
    if name not in ENGINES:
        raise UnknownNameError("engine", name, ENGINES)
    return ENGINES[name](address, workers, threads, gpus)


@contextmanager
def _local(address: str | None, workers: int | None, threads: int | None, gpus: float) -> Iterator[Engine]:
    given = [flag for flag, value in {"--address": address, "--gpus": gpus}.items() if value]
    if given:
        raise ArgumentError(f"{given[0]} is for clusters", remedy=f"add --engine ray, or leave {given[0]} out")
    yield LocalEngine(workers or 1, threads)


@contextmanager
def _ray(address: str | None, workers: int | None, threads: int | None, gpus: float) -> Iterator[Engine]:
    if address is None and workers is None:
        workers = os.cpu_count()
    with ray_engine(address, workers, threads=threads, gpus=gpus) as engine:
        yield engine


ENGINES: dict[str, Callable[[str | None, int | None, int | None, float], AbstractContextManager[Engine]]] = {
    "local": _local,
    "ray": _ray,
}
