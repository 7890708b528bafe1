"""One file per revision. A released revision is never edited; every change is a new one."""
