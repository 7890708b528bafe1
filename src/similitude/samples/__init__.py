"""Sample benchmarks and sample tasks: those that ship with the package, and generated ones."""

from similitude.samples.catalogue import PARTS, SAMPLE_PARTS, read_sample
from similitude.samples.tasks import SAMPLE_TASKS, sample_task_folder

__all__ = ["PARTS", "SAMPLE_PARTS", "SAMPLE_TASKS", "read_sample", "sample_task_folder"]
