"""People and money: what was decided about whom, what they earn by the hour, and the lists that platforms take."""
