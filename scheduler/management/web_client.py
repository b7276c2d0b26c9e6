"""Asks our own web server whether it answers yet."""

import http.client


def status_of(host: str, port: int, seconds: float = 5.0) -> int | None:
    """Status code of the login page, None while nobody answers."""
    connection = http.client.HTTPConnection(_reachable(host), port, timeout=seconds)
    try:
        connection.request("GET", "/login/", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def _reachable(host: str) -> str:
    """An address that leads to a server listening on `host`: the wildcards are none."""
    return {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)


def displayed(host: str) -> str:
    """`host` as it stands in an address for people."""
    if host in ("", "0.0.0.0", "::"):
        return "localhost"
    return f"[{host}]" if ":" in host else host
