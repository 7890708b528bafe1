"""Runs the cells of a study: each once, in the order of what they need, here or on the workers of an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, RunError
from similitude.study.cells.cell import Arrived, Cell, CellTask, Shared
from similitude.study.engines import Engine

__all__ = ["Done", "Failed", "engine_apart", "run_cells"]

Failed = Callable[[Cell, Exception], None]
Done = Callable[[Cell, Any], None]


def run_cells(
    cells: Sequence[Cell],
    shared: Shared,
    *,
    engine: Engine | None = None,
    listener: Listener | None = None,
    failed: Failed | None = None,
    done: Done | None = None,
) -> dict[str, Any]:
    """The products of cells, by key; what was made before is not made again.

    Args:
        cells: in the order in which they start; what they need is run before them, if it has to be.
        shared: what they read, by name.
        engine: runs cells side by side in other processes; None to run one after the other in this one.
        listener: is told the progress.
        failed: called with the error of a cell, which is then not raised. Cells that need it fail as well.
        done: called with each product, kept or new, as soon as it is there.

    Raises:
        Exception: that of a cell; those before it are kept, and with an engine those after it too.
    """
    run = _CellRun(shared, engine_apart(engine), OptionalListener(listener), listener, failed, done)
    run.run(list({cell.key: cell for cell in cells}.values()))
    return run.products


@dataclass
class _CellRun:
    shared: Shared
    engine: Engine | None
    told: OptionalListener
    listener: Listener | None
    failed: Failed | None
    done: Done | None
    products: dict[str, Any] = field(default_factory=dict)
    errors: dict[str, Exception] = field(default_factory=dict)

    def run(self, cells: Sequence[Cell]) -> None:
        if self.engine is None:
            for place, cell in enumerate(cells):
                self.told.progress(cell.name, place, len(cells))
                self._here(cell)
            return
        missing = [cell for cell in cells if not self._is_known(cell)]
        while missing:
            wave = list(_first_needs(missing, self._is_known, self.errors))
            self._apart(wave)
            missing = [cell for cell in missing if cell.key not in self.products and cell.key not in self.errors]

    def _here(self, cell: Cell) -> None:
        """Run a cell in this process, after what it needs."""
        if cell.key in self.products or cell.key in self.errors:
            return
        try:
            if self._is_known(cell):
                return
            for need in cell.needs:
                self._here(need)
            self._check_needs(cell)
            self._keep(cell, cell.remember(cell.work(self.shared, self.listener)))
        except Exception as error:
            self._fail(cell, error)

    def _apart(self, wave: Sequence[Cell]) -> None:
        """Run cells on the workers, of which none needs another."""
        assert self.engine is not None
        here = {cell.key: cell for cell in wave}
        total = len(wave)

        def done(piece: Cell, arrived: Arrived) -> None:
            cell = here.pop(piece.key)
            for note in arrived.notes:
                self.told.note(note)
            self._keep(cell, cell.remember(arrived.result))
            self.told.progress(cell.name, total - len(here), total)

        def failed(piece: Cell, error: Exception) -> None:
            self._fail(here.pop(piece.key), error)

        runnable = []
        for cell in wave:
            try:
                self._check_needs(cell)
                runnable.append(cell.away())
            except RunError as error:
                self._fail(here.pop(cell.key), error)
        self.engine.run(CellTask(self.shared), runnable, done, None if self.failed is None else failed)

    def _is_known(self, cell: Cell) -> bool:
        """Whether the product is there; it is read on the way. A cell that cannot be looked at fails when it is run."""
        if cell.key in self.products:
            return True
        try:
            product = cell.recall()
        except Exception:
            if self.engine is None:
                raise
            return False
        if product is not None:
            self._keep(cell, product)
        return product is not None

    def _keep(self, cell: Cell, product: Any) -> None:
        self.products[cell.key] = product
        if self.done is not None:
            self.done(cell, product)

    def _fail(self, cell: Cell, error: Exception) -> None:
        if self.failed is None:
            raise error
        self.errors[cell.key] = error
        self.failed(cell, error)

    def _check_needs(self, cell: Cell) -> None:
        """Raise if a cell that this one needs has failed."""
        lacking = next((need for need in cell.needs if need.key in self.errors), None)
        if lacking is not None:
            why = self.errors[lacking.key]
            raise RunError(f"needs '{lacking.name}', which failed: {why}", where=cell.name, remedy="mend that first")


def _first_needs(
    cells: Sequence[Cell], is_known: Callable[[Cell], bool], errors: dict[str, Exception]
) -> Iterator[Cell]:
    """Of cells and all that they need: those that can run now, each once."""
    seen: set[str] = set()
    for cell in cells:
        lacking = [need for need in cell.needs if need.key not in errors and not is_known(need)]
        for found in _first_needs(lacking, is_known, errors) if lacking else [cell]:
            if found.key not in seen:
                seen.add(found.key)
                yield found


def engine_apart(engine: Engine | None) -> Engine | None:
    """The engine if its workers are other processes; None if cells run one after the other in this one.

    Raises:
        ArgumentError: several pieces are to run at a time in this process.
    """
    if engine is None or not engine.is_here:
        return engine
    if engine.workers > 1:
        raise ArgumentError(
            f"{engine.workers} workers in one process gain nothing: a model uses all cores, and an endpoint is asked "
            "many things at a time",
            remedy="add --engine ray for processes side by side, or leave --workers out",
        )
    return None
