"""Links that bring in ever more are reported with file and line, before they are followed."""

import pytest

LEVELS = 40
COUNT = f"{2 ** (LEVELS + 1) - 1:,}"


def row(link):
    """A row of values, each of which names the next one twice, and the names of their keys."""
    values = (f"  a{i}: '{link(i + 1) * 2}'\n" for i in range(LEVELS))
    names = (f"  k{i}: a{i}\n" for i in range(LEVELS + 1))
    return f"network:\n{''.join(values)}  a{LEVELS}: x\n{''.join(names)}"


@pytest.mark.parametrize(
    "link",
    [
        lambda i: f"${{network.a{i}}}",
        lambda i: f"${{.a{i}}}",
        lambda i: f"${{..network[a{i}]}}",
        lambda i: f"${{oc.select:network.a{i}}}",
    ],
    ids=["whole name", "beside", "above", "resolver"],
)
def test_values_that_double_at_every_link_are_counted_not_followed(tree, link):
    tree.experiment(row(link))
    # Following them would take years.
    error = tree.error()
    assert str(error) == (
        f"configs/experiment/x.yaml:5:3: network.a0: its links expand to {COUNT} values, with "
        "repetitions; at most 5,000 are allowed"
    )


@pytest.mark.parametrize(
    "body",
    [
        row(lambda i: f"${{network.${{network.k{i}}}}}"),
        "network:\n" + "".join(f"  a{i}: [{{p: '${{network.a{i + 1}}}'}}]\n" for i in range(99)),
        "network:\n" + "".join(f"  a{i}: '${{.a{i + 1}}}'\n" for i in range(99)) + "  a99: 1 us\n",
    ],
    ids=["names by links", "sections in lists", "a long row"],
)
def test_no_other_way_to_link_without_end_is_left(tree, body):
    tree.experiment(body)
    error = tree.error()
    assert error.key.startswith("network.a")
    assert error.mark is not None
    assert "its links" in error.message


@pytest.mark.slow
def test_a_long_text_that_is_named_often_counts_as_many_values(tree):
    tree.refuses(f"network:\n  a0: {'x' * 10**6}\n  a1: {'${.a0}' * 10}\n", None, "expand to 10,0")


def test_links_of_an_override_are_counted_too(tree):
    tree.experiment(row(lambda i: f"${{.a{i}}}").replace("network:", "network:\n  b: 1"))
    (error,) = tree.errors(["++network.a0=x", "++network.a1=x"])
    assert error.key == "network.a2"
