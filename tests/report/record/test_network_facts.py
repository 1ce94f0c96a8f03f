"""The table of the networks that a page compares."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import report_samples
from report_samples import CONFIGS, make_plan, point, run
from weft.config.graphs.naming import NodeRule
from weft.config.graphs.read import read_graph
from weft.report.compare.page import build_comparison
from weft.report.data.source import open_study
from weft.report.pages.build import build_paper, build_report
from weft.report.record.network_facts import NetworkTable, network_table, networks_side_by_side

Row = dict[str, Any]
TREE: Row = {"kind": "fat_tree", "k": 4, "levels": 2, "nodes": 16}
GRID: Row = {"kind": "torus", "sizes": [4, 4], "nodes": 16}


def spec(topology: Row, network: Row | None = None) -> Row:
    return {"topology": topology, "network": network or {}, "workload": {}, "options": {}}


def planned(
    folder: Path,
    specs: Sequence[tuple[Row, Row]],
    links: Mapping[int, Sequence[tuple[str, str, str]]] | None = None,
    seeds: int = 1,
    **report: Any,
) -> Path:
    """The plan of points with these coordinates and specs; `links` are rows of a point by place."""
    points = [
        point("flow", coordinates, asked, seed) for coordinates, asked in specs
        for seed in range(seeds)
    ]  # fmt: skip
    plan = make_plan("net", points, [])
    plan.stored_report.update(report)
    rows = [
        {"experiment": "net", "point_id": points[place].point_id, "link": f"{a}>{b}", "class": kind,
         "source": a, "target": b, "bytes": 0.0, "busy_s": 0.0, "utilisation": 0.0}
        for place, own in (links or {}).items() for kind, a, b in own
    ]  # fmt: skip
    runs = [{"experiment": "net", **run(at)} for at in points]
    report_samples.write(folder, [plan], {"runs": runs, "links": rows})
    return folder / "results/net/plan.json"


def table(folder: Path, *given: Any, **more: Any) -> NetworkTable:
    plan = planned(folder, *given, **more)
    with open_study(plan, folder / "results/weft.duckdb", CONFIGS) as study:
        return network_table(study)


def facts(found: NetworkTable) -> dict[str, dict[str, str]]:
    return {
        name: dict(zip(found.columns, cells, strict=True)) for name, cells in found.rows
    }  # fmt: skip


def kinds(*topologies: Row) -> list[tuple[Row, Row]]:
    return [({"topology.kind": each["kind"]}, spec(each)) for each in topologies]


def test_each_network_has_a_row_named_as_its_series(tmp_path: Path) -> None:
    found = facts(table(tmp_path, kinds(TREE, GRID)))
    assert found["fat_tree"] == {
        "Nodes": "16", "Switches": "8", "Node cables": "16", "Switch cables": "16", "Ports": "8",
        "Bisection": "8", "of full": "100%", "Diameter": "2", "Mean distance": "1.60",
    }  # fmt: skip
    assert found["torus"] == {
        "Nodes": "16", "Switches": "16", "Node cables": "16", "Switch cables": "32", "Ports": "5",
        "Bisection": "8", "of full": "100%", "Diameter": "4", "Mean distance": "2.13",
    }  # fmt: skip


def test_routes_do_not_make_another_network(tmp_path: Path) -> None:
    ways = [({"topology.routing": way}, spec({**TREE, "routing": way})) for way in ("dmodk", "nca")]
    assert table(tmp_path, ways).rows == ()


def test_a_measurement_names_no_network(tmp_path: Path) -> None:
    given = kinds(TREE, GRID)
    given.append(({}, {"network": {}, "workload": {}, "options": {}}))
    assert [name for name, _ in table(tmp_path, given).rows] == ["fat_tree", "torus"]


def test_settings_of_links_share_the_row_of_their_network(tmp_path: Path) -> None:
    keys = ("network.bandwidth_bytes_per_s", "network.latency_s")
    given = [
        (dict(zip(keys, (rate, 1e-6), strict=True)),
         spec(each, {"bandwidth_bytes_per_s": rate, "latency_s": 1e-6}))
        for each, rate in ((TREE, 1e9), (TREE, 4e9), (TREE, 2e9))
    ]  # fmt: skip
    found = facts(table(tmp_path, given))
    assert [(name, each["Link rate"]) for name, each in found.items()] == [
        ("fat_tree", "1 GB/s to 4 GB/s")
    ]
    assert "Latency" not in found["fat_tree"]


def test_networks_of_different_links_name_those_of_each(tmp_path: Path) -> None:
    given = [
        ({"topology.kind": each["kind"]}, spec(each, {"bandwidth_bytes_per_s": rate}))
        for each, rate in ((TREE, 1e9), (GRID, 4e9))
    ]
    found = facts(table(tmp_path, given))
    assert [each["Link rate"] for each in found.values()] == ["1 GB/s", "4 GB/s"]


def test_a_taper_divides_the_share_of_full_bisection(tmp_path: Path) -> None:
    given = [({"topology.taper": n}, spec({**TREE, "taper": n})) for n in (2.0, 4.0)]
    found = facts(table(tmp_path, given)).values()
    assert [(each["Bisection"], each["of full"]) for each in found] == [("8", "50%"), ("8", "25%")]


def test_where_only_links_between_groups_are_slower_they_alone_count_less(tmp_path: Path) -> None:
    groups: Row = {"kind": "dragonfly", "p": 2, "a": 4, "h": 2, "nodes": 72}
    given = [({"topology.taper": n}, spec({**groups, "taper": n})) for n in (1.0, 2.0)]
    found = facts(table(tmp_path, given)).values()
    # 16 links between groups and 4 in the middle one, for 36 nodes.
    assert [each["of full"] for each in found] == ["≤ 56%", "≤ 33%"]


def test_links_of_several_speeds_have_no_share(tmp_path: Path) -> None:
    slow = {**GRID, "links": [{"channels": ["x+"], "slower": 2.0}]}
    found = facts(table(tmp_path, [({"topology.links": n}, spec(each))
                                   for n, each in enumerate((GRID, slow))]))  # fmt: skip
    assert [each["of full"] for each in found.values()] == ["100%", "–"]


def failing(count: int) -> tuple[Row, Row]:
    return {"topology.failed.links": count}, spec(
        {**TREE, "routing": "ecmp", "failed": {"links": count}}
    )


def test_failures_that_no_table_tells_bound_the_numbers(tmp_path: Path) -> None:
    found = table(tmp_path, [failing(0), failing(2)])
    whole, degraded = facts(found).values()
    assert (whole["Switch cables"], whole["Mean distance"]) == ("16", "1.60")
    assert degraded["Switch cables"] == "16, 2 failed"
    assert (degraded["Bisection"], degraded["Mean distance"]) == ("≤ 8", "≥ 1.60")
    assert "the table links tells which they were" in " ".join(found.notes)


def channels(*gone: tuple[int, int]) -> list[tuple[str, str, str]]:
    """Those of TREE; cables between a leaf and a root are `gone`."""
    found = []
    for node in range(16):
        ends = f"node {node}", f"router {node // 4}"
        found += [("injection", *ends), ("ejection", *reversed(ends))]
    for leaf in range(4):
        for root in range(4, 8):
            ends = f"router {leaf}", f"router {root}"
            up, down = ("failed", "failed") if (leaf, root) in gone else ("up", "down")
            found += [(up, *ends), (down, *reversed(ends))]
    return found


def test_the_table_links_tells_what_failures_cost(tmp_path: Path) -> None:
    # Leaves 0 and 1 have two roots each left, and no common one.
    gone = [(0, 4), (0, 5), (1, 6), (1, 7)]
    found = table(tmp_path, [failing(0), failing(4)], {1: channels(*gone)})
    degraded = facts(found)["Failed links 4"]
    assert (degraded["Switch cables"], degraded["Diameter"]) == ("16, 4 failed", "4")
    # 4 · 4 of 16 · 15 / 2 pairs are 4 apart, and 5 · 16 are 2 apart.
    assert degraded["Mean distance"] == f"{(16 * 4 + 80 * 2) / 120:.2f}"
    assert degraded["Bisection"] == "≤ 4"


def test_draws_of_several_seeds_are_one_network(tmp_path: Path) -> None:
    draws = {2: channels((0, 4), (0, 5), (1, 6), (1, 7)), 3: channels((0, 4))}
    found = table(tmp_path, [failing(0), failing(4)], draws, 2)
    far = (16 * 4 + 80 * 2) / 120
    assert facts(found)["Failed links 4"]["Mean distance"] == f"{(far + 1.6) / 2:.2f}"
    assert "of 2 draws" in " ".join(found.notes)


def test_a_graph_has_the_facts_of_its_file(tmp_path: Path) -> None:
    file = tmp_path / "site.csv"
    cables = [("n0", "a"), ("n1", "a"), ("n2", "b"), ("n3", "b"), ("a", "s"), ("b", "s")]
    file.write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in cables))
    read = read_graph(file, NodeRule((), None))
    graph = {"kind": "graph", "file": file.name, "sha256": read.sha256, "nodes": 4}
    found = facts(table(tmp_path, kinds(graph, GRID)))["graph"]
    assert (found["Switches"], found["Switch cables"], found["Ports"]) == ("3", "2", "3")
    assert (found["Bisection"], found["of full"]) == ("≤ 1", "≤ 50%")
    # The job's copy counts where the file has changed since.
    file.write_text("from,to\n")
    left = tmp_path / f"results/net/flow/s1/graph-{read.sha256[:12]}.json"
    left.parent.mkdir(parents=True)
    left.write_text(read.text)
    with open_study(
        tmp_path / "results/net/plan.json", tmp_path / "results/weft.duckdb", CONFIGS
    ) as study:
        assert facts(network_table(study))["graph"] == found


def test_a_file_that_changed_has_only_nodes(tmp_path: Path) -> None:
    graph = {"kind": "graph", "file": "gone.csv", "sha256": "ab" * 32, "nodes": 4}
    found = facts(table(tmp_path, kinds(graph, GRID)))["graph"]
    assert (found.pop("Nodes"), {*found.values()}) == ("4", {"–"})


def test_a_file_of_another_network_is_not_the_planned_one(tmp_path: Path) -> None:
    (tmp_path / "site.csv").write_text("from,to\nn0,a\nn1,a\n")
    graph = {"kind": "graph", "file": "site.csv", "sha256": "ab" * 32, "nodes": 4}
    assert facts(table(tmp_path, kinds(graph, GRID)))["graph"]["Switches"] == "–"


def test_prices_of_the_experiment_give_costs(tmp_path: Path) -> None:
    prices = {"switch": 100.0, "port": 10.0, "cable": 3.0, "node_cable": 1.0}
    found = table(tmp_path, kinds(TREE, GRID), prices=prices)
    # 8 switches, 16 + 2 · 16 ports, 16 cables of either kind.
    assert facts(found)["fat_tree"]["Cost"] == "1,344"
    assert "switch 100, port 10, cable 3, node cable 1" in " ".join(found.notes)
    assert "Cost" not in table(tmp_path / "free", kinds(TREE, GRID)).columns


def test_a_taper_leaves_out_no_cable_and_its_price_says_so(tmp_path: Path) -> None:
    tapers = [
        ({"topology.taper": t}, spec({**TREE, "taper": t} if t > 1 else TREE)) for t in (1, 2)
    ]
    found = table(tmp_path, tapers, prices={"switch": 100.0, "cable": 3.0})
    plain, tapered = facts(found).values()
    assert plain["Cost"] == tapered["Cost"]
    assert plain["Switch cables"] == tapered["Switch cables"]
    assert (plain["of full"], tapered["of full"]) == ("100%", "50%")
    assert "it changes no cost" in found.notes[-1]
    other = table(tmp_path / "other", kinds(TREE, GRID), prices={"switch": 100.0})
    assert not any("taper" in note for note in other.notes)


def test_variants_name_networks_where_they_tell_them_apart(tmp_path: Path) -> None:
    variants = [["a tree", {"topology.kind": "fat_tree"}], ["a grid", {"topology.kind": "torus"}]]
    found = table(tmp_path, kinds(TREE, GRID), variants=variants)
    assert [name for name, _ in found.rows] == ["a tree", "a grid"]


def test_networks_beyond_the_first_are_counted(tmp_path: Path) -> None:
    sizes = [({"topology.k": k}, spec({**TREE, "k": k})) for k in range(2, 32)]
    found = table(tmp_path, sizes)
    assert (len(found.rows), found.left) == (24, 6)


def test_the_page_shows_the_table_where_networks_differ(tmp_path: Path) -> None:
    for name, given, shown in (("two", kinds(TREE, GRID), True), ("one", kinds(TREE), False)):
        plan = planned(tmp_path / name, given)
        out = tmp_path / f"{name}.html"
        build_report(plan, tmp_path / name / "results/weft.duckdb", CONFIGS, out)
        assert ('<section id="networks">' in out.read_text()) is shown
        assert ('href="#networks"' in out.read_text()) is shown


def test_a_comparison_names_what_only_one_side_has(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    plans = {
        name: make_plan(name, [point("flow", each, asked) for each, asked in given], [])
        for name, given in {"old": kinds(GRID), "new": kinds(TREE, GRID)}.items()
    }
    database = report_samples.write(tmp_path, list(plans.values()), {})
    out = tmp_path / "compared.html"
    paths = (folder / "old/plan.json", folder / "new/plan.json")
    with (
        open_study(paths[0], database, CONFIGS) as old,
        open_study(paths[1], database, CONFIGS) as new,
    ):
        found = networks_side_by_side({"old": old, "new": new})
        assert networks_side_by_side({"old": old, "again": old}).rows == ()
    assert [name for name, _ in found.rows] == ["torus", "fat_tree · new"]
    build_comparison(paths, database, CONFIGS, out)
    assert '<section id="networks">' in out.read_text()


def test_a_paper_unfolds_the_networks_of_each_experiment(tmp_path: Path) -> None:
    plans, database = report_samples.mfs(tmp_path)
    out = tmp_path / "paper_mfs.html"
    build_paper("mfs", plans, database, CONFIGS, out)
    assert "<summary>Table 1 of the MFS paper: 8 networks</summary>" in out.read_text()


def test_every_number_has_its_meaning_below(tmp_path: Path) -> None:
    text = json.dumps(table(tmp_path, kinds(TREE, GRID)).notes)
    for word in ("Ports: ", "Bisection: ", "of full", "Diameter and mean distance: "):
        assert word in text
