"""Starts annotation servers again and again, quickly, for `test_faults.py`: ``python forking_server.py LOG``.

Importing takes longer than everything else that a start does. Here everything is imported once, and each line of
standard input, the arguments of ``similitude`` as JSON, becomes a new process in which the real command runs from its
first line on. Its process id is written to standard output, what the server says to LOG.
"""

import importlib
import json
import os
import signal
import sys
from pathlib import Path

from similitude.cli import main

IMPORTED = (
    "similitude.cli.annotation_server",
    "similitude.collect.annotation.plan.reader",
    "similitude.collect.annotation.web",
    "similitude.collect.annotation.web.console",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)


def serve(arguments: list[str], said: Path) -> None:
    """Run the command in this process."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    log = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    sys.argv = ["similitude", *arguments]
    main()


if __name__ == "__main__":
    for name in IMPORTED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that were killed leave nothing behind
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                serve(json.loads(line), Path(sys.argv[1]))
            finally:
                os._exit(1)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
