"""The class of device that a model computes on, and its precision, found without torch where there can be no GPU."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from similitude.models.file_hashes import Memory

__all__ = ["device_class", "resolved_precision"]

_GPU_FILES = ("nvidia*", "nvhost*", "kfd", "dxg")
"""What Linux lists in /dev for a GPU that torch can use: NVIDIA's, Jetson's, AMD's, and that of Windows around it."""
_DRIVER = Path("/proc/driver/nvidia/version")
_BOOT = Path("/proc/sys/kernel/random/boot_id")


def device_class(asked: str | None, memory: Memory | None = None) -> str:
    """The class of the device: cpu, cuda, mps and so on.

    Torch is imported only if there may be a GPU and nobody remembers whether torch can use it.

    Args:
        asked: a torch device; None for a GPU if there is one, else the CPU.
        memory: remembers whether torch can use the GPU, until the machine or its settings change.
    """
    if asked is not None:
        return asked.partition(":")[0]
    if "torch" in sys.modules:
        return _by_torch()
    if not _may_have_gpu():
        return "cpu"
    return _remembered(memory)


def resolved_precision(dtype: str, device: str) -> str:
    """The precision that a model computes in; "own" for that in its files.

    Args:
        dtype: the precision that was asked for.
        device: the class of the device.

    >>> resolved_precision("auto", "cpu"), resolved_precision("auto", "cuda"), resolved_precision("float16", "cpu")
    ('float32', 'own', 'float16')
    """
    if dtype != "auto":
        return dtype
    return "float32" if device == "cpu" else "own"


def _by_torch() -> str:
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def _may_have_gpu() -> bool:
    if sys.platform == "darwin" or _torch_version().endswith("+cpu"):
        return False
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1"):
        return False
    return sys.platform != "linux" or bool(_gpu_files())


def _gpu_files() -> list[str]:
    return sorted(path.name for pattern in _GPU_FILES for path in Path("/dev").glob(pattern))


def _torch_version() -> str:
    try:
        return version("torch")
    except PackageNotFoundError:
        return "+cpu"  # nothing is computed without torch


def _remembered(memory: Memory | None) -> str:
    facts = [_torch_version(), *(f"{name}={value}" for name, value in sorted(os.environ.items()) if "VISIBLE" in name)]
    facts += [path.read_text(encoding="utf-8") for path in (_DRIVER, _BOOT) if path.is_file()]
    question = f"device class of {facts} with {_gpu_files()}"
    known = None if memory is None else memory.recall(question)
    found = known if known in ("cpu", "cuda") else _by_torch()
    if memory is not None and known != found:
        memory.remember(question, found)
    return found
