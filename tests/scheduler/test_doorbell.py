"""The doorbell is a hint: whatever becomes of its line, the runner only sleeps."""

import pytest
import redis

from scheduler.execution.doorbell import Doorbell


class Line:
    def __init__(self, fault):
        self.fault, self.closed = fault, False

    def get_message(self, **options):
        raise self.fault

    def close(self):
        self.closed = True


@pytest.mark.parametrize(
    "fault", [redis.ConnectionError("gone"), TypeError("argument must be an int"), ValueError("negative descriptor")]
)
def test_a_lost_line_is_hung_up_and_nothing_rang(fault):
    doorbell, line = Doorbell(), Line(fault)
    doorbell._line = line
    assert doorbell.wait(0.01) is False
    assert line.closed
