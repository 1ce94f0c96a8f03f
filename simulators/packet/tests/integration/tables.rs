//! Tables on demand.

use crate::spec::{CYCLE_S, answer, crossbar, folder, mesh, point, traffic, with};
use serde_json::json;
use std::path::Path;

/// Length of a row of a series.
fn cycles(row: &[String]) -> f64 {
    (number(&row[2]) - number(&row[1])) / CYCLE_S
}

/// Three messages of one flit from node 0 to its neighbour, one after the other: 3 times 12 cycles and
/// one between two messages.
fn chain(tables: &[&str], interval_cycles: u64, name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    let file = folder.join("chain.csv");
    std::fs::write(&file, "src,dst,bytes\n0,1,16\n0,1,16\n0,1,16\n").unwrap();
    let list = json!({"kind": "messages", "pattern": "file", "file": file, "outstanding": 1,
                      "message_bytes": []});
    let options = json!({"tables": tables, "series_interval_cycles": interval_cycles});
    let metrics = answer(&with(point(mesh(2), list), options), &folder);
    assert_eq!(metrics["makespan_cycles"], 38.0);
    folder
}

/// Header and rows of a table.
fn table(folder: &Path, name: &str) -> (String, Vec<Vec<String>>) {
    let text = std::fs::read_to_string(folder.join(format!("{name}-p.csv"))).unwrap();
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_string();
    (header, lines.map(|line| line.split(',').map(str::to_string).collect()).collect())
}

fn number(field: &str) -> f64 {
    field.parse().unwrap()
}

fn mean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    values.clone().sum::<f64>() / values.count() as f64
}

#[test]
fn links_and_nodes_agree_with_the_metrics() {
    let folder = folder("links");
    let wanted = with(point(mesh(4), traffic(0.3)), json!({"tables": ["links", "nodes"]}));
    let metrics = answer(&wanted, &folder);
    let (header, links) = table(&folder, "links");
    assert_eq!(header, "link,class,source,target,bytes,busy_s,utilisation");
    assert_eq!(links.len(), 16 + 16 + 48);
    let used = mean(links.iter().map(|row| number(&row[6])));
    assert!((used - metrics["link_utilisation_mean"]).abs() < 1e-12);
    for row in &links {
        assert!((number(&row[4]) / 16.0 * CYCLE_S - number(&row[5])).abs() < 1e-15, "{row:?}");
    }
    let (header, nodes) = table(&folder, "nodes");
    assert_eq!(header, "node,injected_rate,accepted_rate");
    assert!((mean(nodes.iter().map(|r| number(&r[1]))) - metrics["injected_rate"]).abs() < 1e-12);
    assert!((mean(nodes.iter().map(|r| number(&r[2]))) - metrics["accepted_rate"]).abs() < 1e-12);
    let ejected = links.iter().find(|row| row[0] == "ejection/3").unwrap();
    let injected = links.iter().find(|row| row[0] == "injection/3").unwrap();
    // What is on the way at the borders of the window makes the difference.
    assert!((number(&ejected[6]) - number(&nodes[3][2])).abs() < 0.002);
    assert_eq!(injected[6], nodes[3][1]);
}

/// In a crossbar of three nodes no link has more than three pairs, so the table holds all.
#[test]
fn flows_of_a_link_add_up_to_its_bytes_within_the_window() {
    let folder = folder("flows");
    let options = json!({"tables": ["links"], "measure_cycles": 1001});
    answer(&with(point(crossbar(3), traffic(0.4)), options), &folder);
    let (header, flows) = table(&folder, "link_flows");
    assert_eq!(header, "link,source,destination,bytes");
    let (_, links) = table(&folder, "links");
    for link in &links {
        let own = flows.iter().filter(|flow| flow[0] == link[0]);
        assert_eq!(own.map(|flow| number(&flow[3])).sum::<f64>(), number(&link[4]), "{link:?}");
    }
    let to_2 = flows.iter().filter(|flow| flow[0] == "ejection/2");
    assert!(to_2.clone().count() == 3 && to_2.clone().all(|flow| flow[2] == "node 2"));
}

/// Both messages from one corner to the other choose their own ways.
#[test]
fn flows_are_counted_where_packets_really_went() {
    let folder = folder("flows-adaptive");
    let file = folder.join("corner.csv");
    std::fs::write(&file, "src,dst,bytes\n0,3,6400\n").unwrap();
    let list = json!({"kind": "messages", "pattern": "file", "file": file, "outstanding": 1,
                      "message_bytes": []});
    let mut cornered = with(point(mesh(2), list), json!({"tables": ["links"]}));
    cornered["topology"]["routing"] = json!("spray");
    answer(&cornered, &folder);
    let (_, flows) = table(&folder, "link_flows");
    let bytes = |link: &str| -> f64 {
        flows.iter().filter(|flow| flow[0] == link).map(|flow| number(&flow[3])).sum()
    };
    assert_eq!((bytes("injection/0"), bytes("ejection/3")), (6400.0, 6400.0));
    assert!(bytes("x+/0") > 0.0 && bytes("y+/0") > 0.0);
    assert_eq!(bytes("x+/0") + bytes("y+/0"), 6400.0);
}

#[test]
fn buffers_are_never_fuller_than_they_are_large() {
    let folder = folder("buffers");
    let options = json!({"tables": ["buffers"], "measure_cycles": 500});
    answer(&with(point(mesh(4), traffic(1.0)), options), &folder);
    let (header, rows) = table(&folder, "buffers");
    assert_eq!(header, "link,vc,occupancy_mean_flits,occupancy_max_flits,capacity_flits");
    assert_eq!(rows.len(), 2 * (16 + 48));
    for row in &rows {
        let (mean, max) = (number(&row[2]), number(&row[3]));
        assert!(mean <= max && max <= 8.0 && row[4] == "8", "{row:?}");
    }
    assert!(rows.iter().any(|row| row[0].starts_with("injection/") && number(&row[3]) == 8.0));
}

#[test]
fn buffers_of_a_list_are_means_over_its_completion_time() {
    let (_, rows) = table(&chain(&["buffers"], 100, "chain_buffers"), "buffers");
    let injection = rows.iter().filter(|row| row[0] == "injection/0");
    let mean_flits: f64 = injection.map(|row| number(&row[2])).sum();
    // Three flits, two cycles each.
    assert!((mean_flits - 6.0 / 38.0).abs() < 1e-12, "{mean_flits}");
}

#[test]
fn the_series_of_a_list_ends_with_it() {
    // Also where the end is the end of an interval, and where no interval ends before it.
    for (interval, ends) in [(10, vec![10, 20, 30, 38]), (19, vec![19, 38]), (5000, vec![38])] {
        let (_, rows) = table(&chain(&["series"], interval, "chain_series"), "series");
        let accepted: Vec<_> = rows.iter().filter(|row| row[0] == "accepted_rate").collect();
        let end = |row: &&Vec<String>| (number(&row[2]) / CYCLE_S).round() as u64;
        assert_eq!(accepted.iter().map(end).collect::<Vec<_>>(), ends);
        let flits: f64 = accepted.iter().map(|row| number(&row[3]) * cycles(row) * 4.0).sum();
        assert!((flits - 3.0).abs() < 1e-9, "{interval}: {flits}");
        let mut arrived = rows.iter().filter(|row| row[0] == "packet_latency_mean_cycles");
        assert_eq!(number(&arrived.next_back().unwrap()[2]), number(&rows.last().unwrap()[2]));
        assert_eq!(rows.last().unwrap()[3], "0");
    }
}

#[test]
fn messages_of_a_file_keep_its_numbers() {
    let folder = folder("numbers");
    let file = folder.join("list.csv");
    std::fs::write(&file, "src,dst,bytes\n2,0,5\n0,1,7\n\n2,3,6\n").unwrap();
    let list = json!({"kind": "messages", "pattern": "file", "file": file, "outstanding": "all",
                      "message_bytes": []});
    answer(&with(point(mesh(2), list), json!({"tables": ["messages"]})), &folder);
    let (_, rows) = table(&folder, "messages");
    let named: Vec<String> = rows.iter().map(|row| row[..4].join(",")).collect();
    assert_eq!(named, ["1,0,1,7", "0,2,0,5", "2,2,3,6"]);
}

#[test]
fn the_series_counts_every_flit_from_the_start() {
    let folder = folder("series");
    let list = json!({"kind": "messages", "pattern": "uniform", "per_node": 20,
                      "message_bytes": [64], "outstanding": "all"});
    let options = json!({"tables": ["series"], "series_interval_cycles": 50});
    answer(&with(point(mesh(4), list), options), &folder);
    let (header, rows) = table(&folder, "series");
    assert_eq!(header, "metric,start_s,end_s,value,unit,label");
    let values = |metric: &str| -> Vec<f64> {
        rows.iter().filter(|row| row[0] == metric).map(|row| number(&row[3])).collect()
    };
    for metric in ["injected_rate", "accepted_rate"] {
        let of_metric = rows.iter().filter(|row| row[0] == metric);
        let flits: f64 = of_metric.map(|row| number(&row[3]) * cycles(row) * 16.0).sum();
        assert!((flits - 16.0 * 20.0 * 4.0).abs() < 1e-6, "{metric}: {flits}");
    }
    assert_eq!(values("in_flight_flits").last(), Some(&0.0));
    assert!(values("packet_latency_mean_cycles")[0] > 7.0);
    assert_eq!((&rows[0][1][..], number(&rows[0][2])), ("0", 50.0 * CYCLE_S));
}

#[test]
fn messages_of_traffic_are_those_of_the_window() {
    let folder = folder("messages");
    let mut workload = traffic(0.2);
    workload["message_bytes"] = json!([160]);
    let options = json!({"tables": ["messages"], "warmup_cycles": 1000, "measure_cycles": 1000});
    let metrics = answer(&with(point(mesh(4), workload), options), &folder);
    let (header, rows) = table(&folder, "messages");
    assert_eq!(header, "message_id,src,dst,bytes,start_s,finish_s");
    // A message of 10 flits is three packets.
    assert_eq!(rows.len() as f64 * 3.0, metrics["packets_measured"]);
    for row in &rows {
        let (start, finish) = (number(&row[4]) / CYCLE_S, number(&row[5]) / CYCLE_S);
        assert!((999.999..2000.0).contains(&start) && finish > start + 15.0, "{row:?}");
        assert_eq!(row[3], "160");
    }
}
