"""The four papers that Similitude starts from: the figures they print, and layouts that lay ours beside them."""
