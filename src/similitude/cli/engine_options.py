"""Where commands run the pieces of a large job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from similitude.cli import parameters

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from similitude.study.engines import Engine

__all__ = ["EngineOptions", "Engines"]


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the pieces of a job run.

    Attributes:
        engine: where pieces run: in this process, or on the workers of a Ray cluster (docs/cluster.md).
        address: the Ray cluster, as HOST:PORT. By default one is started on this machine.
        workers: how many pieces run at a time. By default 1; with --engine ray one for each CPU.
        gpus: GPUs of the cluster for each piece; 0.5 lets two pieces share one.
    """

    engine: Literal["local", "ray"] = "local"
    address: Annotated[str | None, Parameter(metavar="HOST:PORT")] = None
    workers: Annotated[int | None, Parameter(metavar="N", validator=Number(gte=1))] = None
    gpus: Annotated[float, Parameter(metavar="N", validator=Number(gte=0))] = 0.0

    def open(self, *, threads: int | None = 1) -> AbstractContextManager[Engine]:
        """The engine, for a ``with`` block.

        Args:
            threads: of BLAS and OpenMP within a piece; None leaves them alone.
        """
        from similitude.study.engines import open_engine

        return open_engine(self.engine, address=self.address, workers=self.workers, threads=threads, gpus=self.gpus)


Engines = Annotated[EngineOptions, parameters.flat(parameters.COMMON)]
