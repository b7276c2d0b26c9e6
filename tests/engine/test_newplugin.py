"""`make plugin name=X` writes an algorithm that works and a test that passes."""

import importlib.util
import inspect
import sys

import pytest
from django.core.management import CommandError, call_command

from scheduler.engine import plugins
from scheduler.engine.framework import Plugin
from scheduler.management.commands.newplugin import snake_case


def module_at(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def written(tmp_path, capsys):
    call_command("newplugin", "FewestPods", root=tmp_path)
    return tmp_path


@pytest.fixture
def registered(written, monkeypatch):
    """The new algorithm as if it lay in the package, for this test alone."""
    module = module_at(written / "scheduler/engine/plugins/fewest_pods.py", "fewest_pods")
    known = {**plugins.registry(), "FewestPods": module.FewestPods}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    return module.FewestPods


def test_the_algorithm_can_be_imported(registered):
    assert issubclass(registered, Plugin)
    assert registered.implements("score")


def test_its_own_tests_pass(registered, written):
    tests = module_at(written / "tests/engine/plugins/test_fewest_pods.py", "test_fewest_pods")
    cases = [case for name, case in inspect.getmembers(tests, inspect.isfunction) if name.startswith("test_")]
    assert len(cases) == 2
    for case in cases:
        case()


def test_dropping_a_file_into_the_package_registers_it(written, monkeypatch):
    monkeypatch.setattr(plugins, "__path__", [*plugins.__path__, str(written / "scheduler/engine/plugins")])
    name = f"{plugins.__name__}.fewest_pods"
    try:
        found = plugins.registry.__wrapped__()
        assert found["FewestPods"].__module__ == name
    finally:
        sys.modules.pop(name, None)


def test_two_algorithms_of_one_name_are_refused():
    first, second = (type("Twin", (Plugin,), {"name": "Twin"}) for _ in range(2))
    with pytest.raises(ValueError, match='two algorithms are called "Twin"'):
        plugins.register([first, second])


def test_an_existing_file_is_left_alone(written):
    with pytest.raises(CommandError, match="already there"):
        call_command("newplugin", "FewestPods", root=written)


@pytest.mark.parametrize("name", ["", "lower", "With Space", "../Evil", "X"])
def test_a_bad_name_is_refused(tmp_path, name):
    with pytest.raises(CommandError, match="no name for an algorithm"):
        call_command("newplugin", name, root=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "module"), [("NodeAffinity", "node_affinity"), ("CSILimits", "csi_limits"), ("Fit2Size", "fit2_size")]
)
def test_file_names_are_in_snake_case(name, module):
    assert snake_case(name) == module
