"""What holds for every algorithm of the package."""

from pathlib import Path

import pytest

from scheduler.engine import plugins
from scheduler.engine.framework import IN_TREE, Plugin
from scheduler.engine.profile import Profiles

ALL = sorted(plugins.registry().items())


@pytest.mark.parametrize(("name", "plugin"), ALL, ids=[name for name, _ in ALL])
def test_it_is_tested_documented_and_explained(name: str, plugin: type[Plugin]):
    module = plugin.__module__.rpartition(".")[2]
    assert (Path(__file__).parent / f"test_{module}.py").exists()
    assert __import__(plugin.__module__, fromlist=["x"]).__doc__
    for hook, what in (("explain", "score"), ("explain_normalize", "normalize"), ("explain_filter", "filter")):
        assert plugin.implements(hook) is plugin.implements(what), hook


KUBERNETES = [(name, plugin) for name, plugin in ALL if name in IN_TREE]


@pytest.mark.parametrize(("name", "plugin"), KUBERNETES, ids=[name for name, _ in KUBERNETES])
def test_its_weight_is_the_default_profile_s(name: str, plugin: type[Plugin]):
    assert plugin.weight == Profiles.default().first.weight(name)
