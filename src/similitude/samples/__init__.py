"""Sample benchmarks and sample tasks: those that ship with the package, and generated ones."""

from similitude.samples.catalogue import PARTS, REAL_PART, SAMPLE_PARTS, read_sample, real_part_source
from similitude.samples.tasks import SAMPLE_TASKS, sample_task_folder

__all__ = [
    "PARTS",
    "REAL_PART",
    "SAMPLE_PARTS",
    "SAMPLE_TASKS",
    "read_sample",
    "real_part_source",
    "sample_task_folder",
]
