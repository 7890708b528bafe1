"""``python -m similitude``: the command line."""

from similitude.cli import main

main()
