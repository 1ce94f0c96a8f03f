//! Many messages of programs at once: their order, and that nothing depends on how time passes.

use crate::flits::*;
use mpi::time::{NEVER, Time};
use mpi::{Happening, Kind, Transfer, Transport};
use programs::SimulatedNetwork;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Packets of up to 4 flits, of up to 6 in a message.
fn options(vcs: u32) -> Value {
    json!({"virtual_channels": vcs, "vc_buffer_flits": 8, "wait_for_tail_credit": true})
}

/// Messages, control packets and answers at times and between nodes that look random.
fn transfers(nodes: u32, count: u32) -> Vec<(Time, Transfer)> {
    let mut state = 7_u64;
    let mut below = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % limit
    };
    let mut at = 0;
    let made = (0..count).map(|token| {
        at += below(3 * CYCLE);
        let (src, dst) = (below(nodes.into()) as u32, below(nodes.into()) as u32);
        let kind = if below(4) == 0 { Kind::Control } else { Kind::Data };
        let bytes = if kind == Kind::Control { 8 } else { below(6 * 64) };
        let ordered = below(5) > 0;
        (at, Transfer { src, dst, number: 0, bytes, kind, ordered, token })
    });
    made.collect()
}

/// Hands all over at their times, with time going on in steps of at most `step`.
fn run_in_steps(made: &mut Made, all: &[(Time, Transfer)], step: Time) -> Vec<(Time, Happening)> {
    let network = &mut made.network;
    let (mut out, mut found) = (Vec::new(), Vec::new());
    let (mut now, mut next) = (0, all.iter().peekable());
    loop {
        while let Some((at, transfer)) = next.next_if(|(at, _)| *at == now) {
            network.send(*at, *transfer);
        }
        let until = next.peek().map_or(NEVER, |(at, _)| *at);
        if until == NEVER && network.is_idle() {
            return out;
        }
        now = network.advance(until.min(now.saturating_add(step)), &mut found);
        out.extend(found.drain(..).map(|happening| (now, happening)));
    }
}

fn counts(network: &impl SimulatedNetwork) -> BTreeMap<&'static str, u64> {
    network.counts().into_iter().collect()
}

#[test]
fn ordered_messages_arrive_in_their_order_whatever_way_they_take() {
    let (mut reordered, mut held) = (BTreeMap::new(), 0);
    for (topology, vcs) in topologies() {
        let mut made = made(&topology, &plain(), &options(2 * vcs));
        let all = transfers(6, 3000);
        let happened = run_in_steps(&mut made, &all, NEVER);
        let mut sent: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (_, transfer) in all.iter().filter(|(_, transfer)| transfer.ordered) {
            sent.entry((transfer.src, transfer.dst)).or_default().push(transfer.token);
        }
        let mut arrived: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (_, happening) in &happened {
            let Happening::Arrived(token) = happening else { continue };
            let transfer = all[*token as usize].1;
            if transfer.ordered {
                arrived.entry((transfer.src, transfer.dst)).or_default().push(*token);
            }
        }
        assert_eq!(arrived, sent, "{topology}");
        let count = |kind: &dyn Fn(&Happening) -> bool| {
            happened.iter().filter(|(_, happening)| kind(happening)).count()
        };
        let data = all.iter().filter(|(_, transfer)| transfer.kind == Kind::Data).count();
        assert_eq!(count(&|h| matches!(h, Happening::Arrived(_))), all.len(), "{topology}");
        assert_eq!(count(&|h| matches!(h, Happening::Read(_))), data, "{topology}");
        assert!(happened.is_sorted_by_key(|(at, _)| *at), "{topology}");
        let counts = counts(&made.network);
        reordered.insert(topology.to_string(), counts["packets_reordered"]);
        held += counts["messages_held"];
        made.network.advance(happened.last().unwrap().0 + 1_000 * CYCLE, &mut vec![]);
        assert!(made.network.is_restored(), "{topology}");
    }
    // Otherwise nothing was tested.
    assert!(held > 1000, "{held} messages had to wait for an earlier one");
    let adaptive = |words: &str| reordered.iter().find(|(key, _)| key.contains(words)).unwrap().1;
    for words in ["anca", "minimal_adaptive", "valiant", "ugal"] {
        assert!(*adaptive(words) > 0, "{words}: {reordered:?}");
    }
}

/// One virtual channel and one way: nothing can overtake.
#[test]
fn packets_of_one_way_and_one_virtual_channel_keep_their_order() {
    let mut made = made(&json!({"kind": "mesh", "sizes": [4, 3]}), &plain(), &options(1));
    run_in_steps(&mut made, &transfers(12, 3000), NEVER);
    assert_eq!(counts(&made.network)["packets_reordered"], 0);
}

#[test]
fn nothing_depends_on_the_steps_in_which_time_passes() {
    for (topology, vcs) in topologies() {
        let mut network = plain();
        network["nic"] = json!({"dma_bytes_per_s": 3e9, "memory_bytes_per_s": 1e9});
        network["latency_s"] = json!(1e-8);
        let all = transfers(6, 600);
        let run = |step| {
            let mut made = made(&topology, &network, &options(vcs));
            (run_in_steps(&mut made, &all, step), counts(&made.network))
        };
        let at_once = run(NEVER);
        assert_eq!(at_once, run(777), "{topology}");
        assert_eq!(at_once, run(CYCLE), "{topology}");
        assert_eq!(at_once, run(5 * CYCLE + 1), "{topology}");
    }
}
