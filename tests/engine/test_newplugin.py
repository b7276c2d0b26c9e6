"""`make plugin name=X` writes an algorithm that works and a test that passes."""

import importlib.util
import inspect
import re
import subprocess
import sys
import textwrap
from types import ModuleType

import pytest
import yaml
from django.conf import settings
from django.core.management import CommandError, call_command

from scheduler.engine import plugins
from scheduler.engine.errors import Invalid
from scheduler.engine.fixes import change
from scheduler.engine.fixes.candidates import candidates
from scheduler.engine.fixes.near import Near
from scheduler.engine.fixes.requests import lowered
from scheduler.engine.framework import Plugin, faults_of
from scheduler.engine.framework.answers import CHECKS
from scheduler.engine.profile import Profiles
from scheduler.management.commands.newplugin import snake_case
from tests.engine.builders import a_cycle, a_node, a_pod, raw_scores, verdicts, with_algorithm
from tests.engine.contract import assert_contract


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
    monkeypatch.setitem(sys.modules, "fewest_pods", module)
    known = {**plugins.registry(), "FewestPods": module.FewestPods}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    return module.FewestPods


def test_the_algorithm_can_be_imported(registered):
    assert issubclass(registered, Plugin)
    assert registered.implements("score")


def test_its_own_tests_pass(registered, written):
    tests = module_at(written / "tests/engine/plugins/test_fewest_pods.py", "test_fewest_pods")
    cases = [case for name, case in inspect.getmembers(tests, inspect.isfunction) if name.startswith("test_")]
    assert len(cases) == 4
    for case in cases:
        case()


def test_dropping_a_file_into_the_package_registers_it(written, monkeypatch):
    monkeypatch.setattr(plugins, "__path__", [*plugins.__path__, str(written / "scheduler/engine/plugins")])
    name = f"{plugins.__name__}.fewest_pods"
    try:
        found, faults = plugins._discovered.__wrapped__()
        assert found["FewestPods"].__module__ == name
        assert faults == {}
    finally:
        sys.modules.pop(name, None)


def test_two_algorithms_of_one_name_are_refused():
    modules = [ModuleType(f"plugins.{name}") for name in ("one", "two")]
    for module in modules:
        module.Twin = type("Twin", (Plugin,), {"name": "Twin", "__module__": module.__name__})
    known, faults = plugins.register(modules)
    assert known == {"Twin": modules[0].Twin}
    assert faults == {"plugins.two": ['Twin: "Twin" is the name of an algorithm in plugins.one']}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("def broken(:\n", "SyntaxError: invalid syntax"),
        ("import nothing_of_the_kind\n", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("class Quiet:\n    pass\n", "no class in it is a Plugin"),
        (
            "from scheduler.engine.framework import Plugin\nclass Quiet(Plugin):\n    name, weights = 'Quiet', 1\n",
            "Quiet: weights is no hook: is weight meant?",
        ),
    ],
    ids=["syntax", "import", "no plugin", "contract"],
)
def test_a_file_with_a_fault_is_named_and_the_others_go_on(tmp_path, monkeypatch, text, fault):
    (tmp_path / "quiet.py").write_text(text)
    monkeypatch.setattr(plugins, "__path__", [*plugins.__path__, str(tmp_path)])
    made = plugins._discovered.__wrapped__()
    sys.modules.pop(f"{plugins.__name__}.quiet", None)
    monkeypatch.setattr(plugins, "_discovered", lambda: made)
    assert "NodeName" in plugins.registry()
    (found,) = plugins.faults()
    assert found.startswith("scheduler/engine/plugins/quiet.py: ")
    assert fault in found
    assert fault in plugins.why_missing("Quiet")
    with pytest.raises(Invalid) as refused:
        with_algorithm("Quiet")
    assert '"Quiet" does not exist; its file quiet.py is at fault: ' in str(refused.value)
    assert fault in str(refused.value)


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


@pytest.fixture
def documented(tmp_path, monkeypatch):
    """The algorithm and the configuration of CONTRIBUTING.md's example, as a reader would copy them."""
    text = (settings.BASE_DIR / "CONTRIBUTING.md").read_text("utf-8")
    code, configuration = (re.search(f"```{kind}\n(.*?)```", text, re.DOTALL)[1] for kind in ("python", "yaml"))
    (tmp_path / "quiet_nodes.py").write_text(code)
    module = module_at(tmp_path / "quiet_nodes.py", "quiet_nodes")
    monkeypatch.setitem(sys.modules, "quiet_nodes", module)
    known = {**plugins.registry(), "QuietNodes": module.QuietNodes}
    monkeypatch.setattr(plugins, "registry", lambda: known)
    return module.QuietNodes, Profiles.from_configuration(yaml.safe_load(configuration)).first


def test_the_documented_example_works(documented):
    quiet, profile = documented
    labels = {"library": "20", "street": "80", "unknown": None}
    nodes = [a_node(name, labels={"quiet": value} if value else {}) for name, value in labels.items()]
    nodes += [a_node("small", cpu="2"), a_node("enough", cpu="2500m", labels={"quiet": "30"})]
    pod = a_pod(cpu="1500m")
    assert list(faults_of(quiet)) == []
    loud = {name: said for name, said in verdicts(a_cycle(pod, *nodes, profile=profile), "QuietNodes").items() if said}
    assert loud == {"small": "node(s) would get too loud"}
    cycle = a_cycle(pod, *nodes, profile=profile)
    assert raw_scores(cycle, "QuietNodes") == {"library": 20, "street": 80, "unknown": 40, "enough": 30}
    assert cycle.profile.weight("QuietNodes") == 2
    assert_contract(a_cycle(pod, *nodes, profile=profile), "QuietNodes")


def test_the_documented_fix_is_proposed_where_the_algorithm_alone_refuses(documented):
    quiet, profile = documented
    text = (settings.BASE_DIR / "CONTRIBUTING.md").read_text("utf-8")
    hook = re.findall(r"```python\n(    def fixes.*?)```", text, re.DOTALL)[0]
    namespace = {**vars(sys.modules["quiet_nodes"]), **vars(change), "lowered": lowered}
    exec(compile("from __future__ import annotations\n" + textwrap.dedent(hook), "CONTRIBUTING.md", "exec"), namespace)
    quiet.fixes = namespace["fixes"]
    cycle = a_cycle(a_pod(cpu="1500m"), a_node("small", cpu="1800m"), profile=profile)
    cycle.run()
    assert "Ask for **800m** cpu" in [fix.title for one in candidates(Near.of(cycle)) for fix in one]


def test_every_hook_is_documented_with_its_arguments():
    text = (settings.BASE_DIR / "CONTRIBUTING.md").read_text("utf-8")
    for hook in CHECKS:
        arguments = list(inspect.signature(getattr(Plugin, hook)).parameters)[1:]
        assert f"| `{hook}({', '.join(arguments)})` |" in text


def test_what_is_written_is_formatted_and_clean(written):
    """However long the name is."""
    call_command("newplugin", "A" + "Very" * 15, root=written)
    for command in (["format", "--check"], ["check", "--ignore", "ANN,I001"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--config", str(settings.BASE_DIR / "pyproject.toml"), "."]
        done = subprocess.run(ruff, cwd=written, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
