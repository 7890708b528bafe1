"""What templates are handed: questions, answers and pages as plain values."""
