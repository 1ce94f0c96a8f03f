//! Channels that carry less than a flit a cycle: each is closed for a while after a flit.

use fabric::Links;

/// Cycles from one flit to the next, as a fraction, so that no error adds up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    whole: u64,
    /// Beyond whole cycles: so many parts of so many.
    part: u64,
    parts: u64,
}

/// Quotients of bandwidths that differ by less are the same fraction.
const SAME: f64 = 1e-12;

impl Interval {
    /// The simplest fraction that is `cycles`, by its continued fraction.
    pub fn new(cycles: f64) -> Self {
        let (mut before, mut last) = ((0_u64, 1_u64), (1_u64, 0_u64));
        let mut rest = cycles;
        loop {
            let digit = rest.floor();
            let next = (digit as u64 * last.0 + before.0, digit as u64 * last.1 + before.1);
            (before, last) = (last, next);
            let fraction = rest - digit;
            if (last.0 as f64 / last.1 as f64 - cycles).abs() <= SAME * cycles || fraction <= 0.0 {
                let (numerator, parts) = last;
                return Self { whole: numerator / parts, part: numerator % parts, parts };
            }
            rest = 1.0 / fraction;
        }
    }

    /// Whole cycles that cover it.
    pub fn covering(self) -> u64 {
        self.whole + u64::from(self.part > 0)
    }
}

/// The beginning of a channel: its next flit may go `part` parts of a cycle after the cycle `from`.
#[derive(Debug, Clone, Copy)]
struct Gate {
    interval: Interval,
    from: u64,
    part: u64,
}

impl Gate {
    /// The first cycle in which a flit may go.
    #[inline]
    fn opens(&self) -> u64 {
        self.from + u64::from(self.part > 0)
    }
}

/// The beginnings of channels.
#[derive(Debug, Clone)]
pub struct Gates(Vec<Gate>);

impl Gates {
    /// With these intervals between flits.
    pub fn new(intervals: &[Interval]) -> Self {
        Self(intervals.iter().map(|&interval| Gate { interval, from: 0, part: 0 }).collect())
    }

    #[inline]
    pub fn is_open(&self, number: usize, now: u64) -> bool {
        self.0[number].opens() <= now
    }

    /// A flit goes. One that waited for the gate goes on where the one before has ended, within a cycle.
    #[inline]
    pub fn send(&mut self, number: usize, now: u64) {
        let gate = &mut self.0[number];
        if gate.opens() < now {
            (gate.from, gate.part) = (now, 0);
        }
        let part = gate.part + gate.interval.part;
        gate.from += gate.interval.whole + part / gate.interval.parts;
        gate.part = part % gate.interval.parts;
    }
}

/// Refuses links that are faster than a flit a cycle.
///
/// # Errors
/// Says what to give instead.
pub fn check(links: &Links, bandwidth_bytes_per_s: f64) -> Result<(), String> {
    let fastest = links.fastest();
    if fastest >= 1.0 {
        return Ok(());
    }
    let needed = bandwidth_bytes_per_s / fastest;
    Err(format!(
        "topology.links has a link of {needed:e} B/s, faster than network.bandwidth of \
         {bandwidth_bytes_per_s:e} B/s, by which a flit takes a cycle: raise network.bandwidth to that \
         of the fastest link, and name the slower ones in links"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_become_the_fractions_that_they_are() {
        for (numerator, parts) in
            [(1, 1), (2, 1), (10, 3), (4, 3), (25, 8), (100, 7), (123_457, 1000)]
        {
            let found = Interval::new(f64::from(numerator) / f64::from(parts));
            let whole = u64::from(numerator as u32 / parts as u32);
            let part = u64::from(numerator as u32 % parts as u32);
            assert_eq!(found.whole, whole);
            assert_eq!(part * found.parts, found.part * u64::from(parts as u32));
        }
    }

    #[test]
    fn flits_in_a_row_keep_the_exact_rate_and_a_late_one_begins_anew() {
        let mut gates = Gates::new(&[Interval::new(10.0 / 3.0)]);
        let mut sent = vec![];
        for now in 0..100_000 {
            if gates.is_open(0, now) {
                gates.send(0, now);
                sent.push(now);
            }
        }
        assert_eq!(sent[..7], [0, 4, 7, 10, 14, 17, 20]);
        assert_eq!(sent.len(), 30_000);
        gates.send(0, 200_000);
        assert!(!gates.is_open(0, 200_003) && gates.is_open(0, 200_004));
    }
}
