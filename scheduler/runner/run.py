"""One running cluster in this runner's hands, from the taking of its lease until it is let go."""

import time
from collections.abc import Sequence

from scheduler import store
from scheduler.engine import until
from scheduler.engine.commands import AdvanceClock
from scheduler.engine.events import Event
from scheduler.engine.simulation.simulation import Simulation
from scheduler.execution import pacemaker, precedence
from scheduler.models import Cluster
from scheduler.runner import lease
from scheduler.runner.idle import Failures, is_idle, reason
from scheduler.runner.pace import Pace
from scheduler.runner.slices import SLICE_SECONDS, can_schedule, next_due_us, work
from scheduler.runner.stop import Stop
from scheduler.services import run_pause, write

# Browsers are told of every commit, so this bounds how often they are: ten times a second.
COMMIT_SECONDS = 0.1
LONGEST_SLEEP_SECONDS = 1.0
SHORTEST_SLICE_SECONDS = 0.005
LONGEST_WAIT_SECONDS = 3.0
WAIT_SECONDS = 0.02


class Run:
    def __init__(self, cluster_id: int, holder: str) -> None:
        self.cluster_id, self._holder = cluster_id, holder
        self._renewed = time.monotonic()
        self._pace: Pace | None = None
        self._failures = Failures()
        self._tries, self._seconds = 0, SLICE_SECONDS
        self._seq = 0
        self._began = self._sleep_until = 0.0
        self._over, self._reason = False, ""
        self._looked_seq: int | None = None
        self._waits_since: float | None = None

    def keep_lease(self) -> bool:
        """False once another runner has taken over."""
        if time.monotonic() - self._renewed < lease.RENEW_SECONDS:
            return True
        self._renewed = time.monotonic()
        if not lease.take(self.cluster_id, self._holder):
            return False
        self._say_pace()
        return True

    def end(self) -> None:
        """Time stands still again, and another may take the cluster."""
        if lease.release(self.cluster_id, self._holder):
            pacemaker.stop(self.cluster_id)

    def _say_pace(self) -> None:
        if self._pace is None or self._pace.flat_out:
            pacemaker.stop(self.cluster_id)
        else:
            pace = self._pace
            pacemaker.say(self.cluster_id, pace.target_us(), pace.rate, pace.awaited_us)

    def advance(self) -> bool:
        """One slice of work. False once the run is over: paused by a person, or because nothing is left to do."""
        cluster = Cluster.objects.only("wanted", "speed", "until", "until_seq").filter(pk=self.cluster_id).first()
        if cluster is None:
            return False
        if cluster.wanted != Cluster.Wanted.RUNNING:
            self._let_time_pass()
            return False
        if self._gives_way():
            return True
        self._began, self._tries = time.monotonic(), 0
        committed = write(self.cluster_id, lambda simulation: self._slice(simulation, cluster), by_run=True)
        self._seq = self._looked_seq = committed.last_seq
        if self._over:
            run_pause(self.cluster_id, self._reason)
        return not self._over

    def _gives_way(self) -> bool:
        """Somebody who lost a race against this run writes first, unless that takes for ever."""
        now, waits = time.monotonic(), precedence.asked(self.cluster_id)
        since = self._waits_since or now
        if not waits or now - since > LONGEST_WAIT_SECONDS:
            self._waits_since = None
            return False
        self._waits_since, self._sleep_until = since, now + WAIT_SECONDS
        return True

    def seconds_to_sleep(self) -> float:
        return max(0.0, self._sleep_until - time.monotonic())

    def wake(self) -> None:
        """Somebody rang: look at once, but no more often than browsers may be told."""
        self._sleep_until = min(self._sleep_until, self._began + COMMIT_SECONDS)

    def _slice(self, simulation: Simulation, cluster: Cluster) -> Sequence[Event]:
        """Asked again because others wrote meanwhile, it does less: a short slice finds a gap between their writes."""
        self._tries += 1
        self._seconds = (
            min(SLICE_SECONDS, self._seconds * 2)
            if self._tries == 1
            else max(SHORTEST_SLICE_SECONDS, self._seconds / 4)
        )
        pace = self._paced(simulation, cluster.speed)
        stop = self._stop(simulation, cluster)
        events = work(simulation, pace, self._failures, self._seconds, stop)
        done = is_idle(simulation, self._failures, pace.flat_out or stop.on_idle)
        idle = done and not events
        self._over = idle or stop.met is not None
        self._reason = stop.reason() or (reason(simulation) if idle else "")
        if done:  # the next look ends the run: at once, or the clock would go on and then fall back
            self._sleep_until = time.monotonic()
        else:
            self._plan(simulation, pace, stop.at_us)
        return events

    def _stop(self, simulation: Simulation, cluster: Cluster) -> Stop:
        """Where to stop, after a look at what happened since the last slice: by others, or by a runner that died."""
        stop = Stop(until.parse(cluster.until, simulation))
        since = cluster.until_seq if self._looked_seq is None else self._looked_seq
        unseen = store.events_between(self.cluster_id, since, simulation.seq) if stop.reads_log else ()
        stop.look(simulation, list(unseen))
        return stop

    def _paced(self, simulation: Simulation, speed: float) -> Pace:
        """The same pace as before, unless the speed was changed or others wrote: then time goes on from there."""
        pace = self._pace
        if pace is None or simulation.seq != self._seq:
            self._failures = Failures()
            pace = Pace(speed, simulation.now_us)
        elif pace.speed != speed:
            pace = Pace(speed, max(simulation.now_us, pace.target_us()))
        self._keep(pace)
        return pace

    def _keep(self, pace: Pace) -> None:
        if pace is not self._pace:
            self._pace = pace
            self._say_pace()

    def _plan(self, simulation: Simulation, pace: Pace, stop_us: int | None) -> None:
        """Sleep until the next thing is due. Never for long: leases expire, and a ring may be missed."""
        due = simulation.now_us if pace.flat_out else next_due_us(simulation, stop_us)
        pace = pace.going_on(can_schedule(simulation), due)
        self._keep(pace)
        seconds = LONGEST_SLEEP_SECONDS if due is None else pace.seconds_until(due)
        earliest = self._began + COMMIT_SECONDS
        self._sleep_until = max(earliest, time.monotonic() + min(seconds, LONGEST_SLEEP_SECONDS))

    def _let_time_pass(self) -> None:
        """When a run at a speed is paused, the clock keeps what has passed since its last event."""
        pace = self._pace
        if pace is None or pace.flat_out:
            return

        def decide(simulation: Simulation) -> Sequence[Event]:
            target = pace.target_us()
            fresh = simulation.seq == self._seq and target > simulation.now_us
            return simulation.handle(AdvanceClock(target)) if fresh else ()

        write(self.cluster_id, decide, by_run=True)
