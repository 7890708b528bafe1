"""Pieces run on the workers of a Ray cluster, each piece as one Ray task.

Plain tasks and not Ray Data, by measurement on two cores (Ray 2.60, ``benchmarks/candidates_engines.py``): 200 pieces
of a millisecond cost 1.5 s of CPU as tasks and 4.0 s as the blocks of a ``Dataset`` (8.6 s the first time), for whose
memory and back-pressure our pieces have no use: their data lies in files. A ``Dataset`` that goes on after an error
keeps only the number of failed blocks, not their errors, and reports a piece when its block is consumed, not when it
ends. What we use of Ray is what it does well: it places tasks, and runs a task again whose worker died.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from similitude._version import __version__
from similitude.errors import ArgumentError, RunError
from similitude.registry.outside import outside_modules
from similitude.study.engines.engine import Failures
from similitude.study.engines.local import limited_threads
from similitude.study.engines.ray_cluster import import_ray, ray_cluster

__all__ = ["RayEngine", "ray_engine"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")

RETRIES = 3
"""How often a piece is run again whose worker died."""
SECONDS_TO_APPEAR = 5.0
"""How long a shared folder may take to show a new file on another machine."""


@contextmanager
def ray_engine(
    address: str | None, workers: int | None, *, threads: int | None, gpus: float = 0.0
) -> Iterator[RayEngine]:
    """An engine on a cluster that runs at an address, or on one that is started here and stopped at the end.

    The cluster is looked for, or started, when it is first needed, so that a mistake in a call is told before that.

    Args:
        address: None to start a cluster on this machine.
        workers: how many pieces run at a time; None for one on each CPU of the cluster at the address.
        threads: as in `RayEngine`.
        gpus: as in `RayEngine`.
    """
    import_ray()
    cpus = None if workers is None else workers * (threads or 1)
    with ExitStack() as stack:

        def connect() -> ModuleType:
            ray = stack.enter_context(ray_cluster(address, cpus))
            _check_gpus(ray, gpus)
            if address is not None:
                _check_versions(ray)
            return ray

        yield RayEngine(connect, workers, threads, gpus)


class RayEngine:
    """Runs every piece as a Ray task; made by `ray_engine`.

    Attributes:
        threads: the number of threads that BLAS and OpenMP use within a piece, and of CPUs that it is given; None
            leaves the threads alone, and gives it one CPU.
        gpus: the GPUs that a piece has to itself, or its share of one; pieces see no GPU if it is 0.
    """

    def __init__(
        self, connect: Callable[[], ModuleType], workers: int | None, threads: int | None, gpus: float
    ) -> None:
        self.threads, self.gpus = threads, gpus
        self._connect, self._workers = connect, workers

    @cached_property
    def ray(self) -> ModuleType:
        """The package, connected."""
        return self._connect()

    @property
    def workers(self) -> int:
        """How many pieces run at a time."""
        return self._workers or max(int(self.ray.cluster_resources().get("CPU", 1)) // (self.threads or 1), 1)

    @property
    def is_here(self) -> bool:
        """False: workers are other processes, perhaps on other machines."""
        return False

    def run(
        self,
        task: Callable[[Piece], Result],
        pieces: Sequence[Piece],
        done: Callable[[Piece, Result], None],
        failed: Callable[[Piece, Exception], None] | None = None,
    ) -> None:
        """Run the task on each piece; the first error is raised when all others have ended."""
        start = self._starter(task)
        failures, waiting = Failures(pieces, failed), iter(enumerate(pieces))
        running: dict[Any, int] = {}
        try:
            while True:
                while len(running) < self.workers and not failures.is_hopeless and (following := next(waiting, None)):
                    running[start(following[1])] = following[0]
                if not running:
                    break
                for place in self.ray.wait(list(running), num_returns=1)[0]:
                    self._end(place, running.pop(place), pieces, done, failures)
        except BaseException:
            for place in running:
                self.ray.cancel(place)
            raise
        failures.raise_first()

    def _starter(self, task: Callable[[Piece], Result]) -> Callable[[Piece], Any]:
        """A function that hands a piece to Ray, and returns the place of its result."""
        given = self.ray.put(_Given(uuid4().hex, self._pickled(task), str(Path.cwd()), tuple(sys.path), self.threads))
        remote = self.ray.remote(_run_piece).options(
            num_cpus=self.threads or 1,
            num_gpus=self.gpus,
            max_retries=RETRIES,
            name=getattr(task, "__name__", type(task).__name__),
        )
        return lambda piece: remote.remote(given, self._pickled(piece))

    def _pickled(self, value: Any) -> bytes:
        """A task or a piece, with the code of modules that workers cannot import by name: extensions in files.

        Raises:
            ArgumentError: it cannot be pickled.
        """
        for module in outside_modules():
            self.ray.cloudpickle.register_pickle_by_value(module)
        try:
            pickled: bytes = self.ray.cloudpickle.dumps(value)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            what = f"{type(value).__name__} cannot be sent to workers: {error}"
            raise ArgumentError(what, remedy="leave --engine ray out, or give what can be pickled") from error
        return pickled

    def _end(
        self,
        place: Any,
        position: int,
        pieces: Sequence[Piece],
        done: Callable[[Piece, Result], None],
        failures: Failures[Piece],
    ) -> None:
        """Hand over the result of a piece, or keep its error."""
        try:
            result = self.ray.get(place)
        except self.ray.exceptions.RayTaskError as error:
            error.cause.__cause__ = error  # with the traceback of the worker
            failures.add(position, error.cause)
        except self.ray.exceptions.RayError as error:
            failures.add(position, _lost(position, len(pieces), error))
        else:
            done(pieces[position], result)

    def check_folder(self, folder: Path) -> None:
        """Check on every machine of the cluster that a file written here is there, and the reverse.

        Raises:
            RunError: a machine does not see the folder, or cannot write to it.
        """
        folder = folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        mark = folder / f".visible-{uuid4().hex[:8]}.tmp"
        mark.touch()
        try:
            for machine, answer in _on_every_machine(self.ray, _answer_mark, mark):
                if isinstance(answer, str):
                    raise _unseen(folder, machine, answer)
                if not _appears(answer):
                    raise _unseen(folder, machine, "its files do not come back")
        finally:
            for left in folder.glob(f"{mark.stem}*"):
                left.unlink(missing_ok=True)


def _on_every_machine(ray: ModuleType, ask: Callable[..., Any], *arguments: Any) -> list[tuple[str, Any]]:
    """The name of each machine of the cluster with what a function returns there."""
    nodes = [node for node in ray.nodes() if node["Alive"]]
    strategy = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
    there = [
        ray.remote(ask).options(num_cpus=0, scheduling_strategy=strategy(node["NodeID"], soft=False)) for node in nodes
    ]
    answers = ray.get([each.remote(*arguments) for each in there])
    return [(node["NodeManagerHostname"], answer) for node, answer in zip(nodes, answers, strict=True)]


def _check_versions(ray: ModuleType) -> None:
    """Check that every machine of the cluster has the same Similitude.

    Raises:
        RunError: one has none, or another.
    """

    def installed() -> str:  # pickled by value, since Similitude may not be there
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("similitude")
        except PackageNotFoundError:
            return "none"

    for machine, found in _on_every_machine(ray, installed):
        if found != __version__:
            what = f"worker '{machine}' has Similitude {found}, but this process has {__version__}"
            raise RunError(
                what, remedy=f"install version {__version__} on all machines; in a clone of it: pip install '.[ray]'"
            )


def _check_gpus(ray: ModuleType, gpus: float) -> None:
    """Check that the cluster has as many GPUs as a piece needs.

    Raises:
        ArgumentError: it has fewer.
    """
    there = ray.cluster_resources().get("GPU", 0.0)
    if gpus > there:
        what = f"a piece is to have {gpus:g} GPUs, but the cluster has {there:g}"
        raise ArgumentError(what, remedy="leave --gpus out, or add machines to the cluster")


class _Given(NamedTuple):
    """What the pieces of one run share.

    Attributes:
        key: of the run.
        task: pickled.
        folder: the working directory of the caller, so that relative paths mean the same.
        imports: where the caller finds its modules.
        threads: of BLAS and OpenMP.
    """

    key: str
    task: bytes
    folder: str
    imports: tuple[str, ...]
    threads: int | None


def _run_piece(given: _Given, piece: bytes) -> Any:
    """Run a piece on a worker. The task is pickled by hand, because Ray would unpickle it before modules are found."""
    if Path(given.folder).is_dir():
        os.chdir(given.folder)
    sys.path += [path for path in given.imports if path not in sys.path and Path(path).exists()]
    task = _loaded.get(given.key)
    if task is None:
        _loaded.clear()
        task = _loaded[given.key] = pickle.loads(given.task)
    with limited_threads(given.threads):
        return task(pickle.loads(piece))


_loaded: dict[str, Callable[[Any], Any]] = {}
"""On a worker: the task of the run, so that what it opens once serves all its pieces."""


def _answer_mark(mark: Path) -> Path | str:
    """On a worker: write a file beside the mark; its path, or what went wrong."""
    if not _appears(mark):
        return "the folder is not there, or is another one"
    answer = mark.with_name(f"{mark.stem}-{socket.gethostname()}-{os.getpid()}.tmp")
    try:
        answer.touch()
    except OSError as error:
        return f"it cannot be written to: {error.strerror}"
    return answer


def _appears(path: Path) -> bool:
    """Whether a file is there, or comes within seconds, as a network's file system may need."""
    until = time.monotonic() + SECONDS_TO_APPEAR
    while not path.exists():
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _lost(position: int, pieces: int, error: Exception) -> RunError:
    """The error of a piece whose workers died."""
    what = f"its worker died {RETRIES + 1} times ({type(error).__name__})"
    remedy = "look for lack of memory: fewer --workers, or more memory; the same command goes on with what is finished"
    return RunError(what, where=f"piece {position + 1} of {pieces}", remedy=remedy)


def _unseen(folder: Path, machine: str, problem: str) -> RunError:
    what = f"worker '{machine}' does not share this folder: {problem}"
    return RunError(what, where=str(folder), remedy="choose a --folder or --out on a disk that all machines mount")
