"""The study of prompts and language models, in the layouts of the C-STS paper and GiCCS."""
