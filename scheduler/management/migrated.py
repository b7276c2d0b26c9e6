"""Whether the database has the tables of this version: a command that stumbles over it says so in one line."""

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config.env import env_str


def not_migrated() -> str:
    """What to do about a database without our tables, or with those of an earlier version; "" if it has them all."""
    try:
        executor = MigrationExecutor(connection)
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return ""
    except DatabaseError:
        return ""
    name = "of DATABASE_URL" if env_str("DATABASE_URL") else str(connection.settings_dict["NAME"])
    return f"The database {name} is not set up for this version of Podium: run `manage.py migrate` first."
