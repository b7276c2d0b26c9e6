"""Settings from the environment: a bad value is one clear sentence."""

from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

FILE = Path("/data/podium.sqlite3")


def test_without_an_address_the_database_is_a_file_with_wal():
    database = env.env_database("NO_SUCH_URL", FILE)
    assert database["NAME"] == str(FILE)
    assert "journal_mode=WAL" in database["OPTIONS"]["init_command"]
    assert "synchronous=normal" in database["OPTIONS"]["init_command"]


def test_a_power_cut_can_be_outlived(monkeypatch):
    monkeypatch.setenv("DATABASE_SYNC", "FULL")
    assert "synchronous=full" in env.sqlite(FILE)["OPTIONS"]["init_command"]


def test_a_postgresql_address_is_read(monkeypatch):
    monkeypatch.setenv("DB", "postgresql://ada:p%40ss@db.example:5433/podium?sslmode=require")
    database = env.env_database("DB", FILE)
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("ada", "p@ss", "db.example")
    assert (database["PORT"], database["NAME"]) == ("5433", "podium")
    assert database["OPTIONS"]["sslmode"] == "require"


def test_a_socket_directory_is_a_host(monkeypatch):
    monkeypatch.setenv("DB", "postgresql://podium@:5544/postgres?host=/run/pg")
    assert env.env_database("DB", FILE)["HOST"] == "/run/pg"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("mysql://x/y", "must begin with sqlite:// or postgresql://", id="scheme"),
        pytest.param("postgresql://host/", "names no database", id="no name"),
        pytest.param("postgresql://host:port/x", "not a valid URL", id="port"),
        pytest.param("sqlite://file", "write sqlite:///", id="slashes"),
    ],
)
def test_a_bad_database_address_is_told(url, message, monkeypatch):
    monkeypatch.setenv("DB", url)
    with pytest.raises(ImproperlyConfigured, match=message):
        env.env_database("DB", FILE)


@pytest.mark.parametrize(
    ("read", "value", "message"),
    [
        pytest.param(lambda: env.env_bool("X"), "maybe", "not a boolean", id="boolean"),
        pytest.param(lambda: env.env_int("X", 1), "many", "not a whole number", id="number"),
        pytest.param(lambda: env.env_int("X", 1, 0, 9), "10", "between 0 and 9", id="range"),
        pytest.param(lambda: env.env_choice("X", ("normal", "full")), "off", "one of normal, full", id="choice"),
        pytest.param(lambda: env.env_redis("X"), "http://x", "must begin with redis://", id="redis"),
    ],
)
def test_a_bad_value_is_told(read, value, message, monkeypatch):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=message):
        read()
