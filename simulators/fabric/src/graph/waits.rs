//! Which channels packets wait for while they hold another one.

use super::wires::Wires;
use crate::bits::{self, Bits};

/// Most bits that the sets of all hops take: 1 GiB.
const MOST_BITS: u64 = 1 << 33;

/// Of each hop, the hops behind it that packets take next: one bit for each that begins where it ends.
///
/// Whole sets would be large: behind each of 65,536 channels to the top of a wide tree lie 2,047 others.
pub(super) struct Waits {
    /// Where the set of each hop begins in `bits`.
    first_word: Vec<usize>,
    bits: Vec<u64>,
    /// The hops that begin at each switch, one switch after the other.
    first_out: Vec<usize>,
    out: Vec<u32>,
    /// The switch where each hop ends.
    to: Vec<u32>,
}

impl Waits {
    /// Empty sets; None where they would take too much memory.
    pub fn new(wires: &Wires) -> Option<Self> {
        let (mut first_out, mut out) = (vec![0], vec![]);
        for switch in 0..wires.switches() {
            out.extend(wires.out(switch).map(|(_, hop)| hop));
            first_out.push(out.len());
        }
        let to: Vec<u32> = wires.hops.iter().map(|hop| hop.to).collect();
        let (mut first_word, mut words) = (vec![], 0);
        for (hop, &to) in to.iter().enumerate() {
            first_word.push(words);
            if wires.carries(hop as u32) {
                words += bits::words(first_out[to as usize + 1] - first_out[to as usize]);
            }
        }
        (words as u64 * 64 <= MOST_BITS).then(|| Self {
            first_word,
            bits: vec![0; words],
            first_out,
            out,
            to,
        })
    }

    /// The hops that begin at a switch.
    pub fn out(&self, switch: u32) -> &[u32] {
        &self.out[self.first_out[switch as usize]..self.first_out[switch as usize + 1]]
    }

    /// Adds hops behind a hop, by their places in [`Waits::out`]: words of the set that are not empty.
    pub fn add(&mut self, hop: u32, places: &[(usize, u64)]) {
        let first = self.first_word[hop as usize];
        places.iter().for_each(|&(word, bits)| self.bits[first + word] |= bits);
    }

    fn behind(&self, hop: usize) -> impl Iterator<Item = u32> + '_ {
        let end = self.first_word.get(hop + 1).map_or(self.bits.len(), |&first| first);
        let words = self.bits[self.first_word[hop]..end].iter().enumerate();
        let places = words.flat_map(|(word, &bits)| Bits(bits).map(move |bit| word * 64 + bit));
        let out = if self.first_word[hop] < end { self.out(self.to[hop]) } else { &[] };
        places.map(move |place| out[place])
    }

    /// Whether a way along the sets leads back to where it began (Kahn, 1962).
    pub fn has_circle(&self) -> bool {
        let hops = self.to.len();
        let mut before = vec![0_u32; hops];
        for hop in 0..hops {
            self.behind(hop).for_each(|next| before[next as usize] += 1);
        }
        let mut free: Vec<usize> = (0..hops).filter(|&hop| before[hop] == 0).collect();
        let mut seen = 0;
        while let Some(hop) = free.pop() {
            seen += 1;
            for next in self.behind(hop) {
                before[next as usize] -= 1;
                if before[next as usize] == 0 {
                    free.push(next as usize);
                }
            }
        }
        seen < hops
    }
}
