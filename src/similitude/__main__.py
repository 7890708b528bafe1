"""``similitude`` and ``python -m similitude``: the command line."""

import os
import signal
from types import FrameType

__all__ = ["main"]

INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C while it is still loading ends it in one line, as later."""
    signal.signal(signal.SIGINT, _leave)
    from similitude.cli import main as command_line

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        command_line()
    except KeyboardInterrupt:
        _leave()


def _leave(number: int = signal.SIGINT, frame: FrameType | None = None) -> None:
    """End at once: nothing was begun that could be kept."""
    os.write(2, b"interrupted before anything was done; run the same command again\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
