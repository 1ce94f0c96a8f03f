use crate::network::Network;
use crate::wiring::Wiring;
use fabric::TopologySpec;
use mpi::Nobody;
use mpi::time::{NEVER, Time};
use mpi::{Kind, Transfer, Transport};
use programs::Parameters;
use proptest::prelude::*;
use serde_json::json;

/// When each transfer was read and arrived, and the packets of each channel.
fn simulate(
    (crossbar, cable_s): (&str, f64),
    words: usize,
    sent: &[(u32, u32, u64)],
) -> Vec<(Time, String)> {
    let network = json!({
        "bandwidth_bytes_per_s": 4e9,
        "packet": {"mtu_bytes": 256, "flit_bytes": 16},
        "router": {"routing_s": 4e-9, "vc_allocation_s": 4e-9, "switch_allocation_s": 4e-9,
                   "vc_buffer_bytes": 1024, "crossbar_inputs": crossbar},
        "cables": {"cable_s": cable_s},
    });
    let parameters: Parameters = serde_json::from_value(network).unwrap();
    let topology: TopologySpec =
        serde_json::from_value(json!({"kind": "torus", "ties": "plus", "sizes": [4, 4]})).unwrap();
    let fabric = topology.build(0).unwrap();
    let router = parameters.router();
    let mut wiring = Wiring::new(&fabric, router.virtual_channels, router.torus_classes).unwrap();
    assert_eq!(wiring.words, 1);
    wiring.words = words;
    let mut network = Network::of(wiring, &parameters, 1, Nobody);
    for (token, &(src, dst, bytes)) in sent.iter().enumerate() {
        let (kind, token) = (Kind::Data, token as u32);
        let transfer = Transfer { src, dst, number: 0, bytes, kind, ordered: true, token };
        network.send(Time::from(token) * 20_000, transfer);
    }
    let (mut happened, mut seen) = (Vec::new(), Vec::new());
    while !network.is_idle() {
        let now = network.advance(NEVER, &mut happened);
        seen.extend(happened.drain(..).map(|happening| (now, format!("{happening:?}"))));
    }
    seen.sort();
    let packets = (0..fabric.channels()).map(|c| (0, network.channel_packets(c).to_string()));
    seen.extend(packets);
    seen
}

proptest! {
    /// Sets of one word and of several are two ways to the same choices, though at other times
    /// is looked at outputs that have nothing to do.
    #[test]
    fn narrow_and_wide_routers_choose_the_same(
        sent in prop::collection::vec((0_u32..16, 0_u32..16, 1_u64..20_000), 1..60)
    ) {
        // On the long cable credits of many packets are on their way.
        for case in [("per_port", 10e-9), ("per_vc", 10e-9), ("per_port", 400e-9)] {
            let narrow = simulate(case, 1, &sent);
            prop_assert_eq!(narrow, simulate(case, 2, &sent));
        }
    }
}
