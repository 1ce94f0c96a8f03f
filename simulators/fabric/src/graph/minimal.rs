//! All shortest ways at once, for routings that choose among them.

use super::distances::{self, FAR};
use super::flow::Flow;
use super::waits::Waits;
use super::wires::Wires;
use crate::hash::mix;
use std::sync::OnceLock;

/// Most channels times destination switches whose ways are followed.
const MOST_STEPS: u64 = 1 << 28;

/// By destination switch, how far each switch is; computed when it is first needed.
#[derive(Debug)]
pub(super) struct Minimal {
    seed: u64,
    far: Vec<OnceLock<Box<[u16]>>>,
    facts: OnceLock<Result<Facts, String>>,
}

/// What holds of all shortest ways between nodes together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts {
    /// Whether their channels wait for each other in a circle.
    has_circle: bool,
    /// Channels of the longest one.
    longest: u16,
}

impl Facts {
    /// Classes of virtual channels that keep packets from deadlocks. Where there is a circle, a packet
    /// takes the next class with each channel.
    pub fn classes(self) -> u16 {
        if self.has_circle { self.longest.max(1) } else { 1 }
    }
}

impl Minimal {
    pub fn new(wires: &Wires, seed: u64) -> Self {
        let far = (0..wires.switches()).map(|_| OnceLock::new()).collect();
        Self { seed, far, facts: OnceLock::new() }
    }

    #[inline]
    fn far(&self, wires: &Wires, target: u32) -> &[u16] {
        self.far[target as usize].get_or_init(|| distances::to(wires, target).into())
    }

    /// Output ports of a switch whose channels lead nearer to another one.
    #[inline]
    pub fn nearer<'a>(
        &'a self,
        wires: &'a Wires,
        at: u32,
        target: u32,
    ) -> impl Iterator<Item = u16> + Clone + 'a {
        let far = self.far(wires, target);
        let here = far[at as usize];
        let leads_nearer = move |hop: u32| far[wires.hops[hop as usize].to as usize] < here;
        wires.out(at).filter(move |(_, hop)| leads_nearer(*hop)).map(|(port, _)| port)
    }

    /// The one of these ports that a hash of both nodes, the message and the switch chooses.
    #[inline]
    pub fn hashed(&self, wires: &Wires, at: u32, target: u32, flow: Flow) -> Option<u16> {
        let count = self.nearer(wires, at, target).count() as u64;
        let pair = u64::from(flow.src) << 32 | u64::from(flow.dst);
        let message = u64::from(flow.message).wrapping_mul(0xd134_2543_de82_ef95);
        let key = mix(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix((pair + 1) ^ message));
        let chosen = mix(key ^ u64::from(at) << 16) % count.max(1);
        self.nearer(wires, at, target).nth(chosen as usize)
    }

    /// Channels that a packet has taken at a switch of its way.
    #[inline]
    pub fn taken(&self, wires: &Wires, source: u32, at: u32, target: u32) -> u32 {
        let far = self.far(wires, target);
        u32::from(far[source as usize].saturating_sub(far[at as usize]))
    }

    /// The class on the channel that a packet takes after so many; 0 before somebody asks for [`Facts`].
    #[inline]
    pub fn class(&self, taken: u32) -> u8 {
        match self.facts.get() {
            Some(Ok(facts)) if facts.has_circle => taken as u8,
            _ => 0,
        }
    }

    pub fn facts(&self, wires: &Wires) -> Result<Facts, String> {
        self.facts.get_or_init(|| self.found(wires)).clone()
    }

    fn found(&self, wires: &Wires) -> Result<Facts, String> {
        let (sources, targets) = (wires.sources(), wires.destinations());
        let too_many = || {
            format!(
                "nodes are at {} switches with {} channels between switches, too many to look for \
                 deadlocks among all shortest ways; take routing up_down",
                targets.len(),
                wires.hops.len()
            )
        };
        if targets.len() as u64 * wires.hops.len() as u64 > MOST_STEPS {
            return Err(too_many());
        }
        let mut waits = Waits::new(wires).ok_or_else(too_many)?;
        let (mut longest, mut nearer) = (0, vec![]);
        for &target in &targets {
            let far = self.far(wires, target);
            let reaches = sources.iter().map(|&source| far[source as usize]);
            longest = reaches.filter(|&far| far != FAR).max().unwrap_or(0).max(longest);
            let mut order: Vec<u32> =
                (0..wires.switches()).filter(|&s| far[s as usize] != FAR).collect();
            order.sort_by_key(|&switch| std::cmp::Reverse(far[switch as usize]));
            let mut is_on_way = vec![false; far.len()];
            sources.iter().for_each(|&source| is_on_way[source as usize] = true);
            // Every switch comes after those from which packets reach it.
            for at in order {
                let here = far[at as usize];
                if !is_on_way[at as usize] || here == 0 {
                    continue;
                }
                nearer.clear();
                for (place, &hop) in waits.out(at).iter().enumerate() {
                    let next = wires.hops[hop as usize].to as usize;
                    if far[next] < here {
                        is_on_way[next] = true;
                        insert(&mut nearer, place);
                    }
                }
                for &hop in wires.into(at) {
                    let from = wires.hops[hop as usize].from as usize;
                    if is_on_way[from] && far[from] > here && far[from] != FAR {
                        waits.add(hop, &nearer);
                    }
                }
            }
        }
        Ok(Facts { has_circle: waits.has_circle(), longest })
    }
}

/// Adds a number, larger than all before it, to the words of a set that are not empty.
fn insert(set: &mut Vec<(usize, u64)>, number: usize) {
    let (word, bit) = (number / 64, 1 << (number % 64));
    match set.last_mut() {
        Some((last, bits)) if *last == word => *bits |= bit,
        _ => set.push((word, bit)),
    }
}
