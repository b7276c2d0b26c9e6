"""Addresses that a form or a link carries along to lead back: followed only inside this site."""

from django.utils.http import url_has_allowed_host_and_scheme

LONGEST = 2000


def own_address(address: str) -> str:
    """The address if it is a path of this site, else ""."""
    is_path = address.startswith("/") and len(address) <= LONGEST
    return address if is_path and url_has_allowed_host_and_scheme(address, None) else ""
