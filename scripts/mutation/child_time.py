"""How long a child computes, and whether it hangs.

Time is the processor's. By the clock, a child on a busy machine takes long and is well; only one that computes nothing
for minutes waits for what never comes.
"""

import os
import resource
import time
from dataclasses import dataclass, field
from pathlib import Path

START = 10.0
"""Seconds of the processor for what comes before the tests: a child collects them, and imports what changed."""
SLOWER = 10
"""How many times as long as without a mutant, and under watch, the tests may compute."""
STILL = 180.0
"""Seconds by the clock in which a child that hangs computes nothing."""
NOTHING = 0.1
"""Seconds of the processor that are as good as none in that time: even one program among fifty gets more."""


def limit(watched: float) -> float:
    """Seconds of the processor after which a mutant's child is taken to be endless.

    Args:
        watched: what its tests took as they were watched, in seconds of the processor.
    """
    return START + SLOWER * watched


def set_limit(seconds: float) -> None:
    """Ends this process by SIGXCPU after so many more seconds of the processor."""
    whole = int(time.process_time() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 5))


@dataclass(slots=True)
class ChildTime:
    """What a child has computed, looked at once a second.

    Attributes:
        process: its number.
        still: seconds by the clock after which one that computes nothing hangs.
    """

    process: int
    still: float = STILL
    _computed: float = 0.0
    _since: float = field(default_factory=time.monotonic)
    _next: float = 0.0

    def hangs(self) -> bool:
        """Whether it has computed nothing for so long."""
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + 1
        computed = processor_seconds(self.process)
        if computed - self._computed > NOTHING:
            self._computed, self._since = computed, now
        return now - self._since > self.still


def processor_seconds(process: int) -> float:
    """What a process and its ended children have computed; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    except FileNotFoundError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
