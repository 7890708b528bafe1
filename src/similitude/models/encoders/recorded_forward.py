"""Forward passes on a GPU, recorded as CUDA graphs: a batch of a shape seen before is launched as a whole.

In half precision, a GPU computes a batch of short texts faster than Python launches its kernels. Requires torch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

import torch
from torch import Tensor

__all__ = ["RecordedForward", "recorded_on_gpu"]

_SEEN_BEFORE_RECORDING = 2

Shape = tuple[tuple[str, tuple[int, ...]], ...]


def recorded_on_gpu(forward: Callable[[dict[str, Any]], Any], device: str) -> Callable[[dict[str, Any]], Any]:
    """The function as it is on a CPU, recorded on a GPU."""
    return RecordedForward(forward) if device.startswith("cuda") else forward


class _Recorded(NamedTuple):
    graph: Any
    inputs: dict[str, Tensor]
    outputs: Tensor


class RecordedForward:
    """A function from tokens to rows, recorded for each shape that recurs; threads take turns.

    A function that cannot be recorded is called as it is.

    Args:
        forward: maps a dict of tensors on a GPU to a tensor.
    """

    def __init__(self, forward: Callable[[dict[str, Any]], Tensor]) -> None:
        self.forward = forward
        self._recorded: dict[Shape, _Recorded] = {}
        self._seen: Counter[Shape] = Counter()
        self._lock = Lock()
        self._can_record = True

    def __call__(self, tokens: dict[str, Any]) -> Tensor:
        """The rows of a batch."""
        if not all(isinstance(value, Tensor) and value.is_cuda for value in tokens.values()):
            return self.forward(tokens)
        shape: Shape = tuple(sorted((name, tuple(value.shape)) for name, value in tokens.items()))
        with self._lock:
            found = self._recording(shape, tokens)
            if found is None:
                return self.forward(tokens)
            for name, value in tokens.items():
                found.inputs[name].copy_(value, non_blocking=True)
            found.graph.replay()
            return found.outputs.clone()  # the next replay overwrites it

    def _recording(self, shape: Shape, tokens: dict[str, Tensor]) -> _Recorded | None:
        self._seen[shape] += 1
        if shape in self._recorded:
            return self._recorded[shape]
        if not self._can_record or self._seen[shape] <= _SEEN_BEFORE_RECORDING:
            return None
        try:
            self._recorded[shape] = self._record(tokens)
        except RuntimeError:
            self._can_record = False
            torch.cuda.synchronize()
            return None
        return self._recorded[shape]

    def _record(self, tokens: dict[str, Tensor]) -> _Recorded:
        inputs = {name: value.clone() for name, value in tokens.items()}
        pool = next(iter(self._recorded.values())).graph.pool() if self._recorded else None
        graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.forward(inputs)
            side.synchronize()
            # Not by torch.cuda.graph: it collects garbage, which takes long beside 100,000 lists of tokens.
            graph.capture_begin(pool=pool, capture_error_mode="thread_local")
            try:
                outputs = self.forward(inputs)
            finally:
                graph.capture_end()
        torch.cuda.current_stream().wait_stream(side)
        return _Recorded(graph, inputs, outputs)
