//! The wiring of every topology.

use crate::walks::{one_cycle, topologies};
use fabric::{Detour, Ties, TopologySpec, UpRouting};
use packet::wiring::{ChannelLatencies, Peer, Wiring, WiringError};
use std::collections::BTreeMap;

fn wiring(spec: &TopologySpec) -> Wiring {
    Wiring::new(&spec.build_channels(1).unwrap(), &one_cycle()).unwrap()
}

fn torus(sizes: Vec<u32>) -> TopologySpec {
    TopologySpec::Torus { sizes, ties: Ties::Plus, nodes: None }
}

#[test]
fn outputs_and_inputs_belong_to_each_other() {
    for spec in topologies() {
        let wiring = wiring(&spec);
        for port in 0..wiring.numbers.ports() {
            if let Peer::Port(to) = wiring.output[port] {
                assert_eq!(wiring.input[to as usize], Peer::Port(port as u32), "{spec:?}");
            }
            if let Peer::Port(from) = wiring.input[port] {
                assert_eq!(wiring.output[from as usize], Peer::Port(port as u32), "{spec:?}");
            }
        }
    }
}

#[test]
fn every_node_has_its_own_ports() {
    for spec in topologies() {
        let wiring = wiring(&spec);
        for node in 0..wiring.nodes() {
            let (to, from) = (wiring.injection_port[node], wiring.ejection_port[node]);
            assert_eq!(wiring.input[to as usize], Peer::Node(node as u32), "{spec:?}");
            assert_eq!(wiring.output[from as usize], Peer::Node(node as u32), "{spec:?}");
        }
    }
}

#[test]
fn an_input_has_the_number_of_the_output_that_leads_back() {
    for spec in topologies() {
        let (wiring, is_fly) = (wiring(&spec), matches!(spec, TopologySpec::Fly { .. }));
        for port in (0..wiring.numbers.ports()).filter(|_| !is_fly) {
            match wiring.output[port] {
                Peer::Port(to) => {
                    assert_eq!(wiring.output[to as usize], Peer::Port(port as u32), "{spec:?}");
                }
                other => assert_eq!(wiring.input[port], other, "{spec:?}"),
            }
        }
    }
}

#[test]
fn every_channel_of_the_fabric_has_its_port() {
    for spec in topologies() {
        let (fabric, wiring) = (spec.build_channels(1).unwrap(), wiring(&spec));
        let mut found: Vec<u32> =
            wiring.channel.iter().copied().filter(|&c| c != u32::MAX).collect();
        found.sort_unstable();
        let all: Vec<u32> =
            (fabric.nodes()..fabric.channels()).filter(|&c| fabric.exists(c)).collect();
        assert_eq!(found, all, "{spec:?}");
    }
}

#[test]
fn grid_ports_are_plus_then_minus_then_the_node() {
    let wiring = wiring(&torus(vec![4, 3]));
    let first = wiring.numbers.first(5) as usize;
    let router = |port: usize| match wiring.output[first + port] {
        Peer::Port(to) => wiring.numbers.router_of(to),
        other => panic!("{other:?}"),
    };
    assert_eq!([router(0), router(1), router(2), router(3)], [6, 4, 9, 1]);
    assert_eq!(wiring.output[first + 4], Peer::Node(5));
}

#[test]
fn a_ring_of_two_has_two_channels_each_way() {
    let wiring = wiring(&torus(vec![2]));
    assert_eq!(wiring.output[0], Peer::Port(4));
    assert_eq!(wiring.output[1], Peer::Port(3));
}

#[test]
fn a_mesh_ends_at_its_border() {
    let wiring = wiring(&TopologySpec::Mesh { sizes: vec![3], nodes: None });
    assert_eq!(wiring.output[1], Peer::Nothing);
    assert_eq!(wiring.output[wiring.numbers.first(2) as usize], Peer::Nothing);
}

#[test]
fn fat_tree_ports_lead_down_first() {
    let routing = UpRouting::Dmodk;
    let wiring = wiring(&TopologySpec::FatTree { k: 2, levels: 2, routing, nodes: None });
    assert_eq!([0, 1, 2, 3, 4].map(|router| wiring.numbers.first(router)), [0, 4, 8, 10, 12]);
    assert_eq!(wiring.output[0], Peer::Node(0));
    assert_eq!(wiring.output[3], Peer::Port(10));
    assert_eq!(wiring.output[9], Peer::Port(6));
}

#[test]
fn latencies_go_by_class() {
    let fabric = TopologySpec::Dragonfly {
        p: 1,
        a: Some(2),
        h: Some(1),
        routing: Detour::Minimal,
        nodes: None,
    }
    .build(1)
    .unwrap();
    let latencies = ChannelLatencies {
        injection_cycles: 2,
        ejection_cycles: 3,
        router_cycles: 4,
        class_cycles: BTreeMap::from([("global".into(), 20)]),
    };
    let wiring = Wiring::new(&fabric, &latencies).unwrap();
    assert!(wiring.injection_latency_cycles.iter().all(|&cycles| cycles == 2));
    assert_eq!(wiring.latency_cycles[..3], [3, 4, 20]);
}

#[test]
fn an_unknown_class_is_refused_with_those_that_exist() {
    let fabric = torus(vec![4]).build(1).unwrap();
    let class_cycles = BTreeMap::from([("up".into(), 2)]);
    let error =
        Wiring::new(&fabric, &ChannelLatencies { class_cycles, ..one_cycle() }).unwrap_err();
    let expected =
        "class_latency_cycles names the class \"up\", must be a class of this topology: x+, x-";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_channel_without_latency_is_refused() {
    let fabric = torus(vec![4]).build(1).unwrap();
    let error = Wiring::new(&fabric, &ChannelLatencies { ejection_cycles: 0, ..one_cycle() });
    assert_eq!(error.unwrap_err(), WiringError::NoLatency { class: "ejection".into() });
}
