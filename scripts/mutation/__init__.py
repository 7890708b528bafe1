"""Mutation testing: which small changes of the code do the tests of its room not notice?

mutants.py makes the changes, live_code.py puts one of them into a process, reached_lines.py knows which tests come by
which line (survey.py asks them), mutant_run.py lets those tests run in a forked process, and verdicts.py remembers what
came of it.
"""
