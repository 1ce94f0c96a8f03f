"""Values that nobody means: each is one message at its key."""

import pytest


@pytest.mark.parametrize(
    ("body", "key", "words"),
    [
        pytest.param(
            "defaults: [override /topology: torus]\ntopology: {k: 3, failed: {links: 1.5}}\n",
            "topology.failed.links",
            "expected a whole number, got 1.5",
            id="failed links that are neither a count nor names",
        ),
        pytest.param(
            "workload: {per_node: 4294967296}\n",
            "workload.per_node",
            "less than or equal to 4294967295",
            id="more messages than simulators count",
        ),
        pytest.param(
            "workload: {outstanding: 4294967296}\n",
            "workload.outstanding",
            "less than or equal to 4294967295",
            id="more messages under way than simulators count",
        ),
        pytest.param(
            "topology: {4: k}\n",
            "topology[4]",
            "expected a key that is a text, got 4",
            id="a key that is a number",
        ),
        pytest.param(
            "defaults: [_self_, override /topology: torus, _self_]\n",
            "defaults[2]",
            "'_self_' is given twice: keep one of them",
            id="the own file twice",
        ),
    ],
)
def test_it_is_one_mistake_at_its_key(tree, body, key, words):
    tree.refuses(body, key, words)


def test_a_title_of_blanks_is_none(tree):
    tree.write("experiment/x.yaml", "title: '  '\nquestion: A question?\nengines: [flow]\n")
    error = tree.error()
    assert (error.key, error.message) == ("title", "expected a text, got blanks only")
