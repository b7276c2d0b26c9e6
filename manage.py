#!/usr/bin/env python
"""Podium's command line."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as fault:
        sys.exit(f"error: {fault}")
    except DatabaseError as fault:
        from scheduler.management.migrated import not_migrated

        if not (advice := not_migrated()):
            raise
        sys.exit(f"error: {advice} ({fault})")
