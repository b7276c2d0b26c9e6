"""Many rows at once: one prepared statement, which both databases run several times faster than the ORM builds it."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from django.db import connection, models

from scheduler.models.fields import OrderedJSONField

Values = tuple[Any, ...]
_to_json = OrderedJSONField().get_prep_value


@cache
def columns_of(table: type[models.Model]) -> tuple[tuple[str, str, bool], ...]:
    """(attribute, column, is JSON) of everything but the database's own id."""
    return tuple(
        (field.attname, str(field.column), isinstance(field, OrderedJSONField))
        for field in table._meta.concrete_fields
        if not field.primary_key
    )


@cache
def identity_of(table: type[models.Model]) -> tuple[str, ...]:
    """The columns of the table's one unique constraint: its natural key."""
    constraint = next(c for c in table._meta.constraints if isinstance(c, models.UniqueConstraint))
    return tuple(str(table._meta.get_field(name).column) for name in constraint.fields)  # type: ignore[union-attr]


@cache
def defaults_of(table: type[models.Model]) -> dict[str, Any]:
    """What a column holds that nobody gave a value."""
    return {field.attname: field.get_default() for field in table._meta.concrete_fields if not field.primary_key}


def values(table: type[models.Model], given: dict[str, Any]) -> list[Any]:
    """What `insert_values` takes: `given` by attribute, JSON as text, and defaults for the rest."""
    columns = defaults_of(table) | given
    return [columns[name] for name, _, _ in columns_of(table)]


def values_of(row: models.Model) -> Values:
    return tuple(
        _to_json(getattr(row, name)) if is_json else getattr(row, name) for name, _, is_json in columns_of(type(row))
    )


def insert(table: type[models.Model], rows: Iterable[models.Model], conflict: str = "") -> None:
    columns = [column for _, column, _ in columns_of(table)]
    places = ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {table._meta.db_table} ({', '.join(columns)}) VALUES ({places}) {conflict}"
    execute_many(statement, [values_of(row) for row in rows])


def insert_values(table: type[models.Model], rows: Sequence[Sequence[Any]]) -> None:
    """The same for rows that are no objects: each the values of `columns_of(table)`, JSON as text."""
    columns = ", ".join(column for _, column, _ in columns_of(table))
    if connection.vendor != "postgresql":
        places = ", ".join(["%s"] * len(columns_of(table)))
        execute_many(f"INSERT INTO {table._meta.db_table} ({columns}) VALUES ({places})", rows)
        return
    with connection.cursor() as cursor, cursor.copy(f"COPY {table._meta.db_table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def upsert(table: type[models.Model], rows: Iterable[models.Model], kept: Iterable[str] = ()) -> None:
    """Insert, or overwrite the row of the same natural key, except the columns in `kept`."""
    identity, kept = identity_of(table), set(kept)
    columns = [column for _, column, _ in columns_of(table) if column not in identity and column not in kept]
    changes = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns)
    insert(table, rows, f"ON CONFLICT ({', '.join(identity)}) DO UPDATE SET {changes}")


def execute_many(statement: str, parameters: Sequence[Sequence[Any]]) -> None:
    """`parameters` may be empty: then nothing happens."""
    if parameters:
        with connection.cursor() as cursor:
            cursor.executemany(statement, parameters)
