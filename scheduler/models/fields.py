"""JSON stored as text, because PostgreSQL's jsonb forgets the order of keys and refuses \\u0000."""

from typing import TYPE_CHECKING, Any

import msgspec
from django.db import models

if TYPE_CHECKING:  # Django's own class takes no type argument when it runs
    TextField = models.TextField[Any, Any]
else:
    TextField = models.TextField


class OrderedJSONField(TextField):
    """Any JSON value, given back exactly as it was written: key order and all. Not searchable by path."""

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else msgspec.json.decode(value)

    def to_python(self, value: Any) -> Any:
        return msgspec.json.decode(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        return None if value is None else msgspec.json.encode(value).decode()

    def value_to_string(self, obj: models.Model) -> str:
        return msgspec.json.encode(self.value_from_object(obj)).decode()
