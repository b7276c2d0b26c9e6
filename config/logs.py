"""What goes to the log: what somebody should look at."""

import logging

CONFLICT = 409
FORBIDDEN = 403


class NoConflicts(logging.Filter):
    """A command that cannot be done now is answered with a sentence; for whoever runs the server it is nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != CONFLICT


class ShortRefusals(logging.Filter):
    """Who may not do something is told so; the log keeps the line, and no traceback: nothing went wrong."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == FORBIDDEN:
            record.exc_info = record.exc_text = None
        return True
