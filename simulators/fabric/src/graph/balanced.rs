//! Shortest ways that share the load: each route avoids channels that the routes before it use.
//! The idea is that of DFSSSP (Domke, Hoefler and Nagel, IPDPS 2011), which weighs the channels anew
//! after all routes to a destination; here every switch sees what the switches before it chose.

use super::distances::{self, FAR};
use super::wires::{NOTHING, Place, Wires};

/// Calls `keep` with each switch that nodes receive from and the output ports of all switches towards
/// it.
///
/// A channel weighs as much as there are pairs of nodes whose routes have it. Of the ways with the
/// fewest channels a switch takes the one with the least weight, and of equals the lowest port.
pub(super) fn rows(wires: &Wires, mut keep: impl FnMut(u32, &[Option<u16>])) {
    let switches = wires.switches() as usize;
    let (mut weights, mut ports) = (vec![0_u64; wires.hops.len()], vec![None; switches]);
    let mut onward = vec![NOTHING; switches];
    let (senders, receivers) =
        (count(&wires.injection, switches), count(&wires.ejection, switches));
    for target in wires.destinations() {
        let far = distances::to(wires, target);
        let mut order: Vec<u32> = (0..wires.switches()).collect();
        order.retain(|&switch| switch != target && far[switch as usize] != FAR);
        order.sort_by_key(|&switch| far[switch as usize]);
        ports.fill(None);
        onward[target as usize] = NOTHING;
        for &at in &order {
            let next = |hop: u32| wires.hops[hop as usize].to as usize;
            let nearer = wires.out(at).filter(|(_, hop)| far[next(*hop)] < far[at as usize]);
            let way = |hop: u32| {
                let behind = |&hop: &u32| Some(onward[next(hop)]).filter(|&then| then != NOTHING);
                std::iter::successors(Some(hop), behind)
            };
            let weight = |hop: u32| way(hop).map(|each| weights[each as usize]).sum::<u64>();
            let Some((port, hop)) = nearer.min_by_key(|(_, hop)| weight(*hop)) else { continue };
            let pairs = senders[at as usize] * receivers[target as usize];
            let taken: Vec<u32> = way(hop).collect();
            taken.iter().for_each(|&each| weights[each as usize] += pairs);
            (onward[at as usize], ports[at as usize]) = (hop, Some(port));
        }
        keep(target, &ports);
    }
}

/// How many nodes are at each switch.
fn count(places: &[Place], switches: usize) -> Vec<u64> {
    let mut found = vec![0; switches];
    places.iter().for_each(|place| found[place.switch as usize] += 1);
    found
}
