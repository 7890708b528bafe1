"""The five settings of the USTS paper: models trained and tested within and across domains."""
