"""Configurations against the real loader's, validator's and framework's own answers."""

import pytest

from scheduler.engine import config
from tests.engine.vectors import params


@pytest.mark.parametrize("vector", [one for one in params("config") if "config" in one.values[0].data])
def test_reads_a_configuration_as_kube_scheduler_does(vector):
    expected = vector.data
    if not expected["valid"]:
        with pytest.raises(config.InvalidConfiguration) as caught:
            config.read(expected["config"])
        assert caught.value.stage == expected["stage"]
        if expected["stage"] != "load":  # the decoder's own words are Go's; which field is meant is tested below
            assert caught.value.errors == expected["errors"]
        return
    found = config.read(expected["config"])
    assert found.effective == expected["effective"]
    assert len(found.expanded) == len(expected["profiles"])
    for profile, want, built in zip(found.effective["profiles"], expected["profiles"], found.expanded, strict=True):
        assert profile["schedulerName"] == want["schedulerName"]
        assert profile.get("percentageOfNodesToScore") == want["percentageOfNodesToScore"]
        assert list(built.instantiated) == want["instantiated"]
        scores = [{"name": name, "weight": built.weights[name]} for name in built.plugins["score"]]
        plugins = {point: list(names) for point, names in built.plugins.items()} | {"score": scores}
        assert plugins == want["plugins"]
