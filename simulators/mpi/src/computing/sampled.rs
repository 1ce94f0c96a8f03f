//! Loops of which a rank runs the first passes only. Each later pass takes the mean time of those.

use std::collections::HashMap;

/// The sampled loops of all ranks.
#[derive(Debug)]
pub struct Sampled {
    /// Names of loops, by where they are in the program.
    names: HashMap<usize, String>,
    ranks: Vec<OfRank>,
}

#[derive(Debug, Clone, Default)]
struct OfRank {
    loops: Vec<Loop>,
    /// The loop that the rank is in.
    open: Option<Open>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Loop {
    place: usize,
    ran: u64,
    skipped: u64,
    /// Passes that count, and sums over them.
    counted: u64,
    sum_ns: f64,
    squares: f64,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    /// Place in `loops`.
    number: usize,
    /// When its pass began, or when it began to leave out passes.
    since_ns: f64,
    skips: bool,
}

/// What the next pass of a loop means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// Its body does not run.
    pub skips: bool,
    /// To be added to what the rank has computed.
    pub more_ns: f64,
}

impl Sampled {
    pub fn new(ranks: usize) -> Self {
        Self { names: HashMap::new(), ranks: vec![OfRank::default(); ranks] }
    }

    /// The loop at `place` begins its next pass, or ends. `now` reads a clock, and a look at it takes
    /// `reading_ns`.
    ///
    /// # Errors
    /// When the rank has left another loop in the middle of a pass.
    pub fn pass(
        &mut self,
        rank: u32,
        (place, name): (usize, impl Fn() -> String),
        (passes, goes_on): (u64, bool),
        (now_ns, reading_ns): (impl Fn() -> f64, f64),
    ) -> Result<Pass, String> {
        let state = &mut self.ranks[rank as usize];
        let open = state.open.take();
        if let Some(open) = open.filter(|open| state.loops[open.number].place != place) {
            let there = &self.names[&state.loops[open.number].place];
            return Err(format!(
                "began while the rank was in a pass of the sampled loop at {there}: {BODY}"
            ));
        }
        let number = match open {
            Some(open) => open.number,
            None => state.loops.iter().position(|each| each.place == place).unwrap_or_else(|| {
                self.names.entry(place).or_insert_with(&name);
                state.loops.push(Loop { place, ..Loop::default() });
                state.loops.len() - 1
            }),
        };
        let each = &mut state.loops[number];
        let skips = goes_on && each.ran + u64::from(open.is_some_and(|open| !open.skips)) >= passes;
        if skips && open.is_some_and(|open| open.skips) {
            state.open = open;
            each.skipped += 1;
            return Ok(Pass { skips, more_ns: each.mean_ns() });
        }
        let now_ns = now_ns();
        let mut more_ns = -reading_ns;
        if let Some(open) = open {
            let spent_ns = now_ns - open.since_ns - reading_ns;
            match open.skips {
                // Conditions and steps of passes without a body are in the mean, too.
                true => more_ns -= spent_ns,
                false => each.add(spent_ns.max(0.0)),
            }
        }
        if skips {
            each.skipped += 1;
            more_ns += each.mean_ns();
        }
        state.open = goes_on.then_some(Open { number, since_ns: now_ns, skips });
        Ok(Pass { skips, more_ns })
    }

    /// # Errors
    /// When the rank is in a pass.
    pub fn call(&self, rank: u32) -> Result<(), String> {
        let state = &self.ranks[rank as usize];
        state.open.map_or(Ok(()), |open| {
            let name = &self.names[&state.loops[open.number].place];
            Err(format!("the rank was in a pass of the sampled loop at {name}: {BODY}"))
        })
    }

    /// Of each loop that left out passes: how many, and how far those differ that ran.
    pub fn notes(&self) -> Vec<String> {
        let mut loops: Vec<(&String, Loop)> = vec![];
        for each in self.ranks.iter().flat_map(|rank| &rank.loops) {
            let name = &self.names[&each.place];
            match loops.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => sum.join(each),
                None => loops.push((name, *each)),
            }
        }
        loops.sort_by_key(|(name, _)| *name);
        loops.iter().map(|(name, each)| each.note(name)).collect()
    }
}

/// What is wrong with a loop that a rank has left unseen.
const BODY: &str = "the body of a sampled loop must not call MPI, hold another sampled loop, or leave the \
     loop by break, return or goto";

impl Loop {
    /// One more pass has run. The first one fills caches, so that it counts until another one has run.
    fn add(&mut self, spent_ns: f64) {
        self.ran += 1;
        if self.ran == 2 {
            (self.counted, self.sum_ns, self.squares) = (0, 0.0, 0.0);
        }
        self.counted += 1;
        self.sum_ns += spent_ns;
        self.squares += spent_ns * spent_ns;
    }

    fn join(&mut self, other: &Self) {
        self.ran += other.ran;
        self.skipped += other.skipped;
        self.counted += other.counted;
        self.sum_ns += other.sum_ns;
        self.squares += other.squares;
    }

    fn mean_ns(&self) -> f64 {
        match self.counted {
            0 => 0.0,
            counted => self.sum_ns / counted as f64,
        }
    }

    /// The standard deviation of its passes, as part of their mean.
    fn scatter(&self) -> f64 {
        let mean_ns = self.mean_ns();
        let variance = self.squares / self.counted.max(1) as f64 - mean_ns * mean_ns;
        if mean_ns > 0.0 { variance.max(0.0).sqrt() / mean_ns } else { 0.0 }
    }

    fn note(&self, name: &str) -> String {
        format!(
            "sampled loop at {name}: {} of {} passes ran, {:.3} us each, which scatter by {:.0} %",
            self.ran,
            self.ran + self.skipped,
            self.mean_ns() * 1e-3,
            self.scatter() * 100.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A loop of so many passes of 10 ns, of which `passes` may run; a look at the clock takes 1 ns.
    /// Returns how many ran, and what the rank has computed beside what the clock shows.
    fn looped(sampled: &mut Sampled, clock: &Cell<f64>, turns: u64, passes: u64) -> (u64, f64) {
        let now = || {
            clock.set(clock.get() + 1.0);
            clock.get()
        };
        let (mut ran, mut more) = (0, 0.0);
        for turn in 0..=turns {
            let name = || "a.c:1".to_string();
            let goes_on = turn < turns;
            let pass = sampled.pass(0, (7, name), (passes, goes_on), (now, 1.0)).unwrap();
            more += pass.more_ns;
            if goes_on && !pass.skips {
                ran += 1;
                clock.set(clock.get() + 10.0);
            }
        }
        (ran, more)
    }

    #[test]
    fn passes_that_are_left_out_take_the_mean_of_those_that_ran() {
        let (mut sampled, clock) = (Sampled::new(1), Cell::new(0.0));
        let (ran, more) = looped(&mut sampled, &clock, 20, 5);
        assert_eq!((ran, clock.get() + more), (5, 200.0));
        // A later execution runs none.
        let before = clock.get();
        let (ran, more) = looped(&mut sampled, &clock, 30, 5);
        assert_eq!((ran, clock.get() - before + more), (0, 300.0));
        let note = "sampled loop at a.c:1: 5 of 50 passes ran, 0.010 us each, which scatter by 0 %";
        assert_eq!(sampled.notes(), [note]);
    }

    #[test]
    fn a_loop_with_fewer_passes_runs_them_all() {
        let (mut sampled, clock) = (Sampled::new(1), Cell::new(0.0));
        for _ in 0..2 {
            assert_eq!(looped(&mut sampled, &clock, 2, 5).0, 2);
        }
        assert_eq!(looped(&mut sampled, &clock, 2, 5).0, 1);
    }

    #[test]
    fn the_first_pass_does_not_count_beside_others() {
        let mut each = Loop::default();
        each.add(90.0);
        assert_eq!(each.mean_ns(), 90.0);
        each.add(10.0);
        each.add(20.0);
        assert_eq!(each.mean_ns(), 15.0);
    }
}
