"""Which evaluation measures predict how systems do in tasks."""
