//! When the sources of open-loop traffic create messages.
//!
//! Every source has its own random numbers, so the same messages are offered whatever the network
//! does with them.

use super::random_of;
use workload::{Geometric, Injection, Process, Random};

/// Creation times of the messages of all sources.
#[derive(Debug, Clone)]
pub struct Arrivals {
    /// Cycles without a message between two messages of a burst.
    gap: Geometric,
    pause: Option<Pause>,
    clocks: Vec<Clock>,
}

/// What follows a burst.
#[derive(Debug, Clone)]
struct Pause {
    /// Probability that it follows a message.
    end: f64,
    /// Its cycles beyond the first. A pause of no cycle would make two bursts one, longer than asked for.
    more: Geometric,
}

impl Pause {
    fn draw(&self, random: &mut Random) -> u64 {
        1 + self.more.draw(random)
    }
}

#[derive(Debug, Clone)]
struct Clock {
    random: Random,
    next: u64,
}

impl Arrivals {
    /// Sources that offer `injection.rate` flits per cycle in messages of `message_flits` flits.
    /// Nothing is created before cycle `start`.
    ///
    /// Bernoulli: in every cycle a message is created with probability rate / flits. On/off: while
    /// a burst lasts, with probability burst rate / flits; after each message the burst ends with
    /// probability 1 / `burst_messages`; the pause that follows has a geometric length of at least a
    /// cycle, whose mean makes the mean rate right. If this mean is below a cycle, pauses of one cycle
    /// are as much rarer, and bursts longer.
    pub fn new(
        nodes: u32,
        injection: &Injection,
        message_flits: u64,
        start: u64,
        seed: u64,
    ) -> Self {
        let flits = message_flits as f64;
        let (rate, mut pause) = match injection.process {
            Process::Bernoulli => (injection.rate, None),
            Process::OnOff => {
                let burst_rate = injection.burst_rate.unwrap_or(1.0);
                let messages = injection.burst_messages.unwrap_or(1.0);
                let per_burst = messages * flits * (1.0 / injection.rate - 1.0 / burst_rate);
                let mean = per_burst.max(1.0);
                let (end, more) = (per_burst / mean / messages, Geometric::new(1.0 / mean));
                (burst_rate, Some((Pause { end, more }, mean)))
            }
        };
        let gap = Geometric::new(rate / flits);
        let clocks = (0..nodes)
            .map(|node| {
                let mut random = random_of(node, seed);
                let mut next = start + gap.draw(&mut random);
                if let Some((pause, mean)) = &mut pause {
                    // Sources start anywhere in their cycle of bursts and pauses.
                    let burst = flits / rate / pause.end;
                    if random.fraction() < *mean / (*mean + burst) {
                        next += pause.draw(&mut random);
                    }
                }
                Clock { random, next }
            })
            .collect();
        Self { gap, pause: pause.map(|(pause, _)| pause), clocks }
    }

    /// Creation time of the next message of `src`.
    #[inline]
    pub fn next(&self, src: u32) -> u64 {
        self.clocks[src as usize].next
    }

    /// Goes on to the message after that.
    #[inline]
    pub fn step(&mut self, src: u32) {
        let Self { gap, pause, clocks } = self;
        let Clock { random, next } = &mut clocks[src as usize];
        *next = next.saturating_add(1 + gap.draw(random));
        if let Some(pause) = pause {
            if random.fraction() < pause.end {
                *next = next.saturating_add(pause.draw(random));
            }
        }
    }

    /// Goes on to cycle `until` and returns how many messages were created before it.
    pub fn count_until(&mut self, until: u64) -> u64 {
        let mut count = 0;
        for src in 0..self.clocks.len() as u32 {
            while self.next(src) < until {
                self.step(src);
                count += 1;
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bernoulli(rate: f64) -> Injection {
        let process = Process::Bernoulli;
        Injection { rate, process, burst_messages: None, burst_rate: None, search: None }
    }

    fn on_off(rate: f64, messages: f64, burst_rate: f64) -> Injection {
        let (process, burst_messages) = (Process::OnOff, Some(messages));
        Injection { rate, process, burst_messages, burst_rate: Some(burst_rate), search: None }
    }

    /// Creation times of one source until `cycles`.
    fn times(injection: &Injection, message_flits: u64, cycles: u64) -> Vec<u64> {
        let mut arrivals = Arrivals::new(1, injection, message_flits, 0, 11);
        let mut times = vec![];
        while arrivals.next(0) < cycles {
            times.push(arrivals.next(0));
            arrivals.step(0);
        }
        times
    }

    /// Messages in each burst of one-flit messages at the full rate.
    fn bursts(injection: &Injection, cycles: u64) -> Vec<f64> {
        let times = times(injection, 1, cycles);
        times
            .chunk_by(|before, after| after - before == 1)
            .map(|burst| burst.len() as f64)
            .collect()
    }

    #[test]
    fn bernoulli_sources_offer_their_rate_with_binomial_noise() {
        let (nodes, cycles, p) = (50, 20_000, 0.3 / 4.0);
        let mut arrivals = Arrivals::new(nodes, &bernoulli(0.3), 4, 0, 5);
        let tosses = f64::from(nodes) * f64::from(cycles);
        let count = arrivals.count_until(u64::from(cycles as u32)) as f64;
        let deviation = (tosses * p * (1.0 - p)).sqrt();
        assert!((count - tosses * p).abs() < 4.0 * deviation, "{count}");
    }

    #[test]
    fn bernoulli_gaps_are_geometric() {
        let times = times(&bernoulli(0.25), 1, 400_000);
        let gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        for gap in 1..6 {
            let share = gaps.iter().filter(|&&g| g == gap).count() as f64 / gaps.len() as f64;
            let expected = 0.25 * 0.75_f64.powi(gap as i32 - 1);
            assert!((share - expected).abs() < 0.005, "{gap}: {share}");
        }
    }

    #[test]
    fn on_off_sources_offer_their_mean_rate() {
        let times = times(&on_off(0.1, 8.0, 0.5), 4, 4_000_000);
        let rate = times.len() as f64 * 4.0 / 4e6;
        assert!((rate - 0.1).abs() < 0.003, "{rate}");
    }

    #[test]
    fn bursts_have_the_mean_number_of_messages_and_a_geometric_spread() {
        // One message per cycle while a burst lasts, and pauses of 180 cycles on average.
        let bursts = bursts(&on_off(0.05, 9.0, 1.0), 2_000_000);
        let mean = bursts.iter().sum::<f64>() / bursts.len() as f64;
        assert!((mean - 9.0).abs() < 0.4, "{mean}");
        let single = bursts.iter().filter(|&&b| b == 1.0).count() as f64 / bursts.len() as f64;
        assert!((single - 1.0 / 9.0).abs() < 0.02, "{single}");
    }

    #[test]
    fn short_pauses_do_not_join_bursts() {
        // Pauses of 4.67 cycles on average.
        let bursts = bursts(&on_off(0.3, 2.0, 1.0), 500_000);
        let mean = bursts.iter().sum::<f64>() / bursts.len() as f64;
        assert!((mean - 2.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn the_mean_rate_is_right_where_pauses_would_be_shorter_than_a_cycle() {
        // Half a cycle after each burst of two: a cycle after each four messages.
        let injection = on_off(0.8, 2.0, 1.0);
        let rate = times(&injection, 1, 500_000).len() as f64 / 5e5;
        assert!((rate - 0.8).abs() < 0.002, "{rate}");
        let bursts = bursts(&injection, 500_000);
        let mean = bursts.iter().sum::<f64>() / bursts.len() as f64;
        assert!((mean - 4.0).abs() < 0.04, "{mean}");
    }

    #[test]
    fn counting_ahead_sees_the_same_messages() {
        let injection = on_off(0.2, 5.0, 0.8);
        let mut arrivals = Arrivals::new(7, &injection, 2, 10, 3);
        let mut ahead = arrivals.clone();
        let counted = ahead.count_until(500) + ahead.count_until(1000);
        let mut count = 0;
        for src in 0..7 {
            assert!(arrivals.next(src) >= 10);
            while arrivals.next(src) < 1000 {
                arrivals.step(src);
                count += 1;
            }
        }
        assert_eq!(counted, count);
    }
}
