//! Rails: the links of nodes that have several, each an end of its own in the network.
//!
//! Where a graph has rails, the fabric's nodes are the rails of all hosts, one host after the other.
//! Workloads and ranks count hosts. Two messages go over the same rail, or not, as a rule decides; they
//! leave and arrive by rails of the same place, if both hosts have so many.

use crate::Node;
use crate::hash::mix;
use serde::Deserialize;

/// Which rail a message takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum RailRule {
    /// The messages of a host take its rails in turn.
    #[default]
    RoundRobin,
    /// A hash of both hosts and the number of the message decides.
    Hash,
}

/// The rails of all hosts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rails {
    /// The first rail of each host, then the number of all.
    first: Vec<Node>,
    rule: RailRule,
}

impl Rails {
    /// Hosts with so many rails each; none if each has one.
    pub(crate) fn new(counts: &[u32], rule: RailRule) -> Option<Self> {
        let mut first = vec![0];
        first.extend(counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        counts.iter().any(|&count| count > 1).then_some(Self { first, rule })
    }

    /// How many rails each host has.
    pub(crate) fn counts(&self) -> Vec<u32> {
        self.first.windows(2).map(|two| two[1] - two[0]).collect()
    }

    pub fn hosts(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The host of a rail.
    pub fn host(&self, rail: Node) -> u32 {
        self.first.partition_point(|&first| first <= rail) as u32 - 1
    }

    /// The rails by which a message goes from one host to another; `number` is its number among those of
    /// its source.
    pub fn of_message(&self, src: u32, dst: u32, number: u32) -> (Node, Node) {
        let place = match self.rule {
            RailRule::RoundRobin => number,
            RailRule::Hash => self.hash(src, dst, number),
        };
        self.at(src, dst, place)
    }

    /// The rails of all messages of two hosts that must stay in order.
    pub fn of_pair(&self, src: u32, dst: u32) -> (Node, Node) {
        self.at(src, dst, self.hash(src, dst, 0))
    }

    /// The rail of a host that has the place of another host's rail.
    pub fn opposite(&self, rail: Node, host: u32) -> Node {
        self.at(self.host(rail), host, rail - self.first[self.host(rail) as usize]).1
    }

    fn hash(&self, src: u32, dst: u32, number: u32) -> u32 {
        let pair = u64::from(src) << 32 | u64::from(dst);
        mix(mix(pair + 1) ^ u64::from(number)) as u32
    }

    fn at(&self, src: u32, dst: u32, place: u32) -> (Node, Node) {
        let place = place % self.count(src);
        let rail = |host: u32| self.first[host as usize] + place % self.count(host);
        (rail(src), rail(dst))
    }

    fn count(&self, host: u32) -> u32 {
        self.first[host as usize + 1] - self.first[host as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_take_the_rails_of_their_host_in_turn() {
        let rails = Rails::new(&[2, 1, 3], RailRule::RoundRobin).unwrap();
        let ways: Vec<_> = (0..4).map(|number| rails.of_message(0, 2, number)).collect();
        assert_eq!(ways, [(0, 3), (1, 4), (0, 3), (1, 4)]);
        assert_eq!(rails.of_message(2, 1, 2), (5, 2));
        assert_eq!([0, 1, 2, 3, 5].map(|rail| rails.host(rail)), [0, 0, 1, 2, 2]);
        assert_eq!([rails.opposite(1, 2), rails.opposite(5, 0), rails.opposite(5, 1)], [4, 0, 2]);
    }

    #[test]
    fn a_hash_spreads_messages_and_keeps_what_is_ordered_on_one_rail() {
        let rails = Rails::new(&[2, 2], RailRule::Hash).unwrap();
        let second = (0..1000).filter(|&number| rails.of_message(0, 1, number).0 == 1).count();
        assert!((450..550).contains(&second), "{second}");
        assert_eq!(rails.of_pair(0, 1), rails.of_message(0, 1, 0));
        assert_eq!(Rails::new(&[1, 1], RailRule::Hash), None);
    }

    #[test]
    fn a_message_to_the_own_host_stays_on_its_rail() {
        let rails = Rails::new(&[3], RailRule::RoundRobin).unwrap();
        assert!((0..6).all(|number| {
            let (from, to) = rails.of_message(0, 0, number);
            from == to
        }));
    }
}
