//! How far switches are from each other.

use super::wires::Wires;

/// No way leads there.
pub(super) const FAR: u16 = u16::MAX;

/// Channels of the shortest way from each switch to `target`.
pub(super) fn to(wires: &Wires, target: u32) -> Vec<u16> {
    search(wires, target, |wires, at, visit| {
        wires.into(at).iter().for_each(|&hop| visit(wires.hops[hop as usize].from));
    })
}

/// Channels of the shortest way from `source` to each switch.
pub(super) fn from(wires: &Wires, source: u32) -> Vec<u16> {
    search(wires, source, |wires, at, visit| {
        wires.out(at).for_each(|(_, hop)| visit(wires.hops[hop as usize].to));
    })
}

fn search(
    wires: &Wires,
    start: u32,
    neighbours: impl Fn(&Wires, u32, &mut dyn FnMut(u32)),
) -> Vec<u16> {
    let mut found = vec![FAR; wires.switches() as usize];
    let mut queue = Vec::with_capacity(found.len());
    found[start as usize] = 0;
    queue.push(start);
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        next += 1;
        let far = found[at as usize].saturating_add(1).min(FAR - 1);
        neighbours(wires, at, &mut |other| {
            if found[other as usize] == FAR {
                found[other as usize] = far;
                queue.push(other);
            }
        });
    }
    found
}

/// The switch from which the farthest one is nearest; the first of several.
pub(super) fn centre(wires: &Wires) -> u32 {
    let farthest = |switch| from(wires, switch).into_iter().max().unwrap_or(0);
    (0..wires.switches()).min_by_key(|&switch| farthest(switch)).unwrap_or(0)
}

/// An upper bound of the channels of a shortest way, and of those through `root`.
///
/// # Errors
/// Names a pair of nodes without a way, if there is one.
pub(super) fn longest(wires: &Wires, root: Option<u32>) -> Result<usize, String> {
    // Where channels lead both ways, whatever reaches one switch reaches all others, and no way is
    // longer than the one through that switch.
    let is_both_ways = is_both_ways(wires).is_ok();
    let targets = match root {
        Some(root) => vec![root],
        None => wires.destinations(),
    };
    let (enough, times) = if is_both_ways { (1, 2) } else { (targets.len(), 1) };
    let mut longest = 0;
    for &target in &targets[..enough] {
        let far = to(wires, target);
        let reached = far.iter().copied().filter(|&far| far != FAR).max();
        longest = longest.max(times * usize::from(reached.unwrap_or(0)));
        let cut = wires.injection.iter().position(|place| far[place.switch as usize] == FAR);
        if let Some(node) = cut {
            let names = &wires.node_names;
            let there = |place: &super::wires::Place| far[place.switch as usize] != FAR;
            let other = wires.ejection.iter().position(there);
            let (from, to) = (&names[node], &names[other.unwrap_or(node)]);
            let failed = wires.failures();
            return Err(format!("no path leads from node {from} to node {to}{failed}"));
        }
    }
    Ok(longest)
}

/// Refuses a graph in which a channel has none in the other direction.
pub(super) fn check_both_ways(wires: &Wires) -> Result<(), String> {
    is_both_ways(wires).map_err(|hop| {
        let name = |switch: u32| &wires.switch_names[switch as usize];
        let (from, to) = (name(wires.hops[hop].from), name(wires.hops[hop].to));
        format!(
            "routing up_down needs channels in both directions; one leads from {from} to {to}, and \
             none from {to} to {from}"
        )
    })
}

/// The first hop without one in the other direction is the error.
fn is_both_ways(wires: &Wires) -> Result<(), usize> {
    let there = wires.hops.iter().filter(|hop| hop.exists());
    let mut joined: Vec<(u32, u32)> = there.map(|hop| (hop.from, hop.to)).collect();
    joined.sort_unstable();
    let lacks_other = |hop: &super::wires::Hop| {
        hop.exists() && joined.binary_search(&(hop.to, hop.from)).is_err()
    };
    match wires.hops.iter().position(lacks_other) {
        Some(hop) => Err(hop),
        None => Ok(()),
    }
}
