//! Queues of posted receives and unexpected messages, linked through their members. A long queue is
//! divided by sender, so that a search visits few messages of other senders.

use super::slab::{NONE, Slab};

/// A member of a queue.
pub trait Linked {
    fn next(&self) -> u32;
    fn set_next(&mut self, next: u32);
    /// Its number in the order in which members joined the rank's queues.
    fn order(&self) -> u32;
    /// The sender, by which a long queue is divided.
    fn source(&self) -> u32;
}

/// A member that was found, and the one before it.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    before: u32,
    pub at: u32,
}

#[derive(Debug, Clone, Copy)]
pub struct Queue {
    head: u32,
    tail: u32,
}

impl Default for Queue {
    fn default() -> Self {
        NO_QUEUE
    }
}

const NO_QUEUE: Queue = Queue { head: NONE, tail: NONE };

impl Queue {
    #[inline]
    pub fn push<V: Linked>(&mut self, slab: &mut Slab<V>, at: u32) {
        slab[at].set_next(NONE);
        match self.head {
            NONE => self.head = at,
            _ => slab[self.tail].set_next(at),
        }
        self.tail = at;
    }

    /// The first member that is accepted.
    #[inline]
    pub fn find<V: Linked>(&self, slab: &Slab<V>, accepts: impl Fn(&V) -> bool) -> Option<Found> {
        let (mut before, mut at) = (NONE, self.head);
        while at != NONE {
            if accepts(&slab[at]) {
                return Some(Found { before, at });
            }
            (before, at) = (at, slab[at].next());
        }
        None
    }

    #[inline]
    pub fn remove<V: Linked>(&mut self, slab: &mut Slab<V>, found: Found) {
        let next = slab[found.at].next();
        match found.before {
            NONE => self.head = next,
            before => slab[before].set_next(next),
        }
        if self.tail == found.at {
            self.tail = found.before;
        }
    }
}

/// A queue with more members per part than this is divided further.
const CROWD: u32 = 16;
/// How many parts each part becomes.
const FACTOR: usize = 8;

/// A queue in parts by sender. A short queue has one part.
#[derive(Debug)]
pub struct Divided {
    one: Queue,
    parts: Option<Box<[Queue]>>,
    length: u32,
}

impl Default for Divided {
    fn default() -> Self {
        Self { one: NO_QUEUE, parts: None, length: 0 }
    }
}

impl Divided {
    pub fn length(&self) -> u32 {
        self.length
    }

    fn parts(&self) -> &[Queue] {
        self.parts.as_deref().unwrap_or(std::slice::from_ref(&self.one))
    }

    #[inline]
    fn part(&mut self, sender: u32) -> &mut Queue {
        match &mut self.parts {
            Some(parts) => &mut parts[sender as usize & (parts.len() - 1)],
            None => &mut self.one,
        }
    }

    #[inline]
    pub fn push<V: Linked>(&mut self, slab: &mut Slab<V>, at: u32) {
        self.length += 1;
        if self.length > CROWD * self.parts().len() as u32 {
            self.divide(slab);
        }
        self.part(slab[at].source()).push(slab, at);
    }

    /// The members of a new part come from one old part, so they keep their order.
    fn divide<V: Linked>(&mut self, slab: &mut Slab<V>) {
        let old = self.parts().to_vec();
        let count = old.len() * FACTOR;
        let mut parts = vec![NO_QUEUE; count].into_boxed_slice();
        for queue in old {
            let mut at = queue.head;
            while at != NONE {
                let next = slab[at].next();
                parts[slab[at].source() as usize & (count - 1)].push(slab, at);
                at = next;
            }
        }
        self.parts = Some(parts);
    }

    /// The first member of this sender that is accepted.
    #[inline]
    pub fn find<V: Linked>(
        &mut self,
        slab: &Slab<V>,
        sender: u32,
        accepts: impl Fn(&V) -> bool,
    ) -> Option<Found> {
        self.part(sender).find(slab, accepts)
    }

    /// The first member of any sender that is accepted.
    pub fn find_any<V: Linked>(
        &self,
        slab: &Slab<V>,
        accepts: impl Fn(&V) -> bool,
    ) -> Option<Found> {
        let mut first: Option<Found> = None;
        for found in self.parts().iter().filter_map(|part| part.find(slab, &accepts)) {
            if first.is_none_or(|first| before(slab, found, first)) {
                first = Some(found);
            }
        }
        first
    }

    #[inline]
    pub fn remove<V: Linked>(&mut self, slab: &mut Slab<V>, found: Found) {
        self.length -= 1;
        self.part(slab[found.at].source()).remove(slab, found);
    }
}

/// Whether one member joined before another.
#[inline]
pub fn before<V: Linked>(slab: &Slab<V>, one: Found, other: Found) -> bool {
    (slab[one.at].order().wrapping_sub(slab[other.at].order()) as i32) < 0
}
