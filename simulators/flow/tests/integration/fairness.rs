//! Max-min fairness and conservation on random fabrics and message lists.

use crate::common::job;
use fabric::{CubeRouting, Detour, Fabric, FlyRouting, Link, Links, Ties, TopologySpec, UpRouting};
use flow::{Job, Model, simulate};
use proptest::prelude::*;
use workload::{Message, Messages, Outstanding};

fn any_fabric() -> impl Strategy<Value = Fabric> {
    let spec = prop_oneof![
        (2_u32..5, 2_u32..4).prop_map(|(k, levels)| TopologySpec::FatTree {
            k,
            levels,
            routing: UpRouting::Dmodk,
            nodes: None
        }),
        prop::collection::vec(2_u32..8, 1..3)
            .prop_map(|sizes| TopologySpec::Mesh { sizes, nodes: None }),
        prop::collection::vec(2_u32..8, 1..3).prop_map(|sizes| TopologySpec::Torus {
            sizes,
            ties: Ties::Random,
            nodes: None
        }),
        (2_u32..7).prop_map(|dimensions| TopologySpec::Hypercube {
            dimensions,
            routing: CubeRouting::ECube,
            nodes: None
        }),
        (2_u32..4, 1_u32..4).prop_map(|(k, stages)| TopologySpec::Fly {
            k,
            stages,
            routing: FlyRouting::DestinationTag,
            nodes: None
        }),
        (2_u32..5, 1_u32..3).prop_map(|(k, dimensions)| TopologySpec::FlattenedButterfly {
            k,
            dimensions,
            concentration: Some(2),
            routing: Detour::Minimal,
            nodes: None
        }),
        (1_u32..3, 1_u32..4).prop_map(|(p, a)| TopologySpec::Dragonfly {
            p,
            a: Some(a),
            h: None,
            routing: Detour::Minimal,
            nodes: None
        }),
    ];
    spec.prop_map(|spec| spec.build(3).unwrap())
}

fn any_list() -> impl Strategy<Value = Vec<(u32, u32, u64)>> {
    prop::collection::vec((any::<u32>(), any::<u32>(), 0_u64..50), 1..400)
}

fn list(fabric: &Fabric, raw: &[(u32, u32, u64)]) -> Vec<Message> {
    let node = |number: u32| number % fabric.nodes();
    raw.iter()
        .map(|&(src, dst, bytes)| Message { src: node(src), dst: node(dst), bytes, start_s: 0.0 })
        .collect()
}

/// Rates by progressive filling from scratch: all flows grow together, and stop one by one when a
/// channel of theirs is full.
fn progressive_filling(fabric: &Fabric, links: &Links, flows: &[(u32, u32)]) -> Vec<f64> {
    let routes: Vec<Vec<u32>> = flows
        .iter()
        .map(|&(src, dst)| {
            let mut path = vec![];
            fabric.route(src, dst, &mut path);
            path
        })
        .collect();
    let mut rates = vec![f64::NAN; flows.len()];
    let mut free: Vec<f64> = (0..fabric.channels()).map(|c| 1.0 / links.slower(c)).collect();
    while rates.iter().any(|rate| rate.is_nan()) {
        let growing = |i: &usize| rates[*i].is_nan();
        let mut count = vec![0_u32; free.len()];
        for i in (0..flows.len()).filter(growing) {
            routes[i].iter().for_each(|&channel| count[channel as usize] += 1);
        }
        let shares: Vec<f64> = free.iter().zip(&count).map(|(f, &n)| f / f64::from(n)).collect();
        let crossed = (0..free.len()).filter(|&channel| count[channel] > 0);
        let least = crossed.map(|channel| shares[channel]).fold(f64::INFINITY, f64::min);
        // A flow on no channel has the rate of the network.
        let alone = rates.iter().zip(&routes).any(|(r, route)| r.is_nan() && route.is_empty());
        let least = if alone { least.min(1.0) } else { least };
        let full = |channel: &u32| shares[*channel as usize] <= least * (1.0 + 1e-9);
        let stopping: Vec<usize> = (0..flows.len())
            .filter(growing)
            .filter(|&i| routes[i].is_empty() || routes[i].iter().any(full))
            .collect();
        for i in stopping {
            rates[i] = if routes[i].is_empty() { 1.0 } else { least };
            routes[i].iter().for_each(|&channel| free[channel as usize] -= rates[i]);
        }
    }
    rates
}

/// Finish times with rates filled from scratch at every event; messages begin at 0 or, if
/// `in_turn`, after the one before of the same source. The list is sorted by source.
fn slow_finish_s(fabric: &Fabric, links: &Links, list: &[Message], in_turn: bool) -> Vec<f64> {
    let mut left: Vec<f64> = list.iter().map(|message| message.bytes as f64).collect();
    let mut finish_s = vec![f64::NAN; list.len()];
    let mut now_s = 0.0;
    loop {
        let mut active: Vec<usize> = vec![];
        for i in 0..list.len() {
            let waits = in_turn && active.last().is_some_and(|&a| list[a].src == list[i].src);
            if !finish_s[i].is_nan() || waits {
                continue;
            }
            if left[i] <= 1e-11 {
                finish_s[i] = now_s;
            } else {
                active.push(i);
            }
        }
        if active.is_empty() {
            return finish_s;
        }
        let flows: Vec<(u32, u32)> = active.iter().map(|&i| (list[i].src, list[i].dst)).collect();
        let rates = progressive_filling(fabric, links, &flows);
        let step_s = active
            .iter()
            .zip(&rates)
            .map(|(&i, rate)| left[i] / rate)
            .fold(f64::INFINITY, f64::min);
        now_s += step_s;
        for (&i, rate) in active.iter().zip(&rates) {
            left[i] -= rate * step_s;
        }
    }
}

/// Numbers by which channels get one of a few kinds; often all are alike.
fn any_kinds() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![Just(vec![0]), prop::collection::vec(0_u8..5, 1..40)]
}

fn mixed(fabric: &Fabric, numbers: &[u8]) -> Links {
    let kinds = [1.0, 2.0, 4.0 / 3.0, 7.5, 0.5].map(|slower| Link { slower, latency_s: None });
    let of = |channel: u32| numbers[channel as usize % numbers.len()].into();
    Links::of_kinds((0..fabric.channels()).map(of).collect(), kinds.to_vec())
}

fn unit<'a>(fabric: &'a Fabric, messages: &'a Messages, model: Model) -> Job<'a> {
    let plain = job(fabric, messages, model);
    Job { bandwidth_bytes_per_s: 1.0, outstanding: Outstanding::All, ..plain }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn max_min_times_equal_filling_from_scratch(
        fabric in any_fabric(), raw in any_list(), in_turn in any::<bool>(), kinds in any_kinds(),
    ) {
        let links = mixed(&fabric, &kinds);
        let mut list = list(&fabric, &raw);
        list.sort_by_key(|message| message.src);
        let messages = Messages::explicit(fabric.nodes(), &list);
        let outstanding = if in_turn { Outstanding::AtMost(1) } else { Outstanding::All };
        let plain = unit(&fabric, &messages, Model::MaxMin);
        let outcome = simulate(&Job { outstanding, links: &links, ..plain });
        for (fast, slow) in outcome.finish_s.iter().zip(slow_finish_s(&fabric, &links, &list, in_turn)) {
            prop_assert!((fast - slow).abs() <= 1e-8 + 1e-10 * slow, "{fast} instead of {slow}");
        }
    }

    #[test]
    fn every_channel_carries_the_bytes_of_its_routes(
        fabric in any_fabric(), raw in any_list(), fair in any::<bool>(), limit in 1_u32..4,
    ) {
        let list = list(&fabric, &raw);
        let messages = Messages::explicit(fabric.nodes(), &list);
        let model = if fair { Model::MaxMin } else { Model::EqualShare };
        let plain = unit(&fabric, &messages, model);
        let outcome =
            simulate(&Job { outstanding: Outstanding::AtMost(limit), busy_times: true, ..plain });
        let mut expected = vec![0.0; fabric.channels() as usize];
        for message in &list {
            let mut path = vec![];
            fabric.route(message.src, message.dst, &mut path);
            path.iter().for_each(|&channel| expected[channel as usize] += message.bytes as f64);
        }
        prop_assert_eq!(&outcome.channel_bytes, &expected);
        for (busy_s, bytes) in outcome.channel_busy_s.iter().zip(&expected) {
            prop_assert!(busy_s + 1e-6 >= *bytes && *busy_s <= outcome.end_s + 1e-6);
        }
        prop_assert!(outcome.finish_s.iter().all(|finish_s| *finish_s <= outcome.end_s));
    }

    #[test]
    fn max_min_never_gives_the_slowest_flow_less_than_equal_share(
        fabric in any_fabric(), raw in any_list(),
    ) {
        let list: Vec<Message> =
            list(&fabric, &raw).into_iter().map(|m| Message { bytes: 10, ..m }).collect();
        let messages = Messages::explicit(fabric.nodes(), &list);
        let first_s = |model| {
            let outcome = simulate(&unit(&fabric, &messages, model));
            outcome.finish_s.iter().copied().fold(f64::INFINITY, f64::min)
        };
        prop_assert!(first_s(Model::MaxMin) <= first_s(Model::EqualShare) * (1.0 + 1e-9));
    }
}
