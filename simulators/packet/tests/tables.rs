//! Tables on demand.

mod spec;

use serde_json::json;
use spec::{answer, folder, mesh, point, traffic, with, CYCLE_S};
use std::path::Path;

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
    assert_eq!(header, "link,bytes,busy_s,utilisation");
    assert_eq!(links.len(), 16 + 16 + 48);
    let used = mean(links.iter().map(|row| number(&row[3])));
    assert!((used - metrics["link_utilisation_mean"]).abs() < 1e-12);
    for row in &links {
        assert!((number(&row[1]) / 16.0 * CYCLE_S - number(&row[2])).abs() < 1e-15, "{row:?}");
    }
    let (header, nodes) = table(&folder, "nodes");
    assert_eq!(header, "node,injected_rate,accepted_rate");
    assert!((mean(nodes.iter().map(|r| number(&r[1]))) - metrics["injected_rate"]).abs() < 1e-12);
    assert!((mean(nodes.iter().map(|r| number(&r[2]))) - metrics["accepted_rate"]).abs() < 1e-12);
    let ejected = links.iter().find(|row| row[0] == "ejection/3").unwrap();
    let injected = links.iter().find(|row| row[0] == "injection/3").unwrap();
    // What is on the way at the borders of the window makes the difference.
    assert!((number(&ejected[3]) - number(&nodes[3][2])).abs() < 0.002);
    assert_eq!(injected[3], nodes[3][1]);
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
fn the_series_counts_every_flit_from_the_start() {
    let folder = folder("series");
    let list = json!({"kind": "messages", "pattern": "uniform", "per_node": 20,
                      "message_bytes": [64], "outstanding": "all"});
    let options = json!({"tables": ["series"], "series_interval_cycles": 50});
    answer(&with(point(mesh(4), list), options), &folder);
    let (header, rows) = table(&folder, "series");
    assert_eq!(header, "metric,start_s,end_s,value,unit");
    let values = |metric: &str| -> Vec<f64> {
        rows.iter().filter(|row| row[0] == metric).map(|row| number(&row[3])).collect()
    };
    for metric in ["injected_rate", "accepted_rate"] {
        let flits = values(metric).iter().sum::<f64>() * 50.0 * 16.0;
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
