"""What keeps the pages safe: roles, cookies, form tokens, limits, headers, a log without secrets."""
