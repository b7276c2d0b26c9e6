"""Of English, the only language here."""
