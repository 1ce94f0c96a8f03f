//! Transfers of a program that meet: the same times as lists of messages, and order between two nodes.

use crate::network_common::{
    Draw, arrival, control, data, fabric, opennsim, parameters, run, topologies,
};
use flow::network::Network;
use flow::{Job, Model, simulate};
use mpi::measure::Intervals;
use mpi::time::{NEVER, Time, from_seconds, to_seconds};
use mpi::{Happening, Nobody, Transport};
use programs::measure::{NetworkWatch, WatchNetwork};
use programs::{NetworkObserver, SimulatedNetwork};
use serde_json::{Value, json};
use workload::{Message, Messages, Outstanding};

const MODELS: [Model; 2] = [Model::EqualShare, Model::MaxMin];
const BANDWIDTH: f64 = 1.25e8;

/// Links alone, so that nothing but sharing takes time. As in lists, messages of a NIC share them, too.
fn links() -> Value {
    json!({"bandwidth_bytes_per_s": BANDWIDTH, "nic": {"service": "round_robin"}})
}

fn network<O: NetworkObserver>(topology: &Value, model: Model, observer: O) -> Network<O> {
    Network::new(&fabric(topology), &parameters(links()), model, observer).unwrap()
}

/// Random messages, some of them to the node itself or alike.
fn messages(nodes: u32, seed: u64) -> Vec<Message> {
    let mut draw = Draw(seed);
    let mut node = || draw.below(nodes.into()) as u32;
    let mut pairs: Vec<(u32, u32)> = (0..4 * nodes).map(|_| (node(), node())).collect();
    // In `flow`'s lists two messages between the same nodes do not wait for each other.
    pairs.sort_unstable();
    pairs.dedup();
    pairs.retain(|(src, dst)| src != dst);
    let size = |&(src, dst): &(u32, u32)| 1000 + u64::from(src * 37 + dst * 11) * 100;
    pairs
        .iter()
        .map(|pair| Message { src: pair.0, dst: pair.1, bytes: size(pair), start_s: 0.0 })
        .collect()
}

/// When each of them is there, by the engine of lists.
fn as_a_list(topology: &Value, model: Model, list: &[Message]) -> Vec<f64> {
    let fabric = fabric(topology);
    let messages = Messages::explicit(fabric.nodes(), list);
    let job = Job {
        parts: None,
        fabric: &fabric,
        links: &fabric::ALIKE,
        messages: &messages,
        model,
        bandwidth_bytes_per_s: BANDWIDTH,
        latency_s: 0.0,
        hop_latency_s: 0.0,
        outstanding: Outstanding::All,
        injection_rate: 1.0,
        until_first_node: false,
        busy_times: false,
    };
    let outcome = simulate(&job);
    let mut finish = vec![0.0; list.len()];
    for number in 0..list.len() {
        finish[messages.id(number as u32) as usize] = outcome.finish_s[number];
    }
    finish
}

#[test]
fn transfers_that_begin_at_once_take_the_times_of_a_list() {
    for (topology, model) in topologies().iter().flat_map(|t| MODELS.map(|model| (t, model))) {
        let list = messages(fabric(topology).nodes(), 5);
        let mut network = network(topology, model, Nobody);
        for (token, message) in list.iter().enumerate() {
            network.send(0, data(message.src, message.dst, message.bytes, token as u32));
        }
        let happened = run(&mut network);
        for (token, expected_s) in as_a_list(topology, model, &list).into_iter().enumerate() {
            let found_s = to_seconds(arrival(&happened, token as u32));
            // Every change of rates on the way may round the clock by half a picosecond.
            let rounding_s = list.len() as f64 * 1e-12;
            assert!((found_s - expected_s).abs() <= rounding_s, "{topology} {token}: {found_s}");
        }
    }
}

/// A flow alone for half of its time, then beside another one to the same node.
#[test]
fn a_later_transfer_takes_its_share_from_then_on() {
    let crossbar = json!({"kind": "crossbar", "nodes": 3});
    for model in MODELS {
        let mut network = network(&crossbar, model, Nobody);
        let alone = from_seconds(1000.0 / BANDWIDTH);
        network.send(0, data(0, 2, 1000, 0));
        let mut found = vec![];
        assert_eq!(network.advance(alone / 2, &mut found), alone / 2);
        network.send(alone / 2, data(1, 2, 1000, 1));
        let happened = run(&mut network);
        assert_eq!(arrival(&happened, 0), alone / 2 + alone);
        assert_eq!(arrival(&happened, 1), 2 * alone);
    }
}

#[test]
fn ordered_transfers_of_two_nodes_arrive_in_order_and_others_do_not_wait() {
    let crossbar = json!({"kind": "crossbar", "nodes": 3});
    let mut network = network(&crossbar, Model::EqualShare, Nobody);
    let mut free = control(0, 1, 0, 3);
    free.ordered = false;
    for transfer in [data(0, 1, 100_000, 0), data(0, 1, 10, 1), data(0, 2, 10, 2), free] {
        network.send(0, transfer);
    }
    let happened = run(&mut network);
    let arrived = happened.iter().filter_map(|(_, happening)| match happening {
        Happening::Arrived(token) => Some(*token),
        Happening::Read(_) | Happening::HeadArrived(_) => None,
    });
    assert_eq!(arrived.collect::<Vec<_>>(), [3, 2, 0, 1]);
    assert_eq!(arrival(&happened, 0), arrival(&happened, 1));
}

/// Random transfers between all nodes of a torus at random times.
fn busy<O: NetworkObserver>(model: Model, observer: O) -> (Network<O>, Vec<(Time, Happening)>) {
    let fabric = fabric(&torus());
    let mut network = Network::new(&fabric, &parameters(opennsim()), model, observer).unwrap();
    let (mut draw, mut now, mut happened) = (Draw(3), 0, vec![]);
    for token in 0..2000 {
        let (src, dst) = (draw.below(32) as u32, draw.below(32) as u32);
        network.send(now, data(src, dst, 1 + draw.below(9000), token));
        let (until, mut found) = (now + draw.below(200_000), vec![]);
        now = network.advance(until, &mut found);
        happened.extend(found.into_iter().map(|happening| (now, happening)));
    }
    happened.extend(run(&mut network));
    (network, happened)
}

fn torus() -> Value {
    json!({"kind": "torus", "ties": "plus", "sizes": [4, 4, 2]})
}

#[test]
fn the_same_input_gives_the_same_bits_watched_or_not() {
    for model in MODELS {
        let watch = WatchNetwork { interval_ps: Some(700_000), buffers: None };
        let watched = NetworkWatch::new(&fabric(&torus()), &watch).unwrap();
        let plain = busy(model, Nobody).1;
        assert_eq!(plain, busy(model, Nobody).1);
        assert_eq!(plain, busy(model, watched).1);
        assert_eq!(plain.iter().filter(|(_, h)| matches!(h, Happening::Arrived(_))).count(), 2000);
    }
}

#[test]
fn series_add_up_to_the_counters_of_the_network() {
    for model in MODELS {
        let watch = WatchNetwork { interval_ps: Some(700_000), buffers: None };
        let fabric = fabric(&torus());
        let (mut network, _) = busy(model, NetworkWatch::new(&fabric, &watch).unwrap());
        let end = network.observer().end(0);
        let channels = (0..fabric.channels()).filter(|&channel| fabric.exists(channel));
        let mut by_class = std::collections::BTreeMap::new();
        for channel in channels {
            let sums = by_class.entry(fabric.class(channel)).or_insert((0, 0));
            sums.0 += network.channel_bytes(channel);
            sums.1 += network.channel_busy(channel);
            assert!(network.channel_busy(channel) <= end);
            // No channel carries more than its bandwidth.
            let least = mpi::time::of_bytes(network.channel_bytes(channel), 4e9);
            assert!(network.channel_busy(channel) + 2000 >= least);
        }
        let watch = network.observer_mut();
        watch.finish(end);
        let intervals = Intervals::new(700_000, watch.shift(), end);
        let (series, waits, classes) = watch.series(&intervals).unwrap();
        assert!(waits.is_none() && series.buffers.is_none());
        let mut carried = vec![0.0; classes.count()];
        for (interval, row) in series.links.rows(&intervals, classes) {
            let length_s = to_seconds(interval.end - interval.start);
            for (class, bytes_per_s) in row.bytes_per_s.iter().enumerate() {
                carried[class] += bytes_per_s * length_s * classes.links(class) as f64;
                // Bytes are reported whole: the one under way may count in the next interval.
                assert!(row.max_bytes_per_s[class] <= 4e9 + 2.0 / length_s);
            }
            assert!((row.share.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        for (name, carried) in classes.names().iter().zip(carried) {
            assert!((carried - by_class[name].0 as f64).abs() < 1.0, "{name}: {carried}");
        }
        assert!(end < NEVER);
    }
}

/// Node 2 gets a large transfer, and another one at some time: when each of them arrives.
fn arrivals_beside(other: Option<(Time, u64)>) -> Vec<Time> {
    let crossbar = json!({"kind": "crossbar", "nodes": 3});
    let parameters = parameters(opennsim());
    let mut network = Network::new(&fabric(&crossbar), &parameters, Model::MaxMin, Nobody).unwrap();
    network.send(0, data(0, 2, 8000, 0));
    let mut found = vec![];
    if let Some((at, bytes)) = other {
        while network.advance(at, &mut found) < at {}
        network.send(at, data(1, 2, bytes, 1));
    }
    let happened = run(&mut network);
    (0..1 + u32::from(other.is_some())).map(|token| arrival(&happened, token)).collect()
}

/// Its DMA has been at work since the first unit came, whatever lands in between.
#[test]
fn a_small_transfer_delays_a_large_one_no_longer_than_it_takes_the_link() {
    let (alone, header) = (arrivals_beside(None)[0], from_seconds(32.0 / 4e9));
    for at in (0..alone).step_by(50_000) {
        let found = arrivals_beside(Some((at, 0)))[0];
        assert!(found <= alone + header, "{at} ps: {found} ps, not {alone} ps");
    }
}

/// DMA is four times as fast as the link.
#[test]
fn transfers_that_share_a_link_share_the_dma_behind_it() {
    let together = arrivals_beside(None)[0] + from_seconds(8032.0 / 4e9);
    assert_eq!(arrivals_beside(Some((0, 8000))), [together; 2]);
}
