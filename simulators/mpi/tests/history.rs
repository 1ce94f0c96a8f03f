//! The communication history opens in viewers of traces.

use mpi::measure::{History, ProgramWatch, WatchProgram};
use mpi::{Call, Observer};
use serde_json::Value;
use std::path::PathBuf;

/// Two ranks on node 0, one on node 1.
const NODE_OF: [u32; 3] = [0, 0, 1];

fn read(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap()
}

fn written(most: u64, record: impl Fn(&mut History<&mut Vec<u8>>)) -> (Value, Option<String>) {
    let mut text = vec![];
    let mut history = History::new(&mut text, &NODE_OF, most);
    record(&mut history);
    let note = history.finish().unwrap();
    drop(history);
    (read(&text), note)
}

fn events<'a>(trace: &'a Value, phase: &str) -> Vec<&'a Value> {
    trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == phase).collect()
}

#[test]
fn a_call_is_a_complete_event_of_its_rank_and_node() {
    let (trace, _) = written(10, |history| history.call((2, 0), "MGEN_Recv", 1_500_000, 4_000_001));
    assert_eq!(trace["displayTimeUnit"], "ns");
    let call = events(&trace, "X")[0];
    assert_eq!(
        (&call["name"], &call["pid"], &call["tid"]),
        (&"MGEN_Recv".into(), &2.into(), &3.into())
    );
    assert_eq!((call["ts"].as_f64(), call["dur"].as_f64()), (Some(1.5), Some(2.500001)));
    let names: Vec<_> = events(&trace, "M").iter().map(|e| e["args"]["name"].clone()).collect();
    assert_eq!(names, ["node 1", "rank 2"]);
}

#[test]
fn further_threads_of_a_rank_have_lanes_behind_those_of_all_ranks() {
    let (trace, _) = written(10, |history| {
        history.call((2, 0), "MGEN_Recv", 0, 1);
        history.call((2, 1), "MGEN_Recv", 0, 1);
    });
    let lanes: Vec<_> = events(&trace, "X").iter().map(|event| event["tid"].clone()).collect();
    assert_eq!(lanes, [3, 6]);
    assert_eq!(events(&trace, "M")[2]["args"]["name"], "rank 2, thread 1");
}

#[test]
fn a_message_is_a_flow_from_sender_to_receiver() {
    let (trace, _) = written(10, |history| {
        history.message(0, 2, 64, 1_000_000, 3_000_000);
        history.message(2, 0, 8, 3_000_000, 4_000_000);
    });
    let (starts, ends) = (events(&trace, "s"), events(&trace, "f"));
    for (start, end) in starts.iter().zip(&ends) {
        assert_eq!(start["id"], end["id"]);
        assert_eq!((&start["name"], &start["cat"]), (&end["name"], &end["cat"]));
        assert!(start["ts"].as_f64() < end["ts"].as_f64());
    }
    assert_eq!(
        (&starts[0]["tid"], &ends[0]["tid"], &ends[0]["pid"]),
        (&1.into(), &3.into(), &2.into())
    );
    assert_eq!(starts[0]["args"]["bytes"], 64);
    assert_ne!(starts[0]["id"], starts[1]["id"]);
}

#[test]
fn places_are_named_once() {
    let (trace, _) = written(100, |history| {
        for at in 0..5 {
            history.call((0, 0), "MGEN_Send", at, at + 1);
            history.call((1, 0), "MGEN_Send", at, at + 1);
        }
    });
    assert_eq!(events(&trace, "M").len(), 3);
    assert_eq!(events(&trace, "X").len(), 10);
}

#[test]
fn a_full_file_ends_well_and_says_what_is_missing() {
    let (trace, note) = written(3, |history| {
        history.call((0, 0), "MGEN_Send", 0, 1);
        history.call((0, 0), "MGEN_Send", 1, 2);
        history.message(0, 1, 8, 0, 1);
        history.call((0, 0), "MGEN_Send", 2, 3);
    });
    assert_eq!(events(&trace, "X").len(), 2);
    assert_eq!(events(&trace, "s").len() + events(&trace, "f").len(), 0);
    let expected = "the first 2 events; 3 later ones are left out";
    assert_eq!(trace["otherData"]["note"], expected);
    assert_eq!(note.unwrap(), format!("history: {expected}"));
}

#[test]
fn a_run_that_fails_leaves_a_whole_file() {
    let mut text = vec![];
    let mut history = History::new(&mut text, &NODE_OF, 10);
    history.call((0, 0), "MGEN_Recv", 0, 1);
    drop(history);
    assert_eq!(read(&text)["otherData"]["note"], "the run failed");
}

#[test]
fn a_history_without_events_is_valid() {
    let (trace, _) = written(10, |_| ());
    assert_eq!(trace["traceEvents"].as_array().unwrap().len(), 0);
}

#[test]
fn messages_are_listed_with_their_nodes_and_latencies() {
    let folder = std::env::temp_dir().join(format!("weft-rdma-messages-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let watch = WatchProgram { messages: true, history: true, ..WatchProgram::default() };
    let mut program = ProgramWatch::new(&watch, &folder, "p", &NODE_OF).unwrap();
    program.message(1, 2, 64, 1_000_000, 3_000_000);
    program.message(2, 0, 8, 3_000_000, 4_000_000);
    program.call(&call(2, "MGEN_Send", 3_000_000, 3_500_000));
    assert!(program.finish(0).unwrap().is_empty());
    let text = std::fs::read_to_string(folder.join("messages-p.csv")).unwrap();
    let rows = "message_id,src,dst,bytes,start_s,finish_s\n0,0,1,64,0.000001,0.000003\n1,1,0,8,0.000003,0.000004\n";
    assert_eq!(text, rows);
    assert_eq!(program.latencies().mean_s(), Some(1.5e-6));
    assert_eq!(program.latencies().max_s(), Some(2e-6));
    let history = std::fs::read(folder.join("history-p.json")).unwrap();
    assert_eq!(events(&read(&history), "X").len(), 1);
}

fn call(rank: u32, name: &'static str, start: u64, end: u64) -> Call {
    Call { rank, thread: 0, name, start, end, waited: 0, is_inner: false }
}

#[test]
fn calls_are_added_up_by_rank_without_those_that_a_collective_makes() {
    let (folder, mut program) =
        watched("calls", &WatchProgram { calls: true, ..WatchProgram::default() });
    program.call(&Call { is_inner: true, ..call(1, "MGEN_Send", 1_000_000, 2_000_000) });
    program.call(&Call { waited: 500_000, ..call(1, "MGEN_Bcast", 1_000_000, 2_000_000) });
    program.call(&Call { waited: 250_000, ..call(1, "MGEN_Bcast", 5_000_000, 5_500_000) });
    program.call(&call(0, "MGEN_Comp", 0, 4_000_000));
    program.finish(0).unwrap();
    let rows = "rank,call,count,time_s,waiting_s\n0,MGEN_Comp,1,0.000004,0\n\
                1,MGEN_Bcast,2,0.0000015,0.00000075\n";
    assert_eq!(std::fs::read_to_string(folder.join("calls-p.csv")).unwrap(), rows);
}

#[test]
fn messages_are_added_up_by_pairs_of_ranks() {
    let (folder, mut program) =
        watched("pairs", &WatchProgram { rank_pairs: true, ..WatchProgram::default() });
    program.message(2, 0, 8, 0, 1);
    program.message(1, 2, 64, 0, 1);
    program.message(2, 0, 16, 3, 4);
    program.finish(0).unwrap();
    let rows = "source,destination,messages,bytes\n1,2,1,64\n2,0,2,24\n";
    assert_eq!(std::fs::read_to_string(folder.join("rank_pairs-p.csv")).unwrap(), rows);
}

fn watched(name: &str, watch: &WatchProgram) -> (PathBuf, ProgramWatch) {
    let folder = std::env::temp_dir().join(format!("weft-mpi-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = ProgramWatch::new(watch, &folder, "p", &NODE_OF).unwrap();
    (folder, program)
}
