//! Computed routes: for each destination switch the output port of every switch.

use super::balanced;
use super::distances::{self, FAR};
use super::wires::{Hop, Wires};
use crate::hash::mix;
use std::sync::OnceLock;

/// The output ports of all switches towards one switch.
#[derive(Debug)]
enum Row {
    /// 255 where no path leads on.
    Narrow(Box<[u8]>),
    /// 65,535 where no path leads on.
    Wide(Box<[u16]>),
}

impl Row {
    fn new(ports: &[Option<u16>], widest: u32) -> Self {
        if widest < u32::from(u8::MAX) {
            Self::Narrow(ports.iter().map(|port| port.map_or(u8::MAX, |p| p as u8)).collect())
        } else {
            Self::Wide(ports.iter().map(|port| port.unwrap_or(u16::MAX)).collect())
        }
    }

    #[inline]
    fn port(&self, at: usize) -> Option<u16> {
        match self {
            Self::Narrow(ports) => Some(ports[at]).filter(|&p| p != u8::MAX).map(u16::from),
            Self::Wide(ports) => Some(ports[at]).filter(|&p| p != u16::MAX),
        }
    }
}

/// How routes follow from the graph.
#[derive(Debug)]
pub(super) enum Rule {
    /// The fewest channels.
    Shortest,
    /// Channels towards a root, then channels away from it; the shortest way of this kind.
    UpDown {
        /// Per hop: whether it leads away from the root.
        is_down: Vec<bool>,
    },
}

/// Rows of all destination switches, each computed when it is first needed.
#[derive(Debug)]
pub(super) struct Rows {
    rule: Rule,
    seed: u64,
    widest: u32,
    rows: Vec<OnceLock<Row>>,
}

impl Rule {
    /// Up means towards the lower distance from `root`, and among equals towards the lower number.
    pub fn up_down(wires: &Wires, root: u32) -> Self {
        let level = distances::from(wires, root);
        let key = |switch: u32| (level[switch as usize], switch);
        let is_down = |hop: &Hop| hop.exists() && key(hop.to) > key(hop.from);
        let is_down = wires.hops.iter().map(is_down).collect();
        Self::UpDown { is_down }
    }

    /// States of a packet at a switch: with `UpDown` whether it may still go up.
    fn phases(&self) -> usize {
        match self {
            Self::Shortest => 1,
            Self::UpDown { .. } => 2,
        }
    }

    /// The state behind a hop; None where a packet of this state may not take it.
    #[inline]
    fn after(&self, phase: u8, hop: u32) -> Option<u8> {
        match self {
            Self::Shortest => Some(0),
            Self::UpDown { is_down } => match (phase, is_down[hop as usize]) {
                (0, false) => Some(0),
                (_, true) => Some(1),
                (_, false) => None,
            },
        }
    }
}

impl Rows {
    pub fn new(wires: &Wires, rule: Rule, seed: u64) -> Self {
        let rows = (0..wires.switches()).map(|_| OnceLock::new()).collect();
        Self { rule, seed, widest: wires.widest(), rows }
    }

    /// All rows at once: shortest ways that share the load.
    pub fn balanced(wires: &Wires, seed: u64) -> Self {
        let mut found = Self::new(wires, Rule::Shortest, seed);
        let (widest, rows) = (found.widest, &mut found.rows);
        balanced::rows(wires, |target, ports| {
            rows[target as usize] = OnceLock::from(Row::new(ports, widest));
        });
        found
    }

    /// The state of a packet that came by a hop.
    #[inline]
    pub fn phase_behind(&self, hop: u32) -> u8 {
        match &self.rule {
            Rule::Shortest => 0,
            Rule::UpDown { is_down } => u8::from(is_down[hop as usize]),
        }
    }

    /// The output port of a switch towards another one; None where no path leads there.
    #[inline]
    pub fn port(&self, wires: &Wires, (at, phase): (u32, u8), target: u32) -> Option<u16> {
        let row = self.rows[target as usize].get_or_init(|| self.row(wires, target));
        row.port(at as usize + usize::from(phase) * self.rows.len())
    }

    fn row(&self, wires: &Wires, target: u32) -> Row {
        let far = self.distances(wires, target);
        let switches = wires.switches();
        let mut ports = vec![None; far.len()];
        for (state, port) in ports.iter_mut().enumerate() {
            let (at, phase) = (state as u32 % switches, (state as u32 / switches) as u8);
            if far[state] == FAR || far[state] == 0 {
                continue;
            }
            let nearer = |hop: u32| {
                self.rule.after(phase, hop).is_some_and(|then| {
                    let next = wires.hops[hop as usize].to + u32::from(then) * switches;
                    far[next as usize] != FAR && far[next as usize] + 1 == far[state]
                })
            };
            let count = wires.out(at).filter(|(_, hop)| nearer(*hop)).count() as u64;
            let key = mix(self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(target));
            let chosen = mix(key ^ u64::from(at) << 32 ^ u64::from(phase)) % count.max(1);
            let found = wires.out(at).filter(|(_, hop)| nearer(*hop)).nth(chosen as usize);
            *port = found.map(|(port, _)| port);
        }
        Row::new(&ports, self.widest)
    }

    /// Channels that are left for a packet in each state at each switch.
    fn distances(&self, wires: &Wires, target: u32) -> Vec<u16> {
        let (switches, phases) = (wires.switches(), self.rule.phases());
        if phases == 1 {
            return distances::to(wires, target);
        }
        let mut far = vec![FAR; phases * switches as usize];
        let mut queue: Vec<u32> = (0..phases as u32).map(|p| target + p * switches).collect();
        queue.iter().for_each(|&state| far[state as usize] = 0);
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            let (at, then) = (state % switches, (state / switches) as u8);
            for &hop in wires.into(at) {
                for phase in 0..phases as u8 {
                    let before = wires.hops[hop as usize].from + u32::from(phase) * switches;
                    if self.rule.after(phase, hop) == Some(then) && far[before as usize] == FAR {
                        far[before as usize] = far[state as usize].saturating_add(1).min(FAR - 1);
                        queue.push(before);
                    }
                }
            }
        }
        far
    }
}
