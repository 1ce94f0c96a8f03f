"""Every claim of a shipped paper finds its numbers in the experiments of that paper."""

from __future__ import annotations

import csv
from pathlib import Path

import duckdb
import packet_samples
import yaml
from report_samples import CONFIGS
from weft.analysis.claims import NO_DATA, judge, read_claims

PAPER = CONFIGS / "paper/mfs.yaml"


def test_every_claim_of_the_mfs_paper_is_judged(tmp_path: Path) -> None:
    about = yaml.safe_load(PAPER.read_text())
    _, database = packet_samples.shipped(tmp_path, CONFIGS, ("mfs_atr", "mfs_table1"))
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(PAPER)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"mfs-c{n}" for n in range(1, 13)]
    assert [each.claim.name for each in found if each.verdict == NO_DATA] == []


def test_every_claim_of_anet_is_judged(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/anet.yaml"
    about = yaml.safe_load(paper.read_text())
    kinds = ("pingpong", "multicast", "host", "collisions", "reverse_flip", "traffic")
    names = tuple(f"anet_{kind}" for kind in kinds)
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"an-c{n}" for n in range(1, 9)]
    assert [each.claim.name for each in found if each.verdict == NO_DATA] == []


def test_every_claim_of_the_multicast_is_judged(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/multicast.yaml"
    about = yaml.safe_load(paper.read_text())
    names = ("multicast_models", "multicast_placements", "multicast_measured")
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
    wanted = [f"mc-{kind}{n}" for kind in "cd" for n in range(1, 7)]
    assert [each.claim.name for each in found] == wanted
    # The last one needs the repetitions of a measurement.
    assert [each.claim.name for each in found if each.verdict == NO_DATA] == ["mc-d6"]


def test_every_claim_of_nsim_ace_is_judged_but_the_one_of_lost_curves(tmp_path: Path) -> None:
    paper = CONFIGS / "paper/nsim_ace.yaml"
    about = yaml.safe_load(paper.read_text())
    names = ("nsim_ace_barrier", "nsim_ace_nbody")
    _, database = packet_samples.shipped(tmp_path, CONFIGS, names)
    with duckdb.connect(str(database), read_only=True) as connection:
        found = judge(read_claims(about["claims"], str(paper)), about["views"], connection)
    assert [each.claim.name for each in found] == [f"na-c{n}" for n in range(1, 8)]
    assert [each.claim.name for each in found if each.verdict == NO_DATA] == ["na-c4"]


def test_an_input_of_ours_is_no_agreement() -> None:
    """The host's 2,040.02 us went into the model: the page compares it with nothing."""
    own = yaml.safe_load((CONFIGS / "paper/anet.yaml").read_text())["own_series"]
    with (CONFIGS / "paper/anet/host.csv").open() as file:
        assert own not in {row["series"] for row in csv.DictReader(file)}
    with (CONFIGS / "paper/anet/figure4.csv").open() as file:
        assert own in {row["series"] for row in csv.DictReader(file)}
