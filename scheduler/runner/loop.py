"""The runner's loop: take what wants to run, give each its slice, sleep until the next thing is due."""

import logging
import os
import secrets
import socket
import threading

from django.db import DatabaseError, InterfaceError, close_old_connections, connection

from scheduler.engine.errors import Refused
from scheduler.execution.doorbell import Doorbell
from scheduler.execution.presence import Presence
from scheduler.models import Cluster
from scheduler.runner import lease
from scheduler.runner.run import LONGEST_SLEEP_SECONDS, Run
from scheduler.services import Busy, run_pause

log = logging.getLogger(__name__)
DATABASE_PAUSE_SECONDS = 1.0


class Runner:
    """Several may run, on any machine: leases keep them apart. `stop` ends the loop after the current slice."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self.holder = f"{socket.gethostname()[:32]}:{os.getpid()}:{secrets.token_hex(4)}"
        self.stop = stop or threading.Event()
        self._runs: dict[int, Run] = {}
        self._doorbell = Doorbell()

    def run(self) -> None:
        presence = Presence("runner").start()
        try:
            while not self.stop.is_set():
                self.turn()
                if self._doorbell.wait(self.seconds_to_sleep()):
                    for run in self._runs.values():
                        run.wake()
        finally:
            presence.stop()
            self._doorbell.close()
            self._let_all_go()

    def turn(self) -> None:
        """One round. A database that is busy or away costs a pause, never the process."""
        try:
            self._take_new()
            for run in list(self._runs.values()):
                if not self.stop.is_set():
                    self._advance(run)
        except (DatabaseError, InterfaceError) as fault:
            log.warning("The database did not take it (%s); trying again.", str(fault).strip() or type(fault).__name__)
            close_old_connections()
            self.stop.wait(DATABASE_PAUSE_SECONDS)

    def seconds_to_sleep(self) -> float:
        """Until the next run has something due. A second at most, since a ring may be missed."""
        return min((run.seconds_to_sleep() for run in self._runs.values()), default=LONGEST_SLEEP_SECONDS)

    def _take_new(self) -> None:
        for cluster_id in lease.wanting(self.holder):
            if cluster_id not in self._runs and lease.take(cluster_id, self.holder):
                self._runs[cluster_id] = Run(cluster_id, self.holder)

    def _advance(self, run: Run) -> None:
        if run.seconds_to_sleep() > 0:
            return
        try:
            going_on = run.keep_lease() and run.advance()
        except Busy:
            return  # others write a lot at this moment; the next round is ours
        except Cluster.DoesNotExist:
            going_on = False
        except Refused as fault:
            run_pause(run.cluster_id, str(fault))
            going_on = False
        except (DatabaseError, InterfaceError):
            raise
        except Exception as fault:
            # The same state would fail the same way for ever: stop this run, say why, and keep the others going.
            log.exception("Cluster %s cannot go on.", run.cluster_id)
            run_pause(run.cluster_id, f"Stopped by an internal error: {type(fault).__name__}: {fault}")
            going_on = False
        if not going_on:
            self._let_go(run)

    def _let_go(self, run: Run) -> None:
        del self._runs[run.cluster_id]
        run.end()

    def _let_all_go(self) -> None:
        try:
            for run in list(self._runs.values()):
                self._let_go(run)
        except (DatabaseError, InterfaceError) as fault:
            log.warning("Leases could not be given back (%s); they expire by themselves.", fault)
        finally:
            connection.close()
