"""What `snakemake plan` says of measurements: packed by nodes, and in one allocation."""

from weft.prepare.messages.overview import overview
from weft.prepare.plans.ways import table, ways

from tests.plan.test_allocation import PACKING, limits, measured, nobody, planned

__all__ = ["limits", "planned"]


def cells(experiment, plan, results, refused=()):
    return [way.cells[1:] for way in ways(experiment, plan, PACKING, nobody, results, refused)]


def test_both_ways_are_shown_with_what_they_cost(planned, limits, tmp_path):
    # 10 × 20.6 s + 1 h = 63.4 min for each number of nodes; 70.3 min for all.
    packed = ("packed by nodes", "3", "3", "16", f"{22 * 64 / 60:.1f}")
    whole = ("one allocation", "1", "1", "16", f"{16 * 71 / 60:.1f}")
    machine = {"timeout": "1 h"}
    experiment, plan = planned(**machine)
    rows = cells(experiment, plan, tmp_path)
    assert [(row[0], *row[2:]) for row in rows] == [packed, whole]
    assert [row[1] for row in rows] == ["yes", ""]
    experiment, plan = planned(allocation="one", **machine)
    rows = cells(experiment, plan, tmp_path)
    assert [(row[0], *row[2:]) for row in rows] == [whole, packed]
    assert "packed by nodes" in table(ways(experiment, plan, PACKING, nobody, tmp_path, ()))[2]


def test_more_time_than_a_submission_may_have_is_more_entries(planned, limits, tmp_path):
    limits(runtime_min=50)
    experiment, plan = planned(allocation="one", timeout="1 h")
    whole, packed = cells(experiment, plan, tmp_path)
    assert (whole[2:4], packed[2:4]) == (("1", "2"), ("3", "6"))
    assert whole[5] == f"{16 * 71 / 60:.1f}"


def test_nothing_is_shown_where_nothing_is_measured_on_a_batch_system(planned, limits, tmp_path):
    experiment, plan = planned(scheduler="none")
    assert ways(experiment, plan, PACKING, nobody, tmp_path, ()) == ()
    experiment, plan = planned()
    mine = {i for shard in measured(plan) for i in shard.point_ids}
    assert ways(experiment, plan, PACKING, nobody, tmp_path, mine) == ()
    assert table(()) == []


def test_the_overview_has_them_below_its_own_table(planned, limits, tmp_path):
    experiment, plan = planned()
    lines = table(ways(experiment, plan, PACKING, nobody, tmp_path, ()))
    assert overview((), tmp_path, lines).splitlines()[1:] == ["", *lines]
    assert len(overview((), tmp_path).splitlines()) == 1
