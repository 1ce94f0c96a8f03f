//! When a sleeping source wants to be asked again.

use fabric::Node;

const SLOTS: u64 = 1024;
const NOBODY: u32 = u32::MAX;

/// A hashed timing wheel (Varghese and Lauck, 1987) with at most one alarm per node.
pub struct Alarms {
    first: Vec<u32>,
    next: Vec<u32>,
    at: Vec<u64>,
    pending: usize,
}

impl Alarms {
    pub fn new(nodes: usize) -> Self {
        Self {
            first: vec![NOBODY; SLOTS as usize],
            next: vec![NOBODY; nodes],
            at: vec![0; nodes],
            pending: 0,
        }
    }

    pub fn set(&mut self, node: Node, at: u64) {
        let slot = (at % SLOTS) as usize;
        self.at[node as usize] = at;
        self.next[node as usize] = std::mem::replace(&mut self.first[slot], node);
        self.pending += 1;
    }

    /// Returns the nodes whose time is `now`.
    pub fn ring(&mut self, now: u64, mut wake: impl FnMut(Node)) {
        let slot = (now % SLOTS) as usize;
        let mut node = std::mem::replace(&mut self.first[slot], NOBODY);
        while node != NOBODY {
            let following = self.next[node as usize];
            if self.at[node as usize] == now {
                self.pending -= 1;
                wake(node);
            } else {
                self.next[node as usize] = std::mem::replace(&mut self.first[slot], node);
            }
            node = following;
        }
    }

    /// A cycle from `now` on before which no alarm rings.
    pub fn next(&self, now: u64) -> Option<u64> {
        if self.pending == 0 {
            return None;
        }
        (now..now + SLOTS).find(|at| self.first[(at % SLOTS) as usize] != NOBODY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_beyond_the_wheel_rings_in_its_turn() {
        let mut alarms = Alarms::new(2);
        alarms.set(0, 5 + SLOTS);
        alarms.set(1, 5);
        let mut woken = Vec::new();
        alarms.ring(5, |node| woken.push(node));
        assert_eq!(woken, [1]);
        alarms.ring(5 + SLOTS, |node| woken.push(node));
        assert_eq!(woken, [1, 0]);
        assert_eq!(alarms.next(6 + SLOTS), None);
    }
}
