"""What a command asks for, by the names of pages and by `--config`."""

from pathlib import Path

import pytest
from weft.plan.variant import Changes
from weft.prepare.request.request import Request
from weft.prepare.request.variants import plain_request


def test_a_page_may_be_named_beside_the_run_that_makes_it(tmp_path: Path) -> None:
    for asked in (("x@q1",), ("x", "x@q1")):
        request, changes = plain_request(Request(experiments=asked, run="q1"), tmp_path)
        assert set(request.experiments) == {"x"}
        assert changes == Changes(run="q1")


def test_a_page_may_be_named_beside_the_overrides_and_the_effort_that_make_it(
    tmp_path: Path,
) -> None:
    texts = ("topology.k=4",)
    request, changes = plain_request(Request(("x@topology.k=4",), overrides=texts), tmp_path)
    assert (request.experiments, changes) == (("x",), Changes(texts))
    request, changes = plain_request(Request(papers=("mfs@quick",), quick=True), tmp_path)
    assert (request.papers, changes) == (("mfs",), Changes(quick=True))


def test_a_page_of_another_run_than_the_one_given_is_refused_with_both_names(
    tmp_path: Path,
) -> None:
    with pytest.raises(ValueError, match=r"'x@q1' is not what --config makes, which is 'x@q2'"):
        plain_request(Request(("x@q1",), run="q2"), tmp_path)


def test_variants_of_several_kinds_need_commands_of_their_own(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'x@quick' needs a command of its own"):
        plain_request(Request(("x@quick", "x@topology.k=4")), tmp_path)
