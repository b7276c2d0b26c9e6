"""What goes to the log: what somebody should look at."""

import logging

CONFLICT = 409


class NoConflicts(logging.Filter):
    """A command that cannot be done now is answered with a sentence; for whoever runs the server it is nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", None) != CONFLICT
