"""Mutation testing: which small changes of the code do the tests of its room not notice?

mutants.py makes the changes, and left_alone.py says what none of them touches. live_code.py puts one into a process.
survey.py finds the tests, and reached_lines.py the lines that each comes by. mutant_run.py lets the tests that come by
a mutant run in a forked process, child_time.py says when one takes too long, and verdicts.py remembers what came of it.
equivalents.py knows which mutants make no difference, and summary.py counts.
"""
