"""A file of --configfile that cannot be read is one line, not Snakemake's traceback."""

import pytest

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--configfile", "sight.yaml"), "sight.yaml: no such file or directory; did you mean"),
        (("--configfile=sight.yaml", "--cores", "1"), "did you mean 'site.yaml'?"),
        (("--configfile", "site.yaml", "profiles"), "--configfile profiles: is a directory"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(project, arguments, message):
    project.small("one", "[2]")
    (project.folder / "site.yaml").write_text("machine: local\n")
    done = project.run("plan", "--dry-run", *arguments)
    assert done.code == 1
    assert message in done.output
    assert "Traceback" not in done.output


def test_one_that_can_be_read_is_read(project):
    project.small("one", "[2]")
    (project.folder / "site.yaml").write_text("overrides: [topology.nope=3]\n")
    done = project.run("plan", "reports/one.html", "--dry-run", "--configfile", "site.yaml")
    assert "topology.nope" in done.output
