"""What a command line asks for."""

import pytest
from weft.prepare.request.aliases import from_here
from weft.prepare.request.request import read_request
from weft.prepare.request.targets import check_targets


def test_reports_name_experiments_and_papers():
    request = read_request({}, ["--cores", "2", "reports/a.html", "reports/paper_mfs.html"])
    assert (request.experiments, request.papers) == (("a",), ("mfs",))


def test_the_index_and_rules_name_none():
    request = read_request({}, ["reports/index.html", "all", "papers"])
    assert (request.experiments, request.defaults, request.all_papers) == ((), True, True)


def test_plan_alone_shows_everything():
    assert read_request({}, ["plan"]).everything
    assert not read_request({"experiments": ["a"]}, ["plan"]).everything


def test_config_values():
    config = {"experiments": ["a"], "overrides": "topology.k=4", "retry_failed": True}
    request = read_request(config, ["results/b/collected.json"])
    assert request.experiments == ("a", "b")
    assert request.overrides == ("topology.k=4",)
    assert request.retry_failed


def test_an_unknown_config_key_is_named():
    with pytest.raises(ValueError, match="--config overide: unknown; allowed: overrides"):
        read_request({"overide": "x"}, [])


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (
            "report/halo.html",
            "weft makes no page at report/halo.html; did you mean reports/halo.html?",
        ),
        ("halo.html", "did you mean reports/halo.html?"),
        ("report/halo@seed=1.html", "did you mean reports/halo@seed=1.html?"),
        ("report/paper_mfs.html", "did you mean reports/paper_mfs.html?"),
        ("/elsewhere/reports/halo.html", "did you mean reports/halo.html?"),
        ("report/index.html", "did you mean reports/index.html?"),
        ("reports/.html", "weft makes no page at reports/.html: name an experiment"),
        ("report/hallo.html", "did you mean 'halo'? pages are reports/<experiment>.html"),
        ("halo", "no rule is called halo; its page is reports/halo.html"),
        ("reports/halo", "no page at reports/halo; did you mean reports/halo.html?"),
        ("reports/halo.htm", "no page at reports/halo.htm; did you mean reports/halo.html?"),
        ("report/halo", "no page at report/halo; did you mean reports/halo.html?"),
        ("reports/halo@topology.k=4", "did you mean reports/halo@topology.k=4.html?"),
        ("reports/paper_mfs", "did you mean reports/paper_mfs.html?"),
        ("reports/index", "did you mean reports/index.html?"),
        ("reports/hallo", "did you mean 'halo'? pages are reports/<experiment>.html"),
        ("reports/else", "no page at reports/else; pages are reports/<experiment>.html"),
        ("archives/halo", "no archive at archives/halo; did you mean archives/halo.zip?"),
        ("archives/halo.tar", "no archive at archives/halo.tar; did you mean archives/halo.zip?"),
        ("archives/hallo", "did you mean 'halo'? archives are archives/<page>.zip"),
        (
            "configs/experiment/halo.yaml",
            "no rule makes configs/experiment/halo.yaml; its page is reports/halo.html",
        ),
    ],
)
def test_a_page_that_is_asked_for_in_the_wrong_place_is_named(target, words):
    with pytest.raises(ValueError, match=r"^(weft makes )?no ") as caught:
        check_targets(["all", target], {"halo"})
    assert words in str(caught.value)


def test_pages_rules_and_files_that_are_there_are_left_to_snakemake(tmp_path):
    file = tmp_path / "own.html"
    file.touch()
    check_targets(
        [
            "reports/halo.html",
            "doctor",
            "site/xyz.html",
            str(file),
            "results/halo/x",
            "reports/own.csv",
            "archives/halo.zip",
            "results/halo",
            "results/all",
        ],
        {"halo"},
    )


def test_a_target_below_this_folder_is_the_same_however_it_is_written(tmp_path, monkeypatch):
    there = tmp_path / "there"
    (there / "reports").mkdir(parents=True)
    (tmp_path / "link").symlink_to(there)
    monkeypatch.chdir(there)
    page = "reports/halo.html"
    for written in (page, f"{there}/{page}", f"{tmp_path}/link/{page}", f"../there/{page}"):
        assert from_here(written) == page
    assert from_here(f"{there}/results/halo/collected.json") == "results/halo/collected.json"
    assert from_here("doctor") == "doctor"
    assert from_here(f"{tmp_path}/other/{page}") == f"{tmp_path}/other/{page}"


def test_switch_points_name_their_experiment_and_machine():
    request = read_request({}, ["tuning/node7.yaml"])
    assert (request.experiments, request.machine, request.unplanned) == (
        ("tuning",),
        "node7",
        False,
    )
    assert not read_request({}, ["doctor", "tuning/node7.yaml"]).unplanned


@pytest.mark.parametrize(
    ("config", "targets"),
    [({}, ["tuning/a.yaml", "tuning/b.yaml"]), ({"machine": "b"}, ["tuning/a.yaml"])],
)
def test_one_command_writes_the_switch_points_of_one_machine(config, targets):
    with pytest.raises(ValueError, match="the switch points of one machine"):
        read_request(config, targets)
