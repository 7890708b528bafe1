"""A connection to a Ray cluster: one that runs already, or one of our own on this machine."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from similitude.errors import ArgumentError, MissingExtraError, RunError

__all__ = ["import_ray", "ray_cluster"]

OBJECT_STORE_BYTES = 80 * 2**20
"""Tasks and results are small, and files carry the rest. Ray takes at least 75 MiB; by default it takes 30 % of the
memory, which fails where /dev/shm is small, as in most containers."""

SECONDS_TO_ANSWER = 10.0


def import_ray() -> ModuleType:
    """The package.

    Raises:
        MissingExtraError: it is not installed.
    """
    # Ray reads this as it is imported. Otherwise it prints to standard output, between our results, when a worker dies.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        import ray
    except ImportError:
        raise MissingExtraError("Ray", "ray") from None
    return ray


@contextmanager
def ray_cluster(address: str | None, workers: int | None) -> Iterator[ModuleType]:
    """Ray, connected to a cluster; one that we started is stopped at the end.

    A process that is connected to a cluster already stays connected to it.

    Args:
        address: of a cluster that runs, ``HOST:PORT`` or ``auto`` for one on this machine; None to start one here.
        workers: how many pieces a cluster of our own runs at a time.

    Raises:
        MissingExtraError: Ray is not installed.
        ArgumentError: nothing answers at the address.
        RunError: Ray does not start here.
    """
    ray = import_ray()
    if ray.is_initialized():
        if address is None:
            yield ray
            return
        raise ArgumentError(
            "this process is connected to a Ray cluster already", remedy="leave --address out, or call ray.shutdown()"
        )
    logging.getLogger("ray").setLevel(logging.ERROR)
    with _connected(ray, address) if address is not None else _started(ray, workers):
        yield ray


@contextmanager
def _connected(ray: ModuleType, address: str) -> Iterator[None]:
    _check_address(address)
    try:
        ray.init(address=address, configure_logging=False, log_to_driver=False, _skip_env_hook=True)
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise _no_answer(address, _first_line(error)) from None
    try:
        yield
    finally:
        ray.shutdown()


def _check_address(address: str) -> None:
    """Check that something listens at an address; Ray itself tries for minutes.

    Raises:
        ArgumentError: it is no address, or nothing does.
    """
    host, _, port = address.rpartition(":")
    if address == "auto":
        return
    if not host or not port.isdigit() or "/" in address:
        what = f"'{address}' is not the address of a Ray cluster"
        raise ArgumentError(what, remedy="give --address HOST:PORT, as 'ray start --head' prints it, or auto")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=SECONDS_TO_ANSWER).close()
    except OSError as error:
        raise _no_answer(address, error.strerror or str(error)) from None


def _no_answer(address: str, why: str) -> ArgumentError:
    what = f"no Ray cluster answers at '{address}': {why}"
    return ArgumentError(what, remedy="start one with 'ray start --head', and name its --address")


@contextmanager
def _started(ray: ModuleType, workers: int | None) -> Iterator[None]:
    """A cluster on this machine, without its web page; its processes and files are gone afterwards.

    If this process is killed outright, the processes end by themselves, the last within a minute; the files stay.
    """
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp" if len(tempfile.gettempdir()) > 30 else None)
    try:
        _start(ray, workers, folder)
        try:
            yield
        finally:
            ray.shutdown()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _start(ray: ModuleType, workers: int | None, folder: str) -> None:
    try:
        ray.init(
            address="local",  # a cluster that happens to run here, or RAY_ADDRESS, is not ours
            num_cpus=workers,
            include_dashboard=False,
            configure_logging=False,
            log_to_driver=False,
            object_store_memory=OBJECT_STORE_BYTES,
            _temp_dir=folder,
            _skip_env_hook=True,
        )
    except Exception as error:  # a start that takes too long is a plain Exception
        ray.shutdown()
        what = f"Ray does not start on this machine: {_first_line(error)}"
        raise RunError(what, remedy="leave --engine ray out, or name a cluster with --address") from None


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
