//! No routing function can deadlock: the graph of channels and virtual channels that wait for each
//! other has no circle (Dally and Seitz, 1987; for adaptive routing Duato, 1993).

use crate::walks::{AllBusy, Hop, Network, RandomLoads, network, networks, options};
use fabric::{Ties, TopologySpec, TorusClasses};
use packet::routing::{AnyRouting, VirtualChannels};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use workload::Random;

/// A virtual channel of an output port.
type Place = (u32, u16);
/// What a packet in a place may wait for.
type Waits = HashMap<Place, HashSet<Place>>;

fn places(hop: &Hop) -> impl Iterator<Item = Place> + '_ {
    (hop.way.first_vc..hop.way.first_vc + hop.way.vcs).map(|vc| (hop.port, vc))
}

/// Walks often enough that every choice of a random function is met.
fn all_walks(network: &Network, mut visit: impl FnMut(&[Hop])) {
    let (mut random, loads) = (Random::new(3), RandomLoads(Cell::new(5)));
    let nodes = network.fabric.nodes();
    for _ in 0..12 {
        for src in 0..nodes {
            for dst in 0..nodes {
                let mut header = network.packet(src, dst, &mut random);
                visit(&network.walk(&mut header, &loads, &mut random).0);
            }
        }
    }
}

fn waits(network: &Network) -> Waits {
    let (mut waits, mut known) = (Waits::new(), HashSet::new());
    all_walks(network, |hops| {
        for pair in hops.windows(2) {
            let range = |hop: &Hop| (hop.port, hop.way.first_vc, hop.way.vcs);
            if !known.insert((range(&pair[0]), range(&pair[1]))) {
                continue;
            }
            for place in places(&pair[0]) {
                waits.entry(place).or_default().extend(places(&pair[1]));
            }
        }
    });
    waits
}

/// Waits between escape channels, whatever a packet did on adaptive channels between them.
fn escape_waits(network: &Network) -> Waits {
    let (mut waits, mut random) = (Waits::new(), Random::new(1));
    all_walks(network, |hops| {
        let mut used: Vec<Place> = vec![];
        let dst = hops.last().unwrap().router;
        for hop in &hops[..hops.len() - 1] {
            let mut header = network.packet(0, dst, &mut random);
            header.src = hops[0].router;
            let escape = escape(network, hop, &mut header, &mut random);
            for &place in &used {
                waits.entry(place).or_default().insert(escape);
            }
            if hop.way.first_vc == 0 {
                assert_eq!((hop.port, hop.way.vcs), (escape.0, 1));
                used.push(escape);
            }
        }
    });
    waits
}

/// The escape channel that a packet may take instead of a hop.
fn escape(
    network: &Network,
    hop: &Hop,
    header: &mut packet::routing::Header,
    random: &mut Random,
) -> Place {
    use packet::routing::Routing;
    let way = network.routing.route(hop.router, hop.input, header, &AllBusy, random);
    assert_eq!((way.first_vc, way.vcs), (0, 1));
    (network.wiring.numbers.first(hop.router as usize) + u32::from(way.port), 0)
}

fn has_circle(waits: &Waits) -> bool {
    let mut waiting: HashMap<Place, usize> = HashMap::new();
    for (place, targets) in waits {
        waiting.entry(*place).or_default();
        for target in targets {
            *waiting.entry(*target).or_default() += 1;
        }
    }
    let mut free: Vec<Place> = waiting.iter().filter(|w| *w.1 == 0).map(|w| *w.0).collect();
    let mut removed = 0;
    while let Some(place) = free.pop() {
        removed += 1;
        for target in waits.get(&place).into_iter().flatten() {
            let left = waiting.get_mut(target).unwrap();
            *left -= 1;
            if *left == 0 {
                free.push(*target);
            }
        }
    }
    removed < waiting.len()
}

/// The same waits if classes of virtual channels did not exist.
fn without_classes(waits: &Waits) -> Waits {
    let mut merged = Waits::new();
    for (place, targets) in waits {
        merged.entry((place.0, 0)).or_default().extend(targets.iter().map(|t| (t.0, 0)));
    }
    merged
}

#[test]
fn no_routing_can_deadlock() {
    for network in networks() {
        let waits = match network.routing {
            AnyRouting::MinimalAdaptive(_) => escape_waits(&network),
            _ => waits(&network),
        };
        assert!(!has_circle(&waits), "{}", network.name);
    }
}

#[test]
fn the_adaptive_channels_alone_can_deadlock() {
    let adaptive = networks().into_iter().filter(|network| {
        matches!(network.routing, AnyRouting::MinimalAdaptive(_)) && network.fabric.nodes() > 2
    });
    for network in adaptive {
        assert!(has_circle(&waits(&network)), "{}", network.name);
    }
}

#[test]
fn a_torus_without_classes_can_deadlock() {
    for classes in [TorusClasses::Dateline, TorusClasses::Balanced] {
        let spec = TopologySpec::Torus { sizes: vec![5], ties: Ties::Plus, nodes: None };
        let network = network(&spec, &options(VirtualChannels::Number(2), classes));
        assert!(has_circle(&without_classes(&waits(&network))));
    }
}

#[test]
fn detours_without_classes_can_deadlock() {
    let detour = |network: &Network| network.name.contains("Valiant") && network.fabric.nodes() > 4;
    for network in networks().into_iter().filter(detour) {
        assert!(has_circle(&without_classes(&waits(&network))), "{}", network.name);
    }
}
