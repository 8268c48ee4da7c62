"""Portuguese: the rest is Django's."""

DATETIME_FORMAT = "d/m/Y H:i"
"""With the month in words, a time took four lines of a table's column."""
