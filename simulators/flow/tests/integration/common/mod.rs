//! Reads the reference data and builds jobs.
#![allow(dead_code, reason = "each test uses a part of it")]

use fabric::{Fabric, Ties, TopologySpec, UpRouting};
use flate2::read::GzDecoder;
use flow::{Job, Model};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use workload::{Message, Messages, Outstanding};

/// One line of a table: text by column.
pub type Row = HashMap<String, String>;

/// Rows of a compressed CSV file of `tests/data/simgrid`.
pub fn rows(name: &str) -> Vec<Row> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/simgrid");
    let file = File::open(root.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut lines = BufReader::new(GzDecoder::new(file)).lines().map(Result::unwrap);
    let header: Vec<String> = lines.next().unwrap().split(',').map(str::to_string).collect();
    lines
        .map(|line| header.iter().cloned().zip(line.split(',').map(str::to_string)).collect())
        .collect()
}

pub fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap()
}

pub fn message(row: &Row, bytes: u64) -> Message {
    let node = |column| number(row, column) as u32;
    Message { src: node("src"), dst: node("dst"), bytes, start_s: 0.0 }
}

pub fn fat_tree(k: u32, levels: u32, routing: UpRouting) -> Fabric {
    TopologySpec::FatTree { k, levels, routing, nodes: None }.build(1).unwrap()
}

pub fn mesh(k: u32) -> Fabric {
    TopologySpec::Mesh { sizes: vec![k, k], nodes: None }.build(1).unwrap()
}

pub fn torus(k: u32, ties: Ties) -> Fabric {
    TopologySpec::Torus { sizes: vec![k, k], ties, nodes: None }.build(1).unwrap()
}

/// A closed list on channels of 125 MB/s without latency, one message per node under way.
pub fn job<'a>(fabric: &'a Fabric, messages: &'a Messages, model: Model) -> Job<'a> {
    Job {
        fabric,
        links: &fabric::ALIKE,
        messages,
        model,
        bandwidth_bytes_per_s: 125e6,
        parts: None,
        latency_s: 0.0,
        hop_latency_s: 0.0,
        outstanding: Outstanding::AtMost(1),
        injection_rate: 1.0,
        until_first_node: false,
        busy_times: false,
    }
}
