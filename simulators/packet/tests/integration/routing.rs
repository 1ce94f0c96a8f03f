//! Where packets go, and how far.

use crate::walks::{self, Hop, Network, PER_DESTINATION, RandomLoads, network, networks, options};
use fabric::{Fabric, Ties, TopologySpec, UpRouting};
use packet::routing::{
    Header, Routing, RoutingError, RoutingOptions, TorusClasses, VirtualChannels,
};
use std::cell::Cell;
use std::collections::HashSet;
use workload::Random;

/// Visits walks between all pairs, several times where chance plays a part.
fn all_walks(network: &Network, mut visit: impl FnMut(&Header, &Header, &[Hop], u32)) {
    let (mut random, loads) = (Random::new(11), RandomLoads(Cell::new(2)));
    for _ in 0..4 {
        for src in 0..network.fabric.nodes() {
            for dst in 0..network.fabric.nodes() {
                let fresh = network.packet(src, dst, &mut random);
                let mut header = fresh;
                let (hops, node) = network.walk(&mut header, &loads, &mut random);
                visit(&fresh, &header, &hops, node);
            }
        }
    }
}

fn class(network: &Network, hop: &Hop) -> String {
    network.fabric.class(network.wiring.channel[hop.port as usize])
}

#[test]
fn every_packet_arrives_at_its_destination() {
    for network in networks() {
        all_walks(&network, |fresh, _, _, node| assert_eq!(node, fresh.dst, "{}", network.name));
    }
}

#[test]
fn routes_without_detours_are_as_short_as_possible() {
    for network in
        networks().iter().filter(|n| !n.name.contains("Valiant") && !n.name.contains("Ugal"))
    {
        all_walks(network, |fresh, _, hops, _| {
            let distance = match &network.fabric {
                Fabric::Fly(fly) => fly.stages() - 1,
                fabric => fabric.distance(fresh.src, fresh.dst) as usize,
            };
            assert_eq!(hops.len() - 1, distance, "{} {fresh:?}", network.name);
        });
    }
}

#[test]
fn a_static_routing_takes_the_channels_of_the_fabric() {
    for network in networks() {
        let is_static = !["Random", "Nca", "Anca", "Minimal", "Valiant", "Ugal"]
            .iter()
            .any(|word| network.name.contains(word));
        all_walks(&network, |fresh, _, hops, _| {
            if is_static && fresh.src != fresh.dst {
                let mut path = vec![];
                network.fabric.route(fresh.src, fresh.dst, &mut path);
                let taken: Vec<u32> =
                    hops.iter().map(|hop| network.wiring.channel[hop.port as usize]).collect();
                assert_eq!(taken, path[1..], "{} {fresh:?}", network.name);
            }
        });
    }
}

#[test]
fn a_detour_of_a_flattened_butterfly_visits_its_turning_point() {
    for network in networks().iter().filter(|n| n.name.contains("FlattenedButterfly")) {
        let c = match &network.fabric {
            Fabric::FlattenedButterfly(butterfly) => butterfly.concentration(),
            other => panic!("{other:?}"),
        };
        let valiant = network.name.contains("Valiant");
        all_walks(network, |fresh, _, hops, _| {
            let (direct, len) =
                (network.fabric.distance(fresh.src, fresh.dst), hops.len() as u32 - 1);
            let around = network.fabric.distance(fresh.src, fresh.via * c)
                + network.fabric.distance(fresh.via * c, fresh.dst);
            let visited = hops.iter().any(|hop| hop.router == fresh.via);
            if valiant && direct > 0 {
                assert!(visited && len == around, "{} {fresh:?}", network.name);
            } else {
                assert!(len == direct || len == around, "{} {fresh:?}", network.name);
            }
        });
    }
}

#[test]
fn a_detour_of_a_dragonfly_visits_its_group() {
    for network in networks().iter().filter(|n| n.name.contains("Dragonfly")) {
        let (p, a) = match &network.fabric {
            Fabric::Dragonfly(dragonfly) => (dragonfly.p(), dragonfly.a()),
            other => panic!("{other:?}"),
        };
        let valiant = network.name.contains("Valiant");
        all_walks(network, |fresh, _, hops, _| {
            let global = hops.iter().filter(|hop| class(network, hop) == "global").count();
            let (first, last) = (fresh.src / p / a, fresh.dst / p / a);
            let visited = hops.iter().any(|hop| hop.router / a == fresh.via);
            assert!(global <= 2 && hops.len() <= 2 * global + 2, "{} {hops:?}", network.name);
            if valiant && first != last {
                assert!(visited, "{} {fresh:?}", network.name);
                let turns = fresh.via != first && fresh.via != last;
                assert_eq!(global, 1 + usize::from(turns));
            }
        });
    }
}

#[test]
fn asking_twice_changes_nothing() {
    for network in networks() {
        let (mut random, loads) = (Random::new(7), RandomLoads(Cell::new(9)));
        for src in 0..network.fabric.nodes() {
            let mut header = network.packet(src, network.fabric.nodes() - 1, &mut random);
            let (hops, _) = network.walk(&mut header.clone(), &loads, &mut random.clone());
            for hop in hops.iter().take(1) {
                let ask = |header: &mut Header| {
                    let loads = RandomLoads(Cell::new(4));
                    network.routing.route(
                        hop.router,
                        hop.input,
                        header,
                        &loads,
                        &mut random.clone(),
                    )
                };
                let first = (ask(&mut header), header);
                assert_eq!((ask(&mut header), header), first, "{}", network.name);
            }
        }
    }
}

#[test]
fn dmodk_gives_one_way_down_to_each_destination() {
    let routing = UpRouting::Dmodk;
    let spec = TopologySpec::FatTree { k: 3, levels: 3, routing, nodes: None };
    let network = network(&spec, &options(VirtualChannels::Number(1), TorusClasses::Dateline));
    let mut down: HashSet<(u32, u32, u32)> = HashSet::new();
    all_walks(&network, |fresh, _, hops, _| {
        let level = |hop: &Hop| hop.router / 9;
        down.extend(hops[hops.len() / 2..].iter().map(|hop| (fresh.dst, level(hop), hop.port)));
    });
    assert_eq!(down.len(), 27 * 3);
}

#[test]
fn random_up_ports_are_all_used() {
    for routing in [UpRouting::Nca, UpRouting::Anca] {
        let spec = TopologySpec::FatTree { k: 4, levels: 2, routing, nodes: None };
        let network = network(&spec, &options(VirtualChannels::Number(1), TorusClasses::Dateline));
        let mut up = HashSet::new();
        all_walks(&network, |_, _, hops, _| up.extend(hops.iter().map(|hop| hop.port)));
        assert_eq!(up.len(), network.wiring.numbers.ports());
    }
}

/// First virtual channels on the ring of `k` nodes from one node to another, and the classes of
/// channels.
fn ring(k: u32, classes: TorusClasses, src: u32, dst: u32) -> (HashSet<u16>, HashSet<String>) {
    let spec = TopologySpec::Torus { sizes: vec![k], ties: Ties::Random, nodes: None };
    let network = network(&spec, &options(VirtualChannels::Number(4), classes));
    let (mut vcs, mut ways) = (HashSet::new(), HashSet::new());
    all_walks(&network, |fresh, _, hops, _| {
        if (fresh.src, fresh.dst) == (src, dst) {
            let on_ring = &hops[..hops.len() - 1];
            assert!(on_ring.iter().all(|hop| hop.way.first_vc == on_ring[0].way.first_vc));
            vcs.extend(on_ring.iter().map(|hop| hop.way.first_vc));
            ways.extend(on_ring.iter().map(|hop| class(&network, hop)));
        }
    });
    (vcs, ways)
}

#[test]
fn dateline_classes_show_who_wraps_around() {
    let vcs = |src, dst| ring(5, TorusClasses::Dateline, src, dst).0;
    assert_eq!(vcs(1, 3), HashSet::from([0]), "+, straight");
    assert_eq!(vcs(4, 1), HashSet::from([2]), "+, wraps");
    assert_eq!(vcs(3, 1), HashSet::from([2]), "-, straight");
    assert_eq!(vcs(1, 4), HashSet::from([0]), "-, wraps");
}

#[test]
fn balanced_classes_leave_a_choice_where_they_can() {
    let vcs = |src, dst| ring(8, TorusClasses::Balanced, src, dst).0;
    assert_eq!(vcs(7, 1), HashSet::from([0]), "wraps");
    assert_eq!(vcs(2, 5), HashSet::from([2]), "passes the middle");
    assert_eq!(vcs(0, 2), HashSet::from([0, 2]), "neither");
}

#[test]
fn a_random_tie_goes_both_ways() {
    let ways = |src, dst| ring(4, TorusClasses::Dateline, src, dst).1;
    let all: HashSet<String> = (0..4).flat_map(|src| ways(src, (src + 2) % 4)).collect();
    assert_eq!(all.len(), 2);
}

/// The draw of a pair is that of static routes, whatever packets draw.
#[test]
fn a_tie_that_is_drawn_for_a_pair_goes_the_static_way() {
    let spec = TopologySpec::Torus { sizes: vec![4, 4], ties: Ties::RandomPerPair, nodes: None };
    let network = network(&spec, &options(VirtualChannels::Number(2), TorusClasses::Dateline));
    let mut ways = HashSet::new();
    all_walks(&network, |fresh, _, hops, _| {
        let mut route = Vec::new();
        network.fabric.route(fresh.src, fresh.dst, &mut route);
        let channels = hops.iter().map(|hop| network.wiring.channel[hop.port as usize]);
        if fresh.src != fresh.dst {
            assert!(channels.eq(route[1..].iter().copied()), "{fresh:?}");
        }
        if fresh.src.abs_diff(fresh.dst) == 8 {
            ways.insert(class(&network, &hops[0]));
        }
    });
    assert_eq!(ways.len(), 2);
}

fn refused(spec: &TopologySpec, virtual_channels: VirtualChannels) -> RoutingError {
    let fabric = spec.build_channels(1).unwrap();
    let options = options(virtual_channels, TorusClasses::Dateline);
    options.function(&fabric).unwrap_err()
}

#[test]
fn too_few_or_odd_virtual_channels_are_refused_with_the_reason() {
    let torus = TopologySpec::Torus { sizes: vec![4], ties: Ties::Plus, nodes: None };
    for given in [0, 1, 3] {
        let text = refused(&torus, VirtualChannels::Number(given)).to_string();
        let expected = format!(
            "virtual_channels is {given}, must be at least 2 and a multiple of 2: \
             one for each class of a ring"
        );
        assert_eq!(text, expected);
    }
    for network in networks() {
        let needed = network.fabric.needed_vcs(TorusClasses::Balanced).unwrap();
        let (few, fabric) = (VirtualChannels::Number(needed.at_least - 1), &network.fabric);
        let few = options(few, TorusClasses::Balanced);
        let error = few.function(fabric).unwrap_err();
        assert!(matches!(error, RoutingError::VirtualChannels { .. }), "{}", network.name);
    }
}

#[test]
fn virtual_channels_per_destination_are_for_mesh_and_torus() {
    assert_eq!(
        refused(&TopologySpec::Crossbar { nodes: 4 }, PER_DESTINATION),
        RoutingError::PerDestination("mesh and torus".into())
    );
    let large = TopologySpec::Mesh { sizes: vec![300, 300], nodes: None };
    assert_eq!(
        refused(&large, PER_DESTINATION),
        RoutingError::TooManyDestinations { nodes: 90_000 }
    );
}

#[test]
fn a_packet_takes_the_virtual_channel_of_its_destination() {
    for network in networks().iter().filter(|n| n.name.contains("PerDestination")) {
        all_walks(network, |fresh, _, hops, _| {
            let (last, others) = hops.split_last().unwrap();
            assert_eq!((last.way.first_vc, last.way.vcs), (0, network.vcs));
            assert!(
                others
                    .iter()
                    .all(|hop| (u32::from(hop.way.first_vc), hop.way.vcs) == (fresh.dst, 1))
            );
        });
        let mut header = Header { dst: 1, ..Header::default() };
        let injection = network.routing.inject(&mut header, &mut Random::new(1));
        let is_torus = network.name.contains("Torus");
        assert_eq!(injection, if is_torus { (0, network.vcs) } else { (1, 1) });
    }
}

#[test]
fn adaptive_routing_wants_buffers_with_one_packet() {
    let spec = walks::topologies()
        .into_iter()
        .find(|spec| format!("{spec:?}").contains("MinimalAdaptive"))
        .unwrap();
    let fabric = spec.build_channels(1).unwrap();
    let built = |wait_for_tail_credit| {
        let (vcs, classes) = (VirtualChannels::Number(2), TorusClasses::Dateline);
        RoutingOptions::new(vcs, classes, wait_for_tail_credit).function(&fabric)
    };
    assert_eq!(
        built(false).unwrap_err(),
        RoutingError::SharedBuffers { routing: "minimal_adaptive" }
    );
    assert!(built(true).is_ok());
}
