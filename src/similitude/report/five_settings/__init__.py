"""The study of five settings, in the layout of the USTS paper."""
