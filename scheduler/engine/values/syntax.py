"""What names, keys and values must look like, with the API server's words for what they are not.

Every rule returns the complaints, none if the text is fine. Texts repeat, so answers are remembered.
Source: apimachinery util/validation v0.34.1.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

_NAME_PART = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE = f"({_NAME_PART})?"
_DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_DNS_SUBDOMAIN = rf"{_DNS_LABEL}(\.{_DNS_LABEL})*"

_NAME_RULE = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_NAME_EXAMPLES = f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_NAME_PART}')"
_QUALIFIED_TEXT = (
    f"a qualified name {_NAME_RULE} {_NAME_EXAMPLES} with an optional DNS subdomain prefix and '/' "
    "(e.g. 'example.com/MyName')"
)
_SUBDOMAIN_TEXT = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    f"end with an alphanumeric character (e.g. 'example.com', regex used for validation is '{_DNS_SUBDOMAIN}')"
)
_DNS_LABEL_TEXT = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    f"an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '{_DNS_LABEL}')"
)
_VALUE_TEXT = (
    f"a valid label must be an empty string or consist of {_NAME_RULE.removeprefix('must consist of ')} "
    f"(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '{_LABEL_VALUE}')"
)

_name_part = re.compile(_NAME_PART, re.ASCII)
_label_value = re.compile(_LABEL_VALUE, re.ASCII)
_dns_label = re.compile(_DNS_LABEL, re.ASCII)
_dns_subdomain = re.compile(_DNS_SUBDOMAIN, re.ASCII)


def quoted(value: Any) -> str:
    """A value as the API server's errors show it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def invalid(value: Any, complaint: str) -> str:
    return f"Invalid value: {quoted(value)}: {complaint}"


def unsupported(value: Any, supported: tuple[str, ...]) -> str:
    return f"Unsupported value: {quoted(value)}: supported values: {', '.join(quoted(one) for one in supported)}"


@lru_cache(maxsize=65536)
def qualified_name(text: str) -> tuple[str, ...]:
    """A label key, resource name, taint key: `[prefix/]name`."""
    prefix, slash, name = text.rpartition("/")
    if "/" in prefix:
        return (_QUALIFIED_TEXT,)
    complaints = []
    if slash:
        prefix_complaints = dns_subdomain(prefix) if prefix else ("must be non-empty",)
        complaints += [f"prefix part {complaint}" for complaint in prefix_complaints]
    if not name:
        complaints.append("name part must be non-empty")
    complaints += [f"name part {complaint}" for complaint in _too_long(name, 63)]
    if not _name_part.fullmatch(name):
        complaints.append(f"name part {_NAME_RULE} {_NAME_EXAMPLES}")
    return tuple(complaints)


@lru_cache(maxsize=65536)
def label_value(text: str) -> tuple[str, ...]:
    return _too_long(text, 63) + (() if _label_value.fullmatch(text) else (_VALUE_TEXT,))


@lru_cache(maxsize=65536)
def dns_subdomain(text: str) -> tuple[str, ...]:
    """The name of most objects."""
    return _too_long(text, 253) + (() if _dns_subdomain.fullmatch(text) else (_SUBDOMAIN_TEXT,))


@lru_cache(maxsize=65536)
def dns_label(text: str) -> tuple[str, ...]:
    """The name of a namespace or container."""
    return _too_long(text, 63) + (() if _dns_label.fullmatch(text) else (_DNS_LABEL_TEXT,))


def _too_long(text: str, most: int) -> tuple[str, ...]:
    return (f"must be no more than {most} characters",) if len(text.encode(errors="replace")) > most else ()
