//! Every combination of router options carries all flits to where they belong.

use crate::common::{Listed, Network, Observed, grid, options};
use packet::Simulation;
use packet::router_options::{Allocator, Arbiter, RouterOptions, Switching};
use packet::traffic::Packet;
use proptest::prelude::*;
use workload::Random;

fn allocator() -> impl Strategy<Value = Allocator> {
    prop_oneof![
        Just(Allocator::Islip),
        Just(Allocator::SeparableInputFirst),
        Just(Allocator::Wavefront),
        Just(Allocator::Maximum),
    ]
}

prop_compose! {
    fn any_options()(
        delays in (0_u32..3, 1_u32..3, 1_u32..3, 1_u32..3, 0_u32..3),
        buffers in (1_u16..3, 1_u16..7),
        (vc_allocator, switch_allocator) in (allocator(), allocator()),
        allocator_iterations in 1_u32..4,
        flags in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
    ) -> RouterOptions {
        let islip = [vc_allocator, switch_allocator].contains(&Allocator::Islip);
        let (speculative, wait_for_tail_credit, hold_switch_for_packet, whole, by_age) = flags;
        RouterOptions {
            routing_delay_cycles: delays.0,
            vc_allocation_delay_cycles: delays.1,
            switch_allocation_delay_cycles: delays.2,
            switch_traversal_delay_cycles: delays.3,
            credit_delay_cycles: delays.4,
            speculative,
            switching: if whole { Switching::VirtualCutThrough } else { Switching::Wormhole },
            vc_allocator,
            switch_allocator,
            allocator_iterations,
            arbiter: if by_age && !islip { Arbiter::Age } else { Arbiter::RoundRobin },
            wait_for_tail_credit,
            hold_switch_for_packet,
            ..options(2 * buffers.0, buffers.1.max(if whole { 4 } else { 1 }))
        }
    }
}

/// More packets of 1 to 4 flits than the network can take at once.
fn flood(network: &Network, seed: u64) -> (Listed, u64) {
    let mut random = Random::new(seed);
    let nodes = network.nodes();
    let (mut packets, mut flits) = (Vec::new(), 0);
    for src in 0..nodes {
        for message in 0..30 {
            let dst = random.below(nodes);
            let packet = Packet { dst, flits: 1 + random.below(4), created: 0, message, number: 0 };
            flits += u64::from(packet.flits);
            packets.push((src, packet));
        }
    }
    (Listed::new(nodes, packets), flits)
}

fn networks() -> [Network; 3] {
    let tree = r#"{"kind": "fat_tree", "k": 2, "levels": 3, "routing": "nca"}"#;
    [grid(&[3, 3], false, 1), grid(&[4, 2], true, 2), Network::new(tree, 1)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flits_in_are_flits_out_and_credits_come_back(options in any_options(), seed in 0_u64..1000) {
        for network in networks() {
            let (traffic, flits) = flood(&network, seed);
            let mut simulation = network.simulation(&options, traffic, Observed::default(), seed);
            simulation.advance(20_000);
            let seen = simulation.recorder();
            prop_assert_eq!((seen.injected, seen.ejected), (flits, flits));
            prop_assert!(simulation.is_drained() && simulation.credits_are_restored());
            prop_assert!(simulation.occupancy().iter().all(|&flits| flits == 0));
        }
    }

    #[test]
    fn it_does_not_matter_in_how_many_steps_time_advances(options in any_options(), seed in 0_u64..1000) {
        for network in networks() {
            let start = || {
                network.simulation(&options, flood(&network, seed).0, Observed::default(), seed)
            };
            let (mut once, mut stepwise) = (start(), start());
            once.advance(700);
            (0..=700).for_each(|until| stepwise.advance(until));
            let seen = |s: &Simulation<_, _, Observed>| {
                (s.now(), s.recorder().delivered.clone(), s.flits_carried().to_vec())
            };
            prop_assert_eq!(seen(&once), seen(&stepwise));
        }
    }
}

/// Order in which packets arrive at the middle of a mesh: one keeps the way out while the heads of
/// two others come up, of which the younger is next in the round robin.
fn order_of_arrival(arbiter: Arbiter) -> Vec<u32> {
    let separable = Allocator::SeparableInputFirst;
    let (vc_allocator, switch_allocator) = (separable, separable);
    let options = RouterOptions { arbiter, vc_allocator, switch_allocator, ..options(1, 8) };
    let packet = |flits, created, message| Packet { dst: 4, flits, created, message, number: 0 };
    let packets = vec![(3, packet(40, 0, 0)), (5, packet(4, 10, 1)), (7, packet(4, 11, 2))];
    let mesh = grid(&[3, 3], false, 1);
    let traffic = Listed::new(9, packets);
    let mut simulation = mesh.simulation(&options, traffic, Observed::default(), 1);
    simulation.advance(500);
    simulation.recorder().delivered.iter().map(|packet| packet.message).collect()
}

#[test]
fn the_oldest_packet_goes_first_under_age_arbitration() {
    assert_eq!(order_of_arrival(Arbiter::RoundRobin), [0, 2, 1]);
    assert_eq!(order_of_arrival(Arbiter::Age), [0, 1, 2]);
}

#[test]
fn age_does_not_go_with_islip() {
    let refused = RouterOptions { arbiter: Arbiter::Age, ..options(2, 8) }.check().unwrap_err();
    assert!(refused.contains("vc_allocator islip"), "{refused}");
}

#[test]
fn a_packet_that_cuts_through_waits_until_all_of_it_finds_space() {
    // Without a space of 4 flits behind it, the second packet stays whole in its buffer.
    let switching = Switching::VirtualCutThrough;
    let options = RouterOptions { switching, ..options(1, 6) };
    let mesh = grid(&[2, 1], false, 1);
    let packet = |message| Packet { dst: 1, flits: 4, created: 0, message, number: 0 };
    let traffic = Listed::new(2, (0..20).map(|message| (0, packet(message))).collect());
    let mut simulation = mesh.simulation(&options, traffic, Observed::default(), 1);
    simulation.advance(2000);
    assert!(simulation.recorder().delivered.iter().all(|p| p.arrived - p.head_arrived == 3));
}
