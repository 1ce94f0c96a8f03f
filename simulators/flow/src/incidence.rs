//! Which flows cross which channels: a route per slot, and per channel a list of flows threaded
//! through the routes, so that a flow comes and goes without any allocation.

use fabric::Channel;

const NONE: u32 = u32::MAX;

/// One channel of one slot's route, and its neighbours in the channel's list.
#[derive(Clone, Copy)]
struct Crossing {
    channel: Channel,
    next: u32,
    previous: u32,
}

#[derive(Clone, Copy)]
struct ChannelState {
    first: u32,
    count: u32,
    bytes: f64,
}

pub struct Incidence {
    channels: Vec<ChannelState>,
    crossings: Vec<Crossing>,
    length: Vec<u16>,
    /// A slot's crossings begin at `slot << shift`.
    shift: u32,
}

impl Incidence {
    pub fn new(channels: usize, slots: usize, longest_route: usize) -> Self {
        let shift = longest_route.next_power_of_two().trailing_zeros();
        let empty = Crossing { channel: 0, next: NONE, previous: NONE };
        Self {
            channels: vec![ChannelState { first: NONE, count: 0, bytes: 0.0 }; channels],
            crossings: vec![empty; slots << shift],
            length: vec![0; slots],
            shift,
        }
    }

    /// One more slot, without a route.
    pub fn add_slot(&mut self) {
        let empty = Crossing { channel: 0, next: NONE, previous: NONE };
        self.crossings.resize(self.crossings.len() + (1 << self.shift), empty);
        self.length.push(0);
    }

    /// Flows on a channel.
    #[inline]
    pub fn count(&self, channel: Channel) -> u32 {
        self.channels[channel as usize].count
    }

    /// Bytes of all messages that have been given to a channel.
    pub fn bytes(&self, channel: Channel) -> f64 {
        self.channels[channel as usize].bytes
    }

    /// Takes back bytes that a flow has not sent yet.
    pub fn give_back(&mut self, slot: u32, bytes: f64) {
        let start = (slot << self.shift) as usize;
        for i in start..start + self.length[slot as usize] as usize {
            self.channels[self.crossings[i].channel as usize].bytes -= bytes;
        }
    }

    #[inline]
    pub fn route(&self, slot: u32) -> impl Iterator<Item = Channel> + '_ {
        let start = (slot << self.shift) as usize;
        let end = start + self.length[slot as usize] as usize;
        self.crossings[start..end].iter().map(|crossing| crossing.channel)
    }

    /// Where a channel's list of flows begins, for [`Incidence::crossing`].
    #[inline]
    pub fn first(&self, channel: Channel) -> u32 {
        self.channels[channel as usize].first
    }

    /// The flow at a place of a channel's list, and the next place.
    #[inline]
    pub fn crossing(&self, at: u32) -> Option<(u32, u32)> {
        self.crossings.get(at as usize).map(|here| (at >> self.shift, here.next))
    }

    /// The flows of a channel with two of them, latest first.
    #[inline]
    pub fn pair(&self, channel: Channel) -> (u32, u32) {
        let at = self.first(channel);
        (at >> self.shift, self.crossings[at as usize].next >> self.shift)
    }

    /// Flows on a channel, latest first.
    #[inline]
    pub fn flows(&self, channel: Channel) -> impl Iterator<Item = u32> + '_ {
        let mut at = self.first(channel);
        std::iter::from_fn(move || {
            let (slot, next) = self.crossing(at)?;
            at = next;
            Some(slot)
        })
    }

    /// Adds a flow; `seen` gets each channel and the count before.
    #[inline]
    pub fn add(
        &mut self,
        slot: u32,
        path: &[Channel],
        bytes: f64,
        mut seen: impl FnMut(Channel, u32),
    ) {
        let start = slot << self.shift;
        self.length[slot as usize] = path.len() as u16;
        for (i, &channel) in path.iter().enumerate() {
            let at = start + i as u32;
            let state = &mut self.channels[channel as usize];
            seen(channel, state.count);
            let next = std::mem::replace(&mut state.first, at);
            state.count += 1;
            state.bytes += bytes;
            if next != NONE {
                self.crossings[next as usize].previous = at;
            }
            self.crossings[at as usize] = Crossing { channel, next, previous: NONE };
        }
    }

    /// Removes a flow; `seen` gets each channel and the count before.
    #[inline]
    pub fn remove(&mut self, slot: u32, mut seen: impl FnMut(Channel, u32)) {
        let start = (slot << self.shift) as usize;
        for i in start..start + self.length[slot as usize] as usize {
            let Crossing { channel, next, previous } = self.crossings[i];
            let state = &mut self.channels[channel as usize];
            seen(channel, state.count);
            state.count -= 1;
            if previous == NONE {
                state.first = next;
            } else {
                self.crossings[previous as usize].next = next;
            }
            if next != NONE {
                self.crossings[next as usize].previous = previous;
            }
        }
        self.length[slot as usize] = 0;
    }
}
