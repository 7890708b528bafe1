"""``similitude`` and ``python -m similitude``: the command line."""

import os
import signal
from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run the command line, which Ctrl-C ends in one line, whenever it comes.

    While the command line loads, nothing was begun that could be kept. At the end, Python waits for threads that still
    compute, and a second Ctrl-C ends it at once.
    """
    signal.signal(signal.SIGINT, _leave_early)
    from similitude.cli import main as command_line

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        command_line()
    except KeyboardInterrupt:  # while the first one was told
        _leave()
    finally:
        signal.signal(signal.SIGINT, _leave)


def _leave_early(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    os.write(2, b"interrupted before anything was done; run the same command again\n")
    _leave()


def _leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
