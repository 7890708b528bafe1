"""Studies as terminals, pages and files show them: our figures, and those that the paper prints."""
