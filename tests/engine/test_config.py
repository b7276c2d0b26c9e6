"""Configurations against the real loader's, validator's and framework's own answers."""

import pytest

from scheduler.engine import config
from scheduler.engine.values import syntax
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


REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def document(*profiles, **top):
    listed = {"profiles": list(profiles)} if profiles else {}
    return config.DEFAULT_DOCUMENT | listed | top


def plugins(**sections):
    return document({"plugins": sections})


def with_args(name, **args):
    return document({"pluginConfig": [{"name": name, "args": args}]})


def fault_of(given):
    with pytest.raises(config.InvalidConfiguration) as caught:
        config.read(given)
    return caught.value.stage, caught.value.errors


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (None, "'Kind' is missing"),
        ([], "'Kind' is missing"),
        ({}, "'Kind' is missing"),
        (document(bogus=1), 'unknown field "bogus"'),
        (document({"plugins": {"scores": {}}}), 'unknown field "profiles[0].plugins.scores"'),
        (document(parallelism="four"), "parallelism: Expected `int | null`, got `str`"),
        (document(parallelism=2**31), "parallelism"),
        (document(profiles={}), "profiles: Expected `array | null`, got `object`"),
        (document(leaderElection={"leaseDuration": "soon"}), 'invalid duration "soon"'),
        (with_args("NodeAffinity", addedAffinity={"required": {}}), "decoding .profiles[0].pluginConfig[0]"),
        (with_args("NodeResourcesFit", kind="NodeAffinityArgs"), "were not of type NodeResourcesFitArgs"),
        (with_args("VolumeBinding", apiVersion="v1"), "is registered for version"),
    ],
)
def test_the_decoder_refuses_and_names_the_place(given, words):
    stage, errors = fault_of(given)
    assert stage == "load"
    assert words in errors[0]


@pytest.mark.parametrize(
    ("given", "errors"),
    [
        (
            document({"schedulerName": "a"}, {"schedulerName": "a"}),
            ["profiles[1].schedulerName: Duplicate value: {}"],
        ),
        (document({"schedulerName": "a"}, {}), ["profiles[1].schedulerName: Required value"]),
        (
            plugins(score={"enabled": [{"name": "EBSLimits"}]}),
            [
                'profiles[0].plugins.score.enabled[0]: Invalid value: "EBSLimits": was invalid in version "v1" '
                '(KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")'
            ],
        ),
        (
            with_args("NodeResourcesBalancedAllocation", resources=[{"name": "cpu", "weight": 2}, {"name": "cpu"}]),
            [
                "profiles[0].pluginConfig[0].args.resources[0].weight: Invalid value: 2: must be 1",
                'profiles[0].pluginConfig[0].args.resources[1].name: Duplicate value: "cpu"',
            ],
        ),
        (
            with_args("VolumeBinding", bindTimeoutSeconds=-1),
            [
                "profiles[0].pluginConfig[0].args.bindTimeoutSeconds: Invalid value: -1: "
                "invalid BindTimeoutSeconds, should not be a negative value"
            ],
        ),
        (
            with_args("DynamicResources", filterTimeout="-5s"),
            ['profiles[0].pluginConfig[0].args.filterTimeout: Invalid value: "-5s": must be zero or positive'],
        ),
        (
            with_args(
                "PodTopologySpread",
                defaultingType="List",
                defaultConstraints=[{"labelSelector": {}}],
            ),
            [
                "profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew: Invalid value: 0: "
                "not in valid range (0, inf)",
                "profiles[0].pluginConfig[0].args.defaultConstraints[0].topologyKey: Required value: can not be empty",
                "profiles[0].pluginConfig[0].args.defaultConstraints[0].whenUnsatisfiable: Required value: "
                "can not be empty",
                "profiles[0].pluginConfig[0].args.defaultConstraints[0].labelSelector: Forbidden: "
                "constraint must not define a selector, as they deduced for each pod",
            ],
        ),
        (
            document(extenders=[{"bindVerb": "b"}, {"bindVerb": "b", "managedResources": [{"name": "foo"}]}]),
            [
                'extenders[1].managedResources[0].name: Invalid value: "foo": is an invalid extended resource name',
                'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
            ],
        ),
        (
            document(extenders=[{"managedResources": [{}]}]),
            [f'extenders[0].managedResources[0].name: Invalid value: "": {one}' for one in syntax.qualified_name("")],
        ),
        (document({"schedulerName": ""}), ["profiles[0].schedulerName: Required value"]),
        (
            with_args("VolumeBinding", shape=[]),
            [
                "profiles[0].pluginConfig[0].args.shape: Invalid value: []: "
                "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"
            ],
        ),
        *(
            (
                with_args(
                    "NodeAffinity", addedAffinity={REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [one]}]}}
                ),
                [
                    f"profiles[0].pluginConfig[0].args.addedAffinity.{REQUIRED}.nodeSelectorTerms[0]"
                    f".matchExpressions[0].values: Invalid value: {shown}: "
                    "for 'in', 'notin' operators, values set can't be empty"
                ],
            )
            for one, shown in (
                ({"key": "k", "operator": "In"}, "null"),
                ({"key": "k", "operator": "In", "values": []}, "[]"),
            )
        ),
    ],
)
def test_the_validator_finds_every_fault_in_order(given, errors):
    assert fault_of(given) == ("validate", errors)


@pytest.mark.parametrize(
    ("listed", "first", "second", "shown"),
    [
        (True, {"a": 1}, {"a": 1}, None),
        (True, {"a": 1}, {"a": 2}, '{"a":2}'),
        (True, None, {"a": 2}, '{"a":2}'),
        (True, {"a": 1}, None, None),
        (False, {"a": 1}, {"a": 2}, None),
    ],
)
def test_the_arguments_of_a_listed_queue_sort_plugin_must_be_the_same(listed, first, second, shown):
    sort = {"plugins": {"queueSort": {"enabled": [{"name": "PrioritySort"}]}} if listed else {}}
    profiles = [
        {"schedulerName": name, **sort, "pluginConfig": [{"name": "PrioritySort", "args": args}] if args else []}
        for name, args in (("a", first), ("b", second))
    ]
    if shown is None:
        config.read(document(*profiles))
    else:
        detail = "queueSort must be the same for all profiles"
        assert fault_of(document(*profiles)) == (
            "validate",
            [f"profiles[1].pluginConfig.args: Invalid value: {shown}: {detail}"],
        )


IN_PROFILE = "initializing profiles: creating profile for scheduler name default-scheduler: "


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            plugins(multiPoint={"disabled": [{"name": "*"}]}),
            'only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0',
        ),
        (
            plugins(bind={"disabled": [{"name": "*"}]}),
            'at least one bind plugin is needed for profile with scheduler name "default-scheduler"',
        ),
        (plugins(score={"enabled": [{"name": "Nope"}]}), 'ScorePlugin "Nope" does not exist'),
        (
            plugins(filter={"enabled": [{"name": "ImageLocality"}]}),
            'plugin "ImageLocality" does not extend FilterPlugin plugin',
        ),
        (
            with_args("NodeResourcesFit", scoringStrategy={"resources": []}),
            'initializing plugin "NodeResourcesFit": scoringStrategy.type: Unsupported value: "": supported values: '
            '"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
        ),
    ],
)
def test_building_a_profile_tells_the_first_fault(given, error):
    assert fault_of(given) == ("build", [IN_PROFILE + error])


def test_what_crashes_kube_scheduler_is_refused_in_our_words():
    stage, errors = fault_of(with_args("NodeResourcesFit", scoringStrategy={"type": "RequestedToCapacityRatio"}))
    assert stage == "panic"
    assert "scoringStrategy.requestedToCapacityRatio: Required value" in errors[0]


@pytest.mark.parametrize(
    ("given", "printed"),
    [("15s", "15s"), ("90s", "1m30s"), ("3600s", "1h0m0s"), ("1500ms", "1.5s"), ("250ms", "250ms"), ("0.5s", "500ms")],
)
def test_durations_are_printed_as_go_prints_them(given, printed):
    election = {"leaderElect": False, "leaseDuration": given}
    assert config.read(document(leaderElection=election)).effective["leaderElection"]["leaseDuration"] == printed


def test_the_times_of_leader_election_are_compared_with_each_other_only_as_the_validator_does():
    election = {"renewDeadline": "10s", "retryPeriod": "10s"}
    assert config.read(document(leaderElection=election)).effective["leaderElection"]["retryPeriod"] == "10s"


def test_what_says_nothing_is_not_written_back():
    extender = {"urlPrefix": "", "weight": 0, "enableHTTPS": False, "filterVerb": "f", "httpTimeout": "5s"}
    resource = {"name": "example.com/a", "ignoredByScheduler": False}
    exists = {"key": "k", "operator": "Exists", "values": []}
    affinity = {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [exists]}]}}
    profile = {
        "pluginConfig": [{"name": "NodeAffinity", "args": {"addedAffinity": affinity}}, {"name": "ImageLocality"}]
    }
    given = document(profile, extenders=[{**extender, "managedResources": [resource]}])
    effective = config.read(given).effective
    assert effective["extenders"] == [
        {"urlPrefix": "", "filterVerb": "f", "managedResources": [{"name": "example.com/a"}], "httpTimeout": "5s"}
    ]
    args = [one["args"] for one in effective["profiles"][0]["pluginConfig"][:2]]
    (term,) = args[0]["addedAffinity"][REQUIRED]["nodeSelectorTerms"]
    assert term == {"matchExpressions": [{"key": "k", "operator": "Exists"}]}
    assert args[1] is None


def test_the_read_document_stays_as_it_is():
    given = with_args("NodeResourcesFit", ignoredResources=[])
    before = repr(given)
    config.read(given)
    assert repr(given) == before
