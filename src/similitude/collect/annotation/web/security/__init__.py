"""The security of the pages: cookies, form tokens, limits, headers, and a log without secrets."""
