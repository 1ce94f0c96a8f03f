//! Links and switches that failed: which ones, and the graph without them.

use super::wires::{NOTHING, Wires};
use crate::hash::mix;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What failed, as a spec says it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FailedSpec {
    pub links: Failing<FailedLink>,
    pub switches: Failing<FailedSwitch>,
    /// Decides what is drawn; the seed of the point unless given.
    pub seed: Option<u64>,
}

impl FailedSpec {
    /// Whether the seed decides what fails.
    pub(super) fn is_drawn(&self) -> bool {
        self.links.is_drawn() || self.switches.is_drawn()
    }
}

/// So many, drawn by the seed, or these.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Failing<T> {
    Count(u64),
    Named(Vec<T>),
}

/// The name of a channel, whose cable fails in both directions, or two ends, between which all fail.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum FailedLink {
    Channel(String),
    Between([String; 2]),
}

/// A switch by its name, or a router of a topology by its number.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum FailedSwitch {
    Number(u32),
    Name(String),
}

impl<T> Default for Failing<T> {
    fn default() -> Self {
        Self::Count(0)
    }
}

impl<T> Failing<T> {
    fn is_drawn(&self) -> bool {
        matches!(self, Self::Count(1..))
    }
}

/// Hops that are one cable: one, or one each way.
type Cable = Vec<u32>;

impl Wires {
    /// Takes away what failed. Of so many the first ones of an order fail that the seed alone decides, so
    /// that more failures of the same seed contain fewer.
    ///
    /// # Errors
    /// Names what is not there, or a switch with nodes.
    pub(super) fn fail(&mut self, failed: &FailedSpec, seed: u64) -> Result<(), String> {
        if *failed == (FailedSpec { seed: failed.seed, ..FailedSpec::default() }) {
            return Ok(());
        }
        let key = mix(failed.seed.unwrap_or(seed).wrapping_add(0x9e37_79b9_7f4a_7c15));
        let switches = self.failed_switches(&failed.switches, key)?;
        let cables = self.cables();
        let is_cut = |cable: &Cable| {
            let hop = self.hops[cable[0] as usize];
            switches.contains(&hop.from) || switches.contains(&hop.to)
        };
        let (mut gone, whole): (Vec<Cable>, Vec<Cable>) = cables.into_iter().partition(is_cut);
        match &failed.links {
            Failing::Count(count) => {
                let what = "topology.failed.links";
                gone.extend(drawn(whole, *count, mix(key), what, "links join two whole switches")?);
            }
            Failing::Named(names) => {
                for name in names {
                    gone.extend(self.failed_links(name)?);
                }
            }
        }
        self.failed = vec![false; self.hops.len()];
        gone.iter().flatten().for_each(|&hop| self.failed[hop as usize] = true);
        self.disconnect();
        Ok(())
    }

    fn failed_switches(
        &self,
        failing: &Failing<FailedSwitch>,
        key: u64,
    ) -> Result<BTreeSet<u32>, String> {
        let with_nodes = || self.injection.iter().chain(&self.ejection).map(|place| place.switch);
        match failing {
            Failing::Count(count) => {
                let with_nodes: BTreeSet<u32> = with_nodes().collect();
                let all = (0..self.switches()).filter(|switch| !with_nodes.contains(switch));
                let (what, of) = ("topology.failed.switches", "switches have no node");
                let found = drawn(all.map(|switch| vec![switch]).collect(), *count, key, what, of)?;
                Ok(found.into_iter().flatten().collect())
            }
            Failing::Named(names) => names
                .iter()
                .map(|name| {
                    let name = match name {
                        FailedSwitch::Number(number) => number.to_string(),
                        FailedSwitch::Name(name) => name.clone(),
                    };
                    let found = self.switch_names.iter().position(|known| *known == name);
                    let switch = found.ok_or_else(|| {
                        let last = self.switch_names.last().map_or("", String::as_str);
                        let first = self.switch_names.first().map_or("", String::as_str);
                        format!(
                            "topology.failed.switches names {name}; switches are {first} to {last}"
                        )
                    })? as u32;
                    match with_nodes().position(|place| place == switch) {
                        Some(place) => Err(self.lost(place % self.injection.len(), switch)),
                        None => Ok(switch),
                    }
                })
                .collect(),
        }
    }

    /// The pair that a switch with a node keeps apart.
    fn lost(&self, node: usize, switch: u32) -> String {
        let other = usize::from(node == 0).min(self.node_names.len() - 1);
        let (from, to) = (&self.node_names[node], &self.node_names[other]);
        let name = &self.switch_names[switch as usize];
        format!(
            "switch {name} failed and node {from} is attached to it, so no path leads from node \
             {from} \
             to node {to}"
        )
    }

    fn failed_links(&self, name: &FailedLink) -> Result<Vec<Cable>, String> {
        let cables = self.cables();
        let found: Vec<Cable> = match name {
            FailedLink::Channel(name) => {
                let is_named = |cable: &Cable| cable.iter().any(|&hop| self.name(hop) == *name);
                cables.into_iter().filter(is_named).collect()
            }
            FailedLink::Between([one, other]) => {
                let number = |name: &str| self.switch_names.iter().position(|known| known == name);
                let ends = (number(one), number(other));
                let joins = |cable: &Cable| {
                    let hop = self.hops[cable[0] as usize];
                    let (from, to) = (Some(hop.from as usize), Some(hop.to as usize));
                    ends == (from, to) || ends == (to, from)
                };
                cables.into_iter().filter(joins).collect()
            }
        };
        if found.is_empty() {
            let (words, what) = match name {
                FailedLink::Channel(name) => (name.clone(), "a link between switches"),
                FailedLink::Between(ends) => (ends.join(" and "), "two switches that a link joins"),
            };
            return Err(format!("topology.failed.links names {words}, must name {what}"));
        }
        Ok(found)
    }

    /// The hops of each cable, in the order of their first ones.
    fn cables(&self) -> Vec<Cable> {
        let mut found = vec![];
        for (number, hop) in self.hops.iter().enumerate().filter(|(_, hop)| hop.exists()) {
            let number = number as u32;
            let back = if hop.to_port < self.ports(hop.to) {
                self.lead(hop.to, hop.to_port as u16)
            } else {
                NOTHING
            };
            let back = Some(back).filter(|&back| back != NOTHING).filter(|&back| {
                let back = self.hops[back as usize];
                (back.to, back.to_port) == (hop.from, hop.from_port)
            });
            match back {
                Some(back) if back < number => {}
                Some(back) => found.push(vec![number, back]),
                None => found.push(vec![number]),
            }
        }
        found
    }

    /// Names of some links that failed, for messages; empty where none did.
    pub(super) fn failures(&self) -> String {
        const MOST: usize = 6;
        let all: Vec<String> = (0..self.failed.len() as u32)
            .filter(|&hop| self.failed[hop as usize])
            .map(|hop| self.name(hop))
            .collect();
        match all.len() {
            0 => String::new(),
            count if count > MOST => {
                format!(" (failed: {} and {} more)", all[..MOST].join(", "), count - MOST)
            }
            _ => format!(" (failed: {})", all.join(", ")),
        }
    }
}

/// The first `count` in the order of the hashes of their first numbers.
fn drawn(
    mut all: Vec<Cable>,
    count: u64,
    key: u64,
    what: &str,
    of: &str,
) -> Result<Vec<Cable>, String> {
    if count > all.len() as u64 {
        let most = all.len();
        return Err(format!("{what} is {count}, must be at most {most}: as many {of}"));
    }
    all.sort_by_key(|each| (mix(key ^ mix(u64::from(each[0]) + 1)), each[0]));
    all.truncate(count as usize);
    Ok(all)
}
