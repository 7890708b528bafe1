"""The figures of the four papers, computed again from ``evidence/`` and laid beside the printed ones."""
