"""A command with several targets, of which the file of one has a mistake."""

import pytest

pytestmark = pytest.mark.slow


def test_the_other_targets_are_made_and_the_one_with_the_mistake_fails(project):
    project.small("right", [3])
    wrong = project.small("wrong", [3])
    wrong.write_text(wrong.read_text() + "seeed: 1\nreplicatess: 2\n")
    targets = ["results/right/collected.json", "results/wrong/collected.json"]
    outcome = project.run(*targets)
    assert outcome.code == 1
    assert (project.folder / targets[0]).is_file(), outcome.output
    assert "right: 1 point: 1 done" in outcome.output
    for key in ("seeed", "replicatess"):
        assert f"configs/experiment/wrong.yaml:12:1: {key}: unknown key" in outcome.output or (
            f"configs/experiment/wrong.yaml:13:1: {key}: unknown key" in outcome.output
        )
    assert not (project.folder / targets[1]).exists()
    # Nothing is to be done for the right one, and the mistake still makes the command fail.
    again = project.run(*targets)
    assert again.code == 1
    assert "seeed" in again.output


def test_a_command_whose_targets_all_have_mistakes_plans_nothing(project):
    for name in ("one", "two"):
        path = project.small(name, [3])
        path.write_text(path.read_text() + "seeed: 1\n")
    outcome = project.run("reports/one.html", "reports/two.html")
    assert outcome.code == 1
    assert outcome.output.count("unknown key 'seeed'") == 2, outcome.output
    assert not (project.folder / "results" / "one").exists()


def test_a_dry_run_reports_the_mistake_and_lists_nothing(project):
    project.small("right", [3])
    path = project.small("wrong", [3])
    path.write_text(path.read_text() + "seeed: 1\n")
    outcome = project.run("-n", "reports/right.html", "reports/wrong.html")
    assert outcome.code == 1
    assert "unknown key 'seeed'" in outcome.output
