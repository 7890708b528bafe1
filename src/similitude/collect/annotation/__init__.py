"""The annotation server: people judge in a browser, and no answer is lost.

``plan`` reads the study, ``tasks`` knows the four kinds of question, ``store`` keeps everything in a database, and
``web`` shows it. Needs the extra ``annotate``; nothing here is imported before it is used.
"""
