//! Routes that packets choose on their way: where they lead, what they cost, and that packets on them
//! cannot wait for each other in a circle.

use crate::network_common::*;
use fabric::{Channel, End, Fabric};
use mpi::time::Time;
use mpi::{Nobody, Transfer, Transport};
use programs::{NetworkObserver, SimulatedNetwork};
use proptest::prelude::*;
use rdma::network::Network;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// Channels that packets crossed, and the virtual channels that they took on them.
#[derive(Default)]
struct Walked {
    channels: Vec<Channel>,
    places: Vec<(Channel, u32)>,
}

impl NetworkObserver for Walked {
    const ACTIVE: bool = true;

    fn packet_on_channel(&mut self, channel: Channel, _: u64, _: Time, _: Time) {
        self.channels.push(channel);
    }
    fn buffer(&mut self, channel: Channel, vc: u32, _: Time, held: u64) {
        if held > 0 {
            self.places.push((channel, vc));
        }
    }
    fn blocked(&mut self, _: Channel, _: Time, _: Time) {}
    fn taken(&mut self, _: Channel, _: Time, _: Time) {}
    fn packet_delivered(&mut self, _: Time, _: Time) {}
}

fn machine(topology: &Value, vcs: u64) -> Value {
    json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 256, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "switch_traversal_s": 4e-9, "vc_buffer_bytes": 1024,
                   "virtual_channels": enough_vcs(topology, vcs)},
        "cables": {"cable_s": 4e-9},
    })
}

/// A network through which packets walk one after the other.
struct Empty {
    network: Network<Walked>,
    now: Time,
}

impl Empty {
    fn new(topology: &Value, vcs: u64) -> Self {
        let parameters = parameters(machine(topology, vcs));
        let walked = Walked::default();
        Self { network: Network::new(&fabric(topology), &parameters, 9, walked).unwrap(), now: 0 }
    }

    /// What a packet walked over.
    fn walk(&mut self, src: u32, dst: u32) -> Walked {
        self.network.send(self.now, data(src, dst, 64, 0));
        run(&mut self.network);
        // Its last credits come back as well.
        self.now = self.network.advance(self.now + 1_000_000, &mut vec![]);
        std::mem::take(self.network.observer_mut())
    }
}

/// Whether a routing makes detours.
fn detours(topology: &Value) -> bool {
    ["valiant", "ugal"].iter().any(|word| topology["routing"] == *word)
}

/// Most channels between routers on a route.
fn longest(fabric: &Fabric) -> usize {
    match fabric {
        Fabric::FlattenedButterfly(butterfly) => 2 * butterfly.dimensions(),
        Fabric::Dragonfly(_) => 5,
        other => other.longest_route() - 2,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_route_is_a_path_and_minimal_without_detours(
        shape in 0_usize..7, vcs in 1_u64..7, pairs in prop::collection::vec(any::<(u32, u32)>(), 1..20)
    ) {
        let topology = &chosen_on_the_way()[shape];
        let mut empty = Empty::new(topology, vcs);
        let fabric = empty.network.fabric().clone();
        for (src, dst) in pairs {
            let (src, dst) = (src % fabric.nodes(), dst % fabric.nodes());
            let path = empty.walk(src, dst).channels;
            if src == dst {
                prop_assert!(path.is_empty());
                continue;
            }
            prop_assert!(path.iter().all(|&channel| fabric.exists(channel)));
            prop_assert_eq!(fabric.ends(path[0]).0, End::Node(src));
            prop_assert_eq!(fabric.ends(path[path.len() - 1]).1, End::Node(dst));
            for two in path.windows(2) {
                prop_assert_eq!(fabric.ends(two[0]).1, fabric.ends(two[1]).0);
            }
            let (hops, distance) = (Fabric::hops(path.len()), fabric.distance(src, dst) as usize);
            prop_assert!(hops >= distance || matches!(fabric, Fabric::Dragonfly(_)));
            prop_assert!(hops <= longest(&fabric), "{} {:?}", topology, path);
            prop_assert!(hops == distance || topology["routing"] == "valiant", "{}", topology);
        }
    }
}

/// Packets alone never meet a load, so UGAL goes straight; Valiant's go around wherever that leads
/// elsewhere.
#[test]
fn only_valiant_makes_detours_in_an_empty_network() {
    for topology in chosen_on_the_way().into_iter().filter(detours) {
        let mut empty = Empty::new(&topology, 1);
        let fabric = empty.network.fabric().clone();
        let (mut around, mut all) = (0, 0);
        for (src, dst) in (0..fabric.nodes()).flat_map(|s| (0..fabric.nodes()).map(move |d| (s, d)))
        {
            if src != dst {
                let hops = Fabric::hops(empty.walk(src, dst).channels.len());
                around += usize::from(hops != fabric.distance(src, dst) as usize);
                all += 1;
            }
        }
        let expected = if topology["routing"] == "valiant" { all / 4..all } else { 0..1 };
        assert!(expected.contains(&around), "{topology}: {around} of {all}");
    }
}

/// Whether places wait for each other in a circle.
fn has_circle(waits: &HashMap<(Channel, u32), HashSet<(Channel, u32)>>) -> bool {
    let mut left: HashSet<_> = waits.keys().copied().collect();
    loop {
        let free: Vec<_> = left
            .iter()
            .filter(|place| waits[place].iter().all(|next| !left.contains(next)))
            .copied()
            .collect();
        if free.is_empty() {
            return !left.is_empty();
        }
        free.iter().for_each(|place| _ = left.remove(place));
    }
}

/// The dependencies of all pairs, walked so often that every turning point and every virtual channel is
/// met; `merged`: as if a port had one virtual channel.
fn walks_have_a_circle(topology: &Value, vcs: u64, merged: bool) -> bool {
    let mut empty = Empty::new(topology, vcs);
    let nodes = empty.network.fabric().nodes();
    let mut waits: HashMap<_, HashSet<_>> = HashMap::new();
    for _ in 0..60 {
        for (src, dst) in (0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))) {
            let mut places = empty.walk(src, dst).places;
            if merged {
                places.iter_mut().for_each(|place| place.1 = 0);
            }
            for two in places.windows(2) {
                waits.entry(two[0]).or_default().insert(two[1]);
            }
        }
    }
    has_circle(&waits)
}

/// `packet`'s tests check the same for every choice that the functions may make under load, and the
/// escape channels of `minimal_adaptive`.
#[test]
fn packets_cannot_wait_for_each_other_in_a_circle() {
    for topology in chosen_on_the_way() {
        if topology["routing"] == "minimal_adaptive" {
            continue;
        }
        for vcs in [1, 5] {
            assert!(!walks_have_a_circle(&topology, vcs, false), "{topology}, {vcs}");
        }
        if topology["routing"] == "valiant" {
            assert!(walks_have_a_circle(&topology, 1, true), "{topology} without classes");
        }
    }
}

#[test]
fn too_few_virtual_channels_are_refused_with_the_reason() {
    for topology in chosen_on_the_way() {
        let needed = enough_vcs(&topology, 0);
        if needed == 1 {
            continue;
        }
        let mut few = machine(&topology, 1);
        few["router"]["virtual_channels"] = json!(needed - 1);
        let error = match Network::new(&fabric(&topology), &parameters(few), 1, Nobody) {
            Err(error) => error,
            Ok(_) => panic!("{topology}"),
        };
        let expected = format!("network.router.virtual_channels is {}, must be at", needed - 1);
        assert!(error.starts_with(&expected), "{error}");
    }
}

/// Messages of several packets between nodes that look random.
fn flood(nodes: u32) -> Vec<Transfer> {
    let mut draw = Draw(3);
    let one = |token| {
        let (src, dst) = (draw.below(nodes.into()) as u32, draw.below(nodes.into()) as u32);
        data(src, dst, draw.below(1500), token)
    };
    (0..60 * nodes).map(one).collect()
}

/// Routes of a pair differ, so packets overtake; messages arrive in their order all the same
/// (`network_draining.rs`), because those that were first wait.
#[test]
fn packets_that_overtook_and_messages_that_waited_are_counted() {
    for topology in chosen_on_the_way() {
        let vcs = enough_vcs(&topology, 2);
        let mut network = network(&topology, machine(&topology, vcs));
        for transfer in flood(network.fabric().nodes()) {
            network.send(0, transfer);
        }
        run(&mut network);
        let counts: HashMap<_, _> = network.counts().into_iter().collect();
        assert!(counts["packets_reordered"] > 0, "{topology}: {counts:?}");
        assert!(counts["messages_held"] > 0, "{topology}: {counts:?}");
        assert!(counts["packets_reordered"] < counts["packets"] / 2, "{topology}: {counts:?}");
    }
}

/// One way and one virtual channel: nothing can overtake.
#[test]
fn packets_of_one_way_and_one_virtual_channel_keep_their_order() {
    let mesh = json!({"kind": "mesh", "sizes": [4, 3]});
    let mut network = network(&mesh, machine(&mesh, 1));
    for transfer in flood(12) {
        network.send(0, transfer);
    }
    run(&mut network);
    let counts: HashMap<_, _> = network.counts().into_iter().collect();
    assert_eq!((counts["packets_reordered"], counts["messages_held"]), (0, 0));
}
