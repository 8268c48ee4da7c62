"""How days and times are written, where Django's own way does not fit."""
