"""What the command line refuses, the server refuses, and some more; nothing is queued then."""

import pytest

from tests.service.conftest import ROOT, SMALL, Browser, Site

#: Measures on the machine where it runs.
QUICKSTART = ROOT / "configs" / "experiment" / "quickstart.yaml"
pytestmark = [pytest.mark.slow, pytest.mark.long("service")]


def count(site: Site) -> str:
    return site.python("from weft.service.tasks.models import Task\nprint(Task.objects.count())")


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (SMALL.replace("engines: [flow]", "engines: [flo]"), "x", "did you mean"),
        ("a: [", "x", "line 1"),
        ("a: &a [x]\nb: [*a, *a]\n", "x", "aliases are not allowed"),
        (SMALL, "../x", "use letters"),
        (QUICKSTART.read_text(), "x", "is not offered here"),
        (SMALL + "machine: {launcher: sh}\n", "x", "belongs to the server"),
        (SMALL.replace("topology: torus", "machine: slurm"), "x", "belongs to the server"),
        (SMALL.replace("Does it run?", "/etc/passwd"), "x", "may not lead out"),
        (SMALL + "workload: {file: ../../secret}\n", "x", "may not lead out"),
        ("title: x\x00y", "x", "the character NUL"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_queued(
    text: str, name: str, said: str, shared: Site, ann: Browser
) -> None:
    answer = ann.submit(text, name=name)
    assert "/tasks/" not in answer.url
    assert said in answer.text
    assert count(shared) == "0"


def test_markup_in_a_title_is_shown_and_not_run(shared: Site, ann: Browser) -> None:
    page = ann.submit(SMALL.replace("title: Small", "title: '<script>x</script>'"))
    assert page.status == 200
    assert "<script>x" not in page.text
    assert "&lt;script&gt;x" in page.text


def test_a_time_out_over_the_limit_is_refused(shared: Site, ann: Browser) -> None:
    assert "must be 1 s to 3600 s" in ann.submit(timeout_s=3601).text
    assert count(shared) == "0"
