"""ImageLocality by examples; stale counts are in test_cluster."""

import pytest

from scheduler.engine.plugins.image_locality import normalized_image_name
from tests.engine.builders import a_cycle, a_node, a_pod, raw_scores

MIB = 2**20


def scores(pod, **images):
    nodes = [a_node(name, images=sizes) for name, sizes in images.items()]
    return raw_scores(a_cycle(pod, *nodes), "ImageLocality")


@pytest.mark.parametrize(
    ("size", "score"),
    [
        pytest.param(46, 0, id="at the lower bound"),  # 46 on one of two: 23
        pytest.param(66, 1, id="just above"),  # 33: 100 * 10 // 977
        pytest.param(1000, 48, id="between"),  # 500: 100 * 477 // 977
        pytest.param(2000, 100, id="at the upper bound"),
        pytest.param(9000, 100, id="above"),
    ],
)
def test_size_is_scaled_by_spread_and_clipped(size, score):
    assert scores(a_pod(), n1={"app:1": size * MIB}, n2={}) == {"n1": score, "n2": 0}


def test_the_upper_bound_grows_with_the_number_of_containers():
    containers = [{"name": "a", "image": "app:1"}, {"name": "b", "image": "other"}]
    # (1000 - 23) * 100 // (2000 - 23) = 49
    assert scores(a_pod(containers=containers), n1={"app:1": 1000 * MIB}, n2={"app:1": 1000 * MIB})["n1"] == 49


def test_images_of_init_containers_count():
    pod = a_pod(image="other", initContainers=[{"name": "i", "image": "app:1"}])
    assert scores(pod, n1={"app:1": 4000 * MIB}, n2={}) == {"n1": 100, "n2": 0}


@pytest.mark.parametrize(
    ("name", "normal"),
    [
        ("app", "app:latest"),
        ("app:1", "app:1"),
        ("registry:5000/app", "registry:5000/app:latest"),
        ("registry:5000/app:1", "registry:5000/app:1"),
        ("app@sha256:abc", "app@sha256:abc"),
    ],
)
def test_a_name_without_a_tag_means_the_latest(name, normal):
    assert normalized_image_name(name) == normal
