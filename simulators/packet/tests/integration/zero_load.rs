//! Latency of a packet alone in the network: exact in every variant of the pipeline.

use crate::common::{Listed, Network, Observed, grid, options};
use packet::router_options::RouterOptions;
use packet::traffic::Packet;

/// Network latency of one packet from node 0 to `dst` of a mesh or torus.
fn latency(network: &Network, options: &RouterOptions, dst: u32, flits: u32) -> (u64, u64) {
    let packet = Packet { dst, flits, created: 10, message: 0, number: 0 };
    let traffic = Listed::new(network.nodes(), vec![(0, packet)]);
    let mut simulation = network.simulation(options, traffic, Observed::default(), 1);
    simulation.advance(2000);
    let delivered = simulation.recorder().delivered[0];
    assert_eq!(delivered.departed, 10);
    assert_eq!(u64::from(delivered.flits) - 1, delivered.arrived - delivered.head_arrived);
    assert!(simulation.credits_are_restored() && simulation.is_drained());
    (delivered.arrived - delivered.departed, delivered.routers.into())
}

#[test]
fn a_hop_takes_what_its_stages_and_its_channel_take() {
    for (routing, speculative, per_hop) in
        [(1, false, 5), (0, false, 4), (1, true, 4), (0, true, 3)]
    {
        let options = RouterOptions { routing_delay_cycles: routing, speculative, ..options(2, 8) };
        let mesh = grid(&[8, 8], false, 1);
        for (dst, flits) in [(0, 1), (1, 1), (63, 1), (63, 20), (0, 20)] {
            let (latency, routers) = latency(&mesh, &options, dst, flits);
            assert_eq!(latency, 2 + per_hop * routers + u64::from(flits) - 1);
        }
        let torus = grid(&[8, 8], true, 2);
        for (dst, flits) in [(0, 1), (1, 1), (35, 20)] {
            let (latency, routers) = latency(&torus, &options, dst, flits);
            assert_eq!(latency, 1 + (per_hop + 1) * routers + u64::from(flits) - 1);
        }
    }
}

#[test]
fn every_delay_adds_its_cycles() {
    for (routing, vc, switch, traversal) in
        [(2, 1, 1, 1), (1, 3, 1, 1), (1, 1, 1, 4), (3, 2, 1, 2), (0, 2, 1, 1)]
    {
        for speculative in [false, true] {
            let options = RouterOptions {
                routing_delay_cycles: routing,
                vc_allocation_delay_cycles: vc,
                switch_allocation_delay_cycles: switch,
                switch_traversal_delay_cycles: traversal,
                speculative,
                ..options(2, 16)
            };
            let mesh = grid(&[4, 4], false, 1);
            let both = if speculative { vc.max(switch) } else { vc + switch };
            let per_hop = u64::from(routing + both + traversal) + 1;
            let (latency, routers) = latency(&mesh, &options, 15, 4);
            assert_eq!(latency, 2 + per_hop * routers + 3, "{options:?}");
        }
    }
}

#[test]
fn a_buffer_carries_its_size_in_each_round_of_its_credits() {
    for (latency, traversal, credit) in [(1, 1, 0), (2, 1, 0), (5, 1, 0), (5, 3, 2), (20, 1, 0)] {
        let round = 2 * latency + 2 + traversal + credit;
        // A source and a sink of one cycle hold back less than the channel between the routers.
        for buffer in [round / 2, round - 1, round, round + 3] {
            let options = RouterOptions {
                switch_traversal_delay_cycles: traversal,
                credit_delay_cycles: credit,
                ..options(1, buffer as u16)
            };
            let flits = 1 + 20 * buffer.min(round);
            let packet = Packet { dst: 1, flits, created: 0, message: 0, number: 0 };
            let line = grid(&[2], false, latency);
            let traffic = Listed::new(2, vec![(0, packet)]);
            let mut simulation = line.simulation(&options, traffic, Observed::default(), 1);
            simulation.advance(20_000);
            let delivered = simulation.recorder().delivered[0];
            let spread = delivered.arrived - delivered.head_arrived;
            // Rounds of so many flits, or one in every cycle.
            let expected = 20 * round;
            assert_eq!(spread, u64::from(expected), "{options:?} {latency}");
        }
    }
}

#[test]
fn a_switch_allocation_of_two_cycles_spaces_the_flits_of_a_packet() {
    for (speculative, per_hop) in [(false, 6), (true, 5)] {
        let options =
            RouterOptions { switch_allocation_delay_cycles: 2, speculative, ..options(2, 16) };
        let mesh = grid(&[4, 4], false, 1);
        let packet = Packet { dst: 15, flits: 4, created: 10, message: 0, number: 0 };
        let traffic = Listed::new(16, vec![(0, packet)]);
        let mut simulation = mesh.simulation(&options, traffic, Observed::default(), 1);
        simulation.advance(2000);
        let delivered = simulation.recorder().delivered[0];
        assert_eq!(delivered.head_arrived - delivered.departed, 2 + per_hop * 7);
        assert_eq!(delivered.arrived - delivered.head_arrived, 2 * 3);
    }
}
