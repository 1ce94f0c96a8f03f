//! Steps of an all-to-all by pairs in which links of a torus are to be full, by themselves: how much
//! longer they take than their busiest link needs, packet by packet and flit by flit.

use crate::flit_level::{Case, exchange};
use serde_json::json;

const MESSAGE_FLITS: u64 = 4096;

/// Last arrivals, flit by flit and packet by packet, in times that the busiest link needs.
fn times(mask: u32, load: u64) -> (f64, f64) {
    let case = Case {
        topology: json!({"kind": "torus", "sizes": [8, 8], "ties": "plus"}),
        vcs: 2,
        buffer_flits: 512,
        packet_flits: 128,
        messages: vec![MESSAGE_FLITS],
        shift: None,
        load: 0.0,
        cycles: 4 * load * MESSAGE_FLITS,
    };
    let (flits, packets) = exchange(&case, mask);
    let bound = (load * MESSAGE_FLITS) as f64;
    (flits.last as f64 / bound, packets.last as f64 / bound)
}

/// Half a ring away in x: four messages share each link.
#[test]
fn one_full_ring_takes_little_longer_than_its_links_need() {
    let (flits, packets) = times(4, 4);
    assert!((1.0..1.3).contains(&flits), "flit by flit {flits}");
    assert!((1.0..1.3).contains(&packets), "packet by packet {packets}");
}

/// Half a ring away in x and in y. Packets that wait for y stand before others that stay in x; this is
/// why the all-to-all of OpenNSIM takes longer than the sum of its busiest links. The two agree as far
/// as a single, saturated step can: turns are taken in other orders.
#[test]
fn two_full_rings_take_twice_as_long_as_their_links_need_flit_by_flit_as_well() {
    let (flits, packets) = times(4 + 8 * 4, 4);
    assert!(flits > 1.8 && packets > 1.8, "flit by flit {flits}, packet by packet {packets}");
    assert!((packets / flits - 1.0).abs() < 0.15, "flit by flit {flits}, packets {packets}");
}
