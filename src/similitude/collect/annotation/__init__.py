"""The annotation server: people judge in a browser, and no answer is lost.

``plan`` reads the study, ``tasks`` holds the kinds of question, ``store`` keeps everything in a database, and ``web``
serves the pages and the API. It needs the extra ``annotate``.
"""
