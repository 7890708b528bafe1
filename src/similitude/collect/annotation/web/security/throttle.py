"""A rate limit per key in a window of time, with bounded memory."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

__all__ = ["Throttle", "address_key"]


class Throttle:
    """Allows at most ``limit`` attempts per key in ``seconds``.

    It remembers the last ``most_keys`` keys and forgets the oldest first, so that a flood of made-up keys cannot fill
    the memory. Each process counts on its own.

    >>> ticking = iter([0.0, 1.0, 2.0, 61.0]).__next__
    >>> throttle = Throttle(2, 60, clock=ticking)
    >>> [throttle.wait("anna") for attempt in range(4)]
    [0.0, 0.0, 58.0, 0.0]
    """

    def __init__(
        self, limit: int, seconds: float, *, most_keys: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limit = limit
        self.seconds = seconds
        self.most_keys = most_keys
        self._clock = clock
        self._attempts: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._attempts)

    def wait(self, key: str, *, count: bool = True) -> float:
        """The seconds to wait if this attempt is one too many, else 0.

        The attempt is counted unless it is refused or ``count`` is false.
        """
        with self._lock:
            now = self._clock()
            times = self._recent(key, now)
            if len(times) >= self.limit:
                return times[0] + self.seconds - now
            if count:
                times.append(now)
                self._attempts[key] = times
                self._attempts.move_to_end(key)
            while len(self._attempts) > self.most_keys:
                self._attempts.popitem(last=False)
            return 0.0

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._attempts.get(key, deque())
        while times and times[0] <= now - self.seconds:
            times.popleft()
        return times


def address_key(address: str) -> str:
    """The key of an address: the whole IPv6 network of a customer counts as one.

    >>> address_key("2001:db8:1:2:3:4:5:6"), address_key("192.0.2.7"), address_key("testclient")
    ('2001:db8:1:2::/64', '192.0.2.7', 'testclient')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    network = IPv6Address(int(parsed) >> 64 << 64)
    return f"{network}/64"
