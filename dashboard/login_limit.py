"""A bound on guessed passwords: failed logins are counted for a while, by user name and address, in Django's cache."""

import hashlib
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches

CACHE = "logins"
WINDOW_SECONDS = 300
OF_ADDRESS = 10  # times as many for one address, whatever the names: several people may share one


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to log in. `address`: of the peer, which is the proxy's where there is one."""

    address: str
    name: str

    def may_go_on(self) -> bool:
        """Whether it may be tried at all; it counts as failed until `forgiven`. Without a limit (0) all may."""
        most = settings.PODIUM_LOGIN_ATTEMPTS
        if not most:
            return True
        # An address that is refused leaves no more names behind: what is kept stays small.
        return _counted(self._address_key()) <= most * OF_ADDRESS and _counted(self._name_key()) <= most

    def forgiven(self) -> None:
        """The password was right: earlier failures for this name do not count any more, nor does this attempt."""
        cache = caches[CACHE]
        cache.delete(self._name_key())
        if (cache.get(self._address_key()) or 0) > 0:
            cache.decr(self._address_key())

    def _name_key(self) -> str:
        """A hash: a name may be anything, and an account is one however its name is written."""
        told = f"{self.address}\0{self.name.strip().casefold()}"
        return "name-" + hashlib.blake2b(told.encode(errors="replace"), digest_size=16).hexdigest()

    def _address_key(self) -> str:
        return "address-" + hashlib.blake2b(self.address.encode(), digest_size=16).hexdigest()


def _counted(key: str) -> int:
    """How often within the window, this time included."""
    cache = caches[CACHE]
    if cache.add(key, 1, WINDOW_SECONDS):
        return 1
    try:
        return int(cache.incr(key))
    except ValueError:  # it has just run out
        cache.set(key, 1, WINDOW_SECONDS)
        return 1
