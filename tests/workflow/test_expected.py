"""How long a command takes, printed before it computes."""

from weft.prepare.messages.expectation import say_dry, say_papers
from weft.progress import ShardWatch

COMPUTING = "computing: {full: 9 min, quick: 3 min}\n"


def said(tmp_path, capsys, *, name="opennsim", quick=False, points=1):
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "opennsim.yaml").write_text(COMPUTING)
    watches = {"steps": [ShardWatch("rdma", tmp_path / "steps" / "rdma" / "a", points)]}
    say_papers({name: ("steps",)}, watches, tmp_path, quick=quick)
    return capsys.readouterr().err


def test_the_page_of_a_paper_says_beforehand_what_it_and_its_short_form_take(tmp_path, capsys):
    assert said(tmp_path, capsys) == (
        "weft: reports/paper_opennsim.html takes 9 min of CPU time, "
        "its short form (--config effort=quick) 3 min\n"
    )


def test_the_short_form_says_what_it_takes(tmp_path, capsys):
    text = said(tmp_path, capsys, name="opennsim@quick", quick=True)
    assert text == "weft: reports/paper_opennsim@quick.html takes 3 min of CPU time\n"


def test_a_page_of_a_paper_with_nothing_to_compute_says_nothing(tmp_path, capsys):
    assert said(tmp_path, capsys, points=0) == ""


def test_a_dry_run_prints_what_a_run_begins_with(tmp_path, capsys):
    say_dry([ShardWatch("flow", tmp_path, 1240, expected_s=720.0)])
    assert capsys.readouterr().err == (
        "weft: 1,240 points to compute, about 12 min of CPU time as earlier runs suggest\n"
    )
