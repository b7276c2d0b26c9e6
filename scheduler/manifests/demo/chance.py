"""Chance that is none: values drawn from a name, so that the demo cluster is the same wherever it is made."""

from datetime import UTC, datetime, timedelta
from zlib import crc32

ALPHABET = "bcdfghjklmnpqrstvwxz2456789"  # what Kubernetes draws suffixes from: no vowels, no look-alikes
NOW = datetime(2026, 3, 9, 9, 0, tzinfo=UTC)


def draw(name: str, below: int) -> int:
    return crc32(name.encode()) % below


def suffix(name: str, length: int) -> str:
    return "".join(ALPHABET[draw(f"{name}/{place}", len(ALPHABET))] for place in range(length))


def timestamp(seconds_ago: int) -> str:
    return (NOW - timedelta(seconds=seconds_ago)).strftime("%Y-%m-%dT%H:%M:%SZ")
