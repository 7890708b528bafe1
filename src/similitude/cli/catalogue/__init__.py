"""What can be named on the command line, listed without importing what computes.

Importing every measure and system to list it takes a second of CPU. So the listings ship as tables, which ``make docs``
writes from the registries and a test compares with them. If another package adds to a registry, the registry itself is
asked, because only the other package knows its names.
"""
