"""How much a file may ask of us: every bound that keeps a hostile or mistaken upload from doing harm."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Sizes are bytes after decompression, over all files of one import."""

    total_bytes: int = 4096 * MIB
    yaml_bytes: int = 20 * MIB  # of one file
    all_yaml_bytes: int = 100 * MIB
    value_bytes: int = 128 * MIB  # of one JSON value that is not a list: it is read as a whole
    in_memory_bytes: int = 64 * MIB  # larger files are mapped instead of read
    objects: int = 1_000_000
    files: int = 10_000
    nesting: int = 100
    aliases: int = 1_000
    alias_values: int = 100_000  # values that aliases may stand for, all together
    faults: int = 100


DEFAULT = Limits()
