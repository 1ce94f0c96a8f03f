//! Values per interval of simulated time, in bounded memory.

use crate::time::Time;

/// Most intervals that are stored. In longer runs neighbours are joined, repeatedly if needed.
pub const MOST_INTERVALS: usize = 1 << 16;

/// A value that can be joined with the value of the next interval.
pub trait Join: Clone + Default {
    /// `later_ps` is the length of the later interval.
    fn join(&mut self, later: &Self, later_ps: Time);
}

impl Join for u64 {
    fn join(&mut self, later: &Self, _: Time) {
        *self += later;
    }
}

/// Numbers intervals. Times come nearly in order, so that few need a division.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    interval_ps: Time,
    start: Time,
    number: u64,
}

impl Numbers {
    pub fn new(interval_ps: Time) -> Self {
        Self { interval_ps, start: 0, number: 0 }
    }

    /// The number of the interval in which a time lies.
    #[inline]
    pub fn of(&mut self, at: Time) -> u64 {
        if at.wrapping_sub(self.start) >= self.interval_ps {
            self.number = at / self.interval_ps;
            self.start = self.number * self.interval_ps;
        }
        self.number
    }

    /// When the interval began whose number was returned last.
    #[inline]
    pub fn start(&self) -> Time {
        self.start
    }
}

/// A row of values for each interval; new rows hold default values.
#[derive(Debug, Clone)]
pub struct PerInterval<T> {
    interval_ps: Time,
    width: usize,
    most: usize,
    /// Each row stands for 2^shift intervals.
    shift: u32,
    values: Vec<T>,
}

impl<T: Join> PerInterval<T> {
    pub fn new(interval_ps: Time, width: usize) -> Self {
        Self::with_limit(interval_ps, width, MOST_INTERVALS)
    }

    /// With another limit than [`MOST_INTERVALS`].
    pub fn with_limit(interval_ps: Time, width: usize, most: usize) -> Self {
        Self { interval_ps, width, most, shift: 0, values: vec![] }
    }

    /// The row of an interval, by the interval's number.
    #[inline]
    pub fn row(&mut self, number: u64) -> &mut [T] {
        let mut at = number >> self.shift;
        while at >= self.most as u64 {
            self.halve();
            at = number >> self.shift;
        }
        let at = at as usize * self.width;
        if at >= self.values.len() {
            self.values.resize(at + self.width, T::default());
        }
        &mut self.values[at..][..self.width]
    }

    /// The row of an interval, and when it ends.
    #[inline]
    pub fn row_and_end(&mut self, number: u64) -> (&mut [T], Time) {
        self.row(number);
        let at = number >> self.shift;
        let end = ((at + 1) << self.shift) * self.interval_ps;
        (&mut self.values[at as usize * self.width..][..self.width], end)
    }

    /// Joins pairs of rows.
    fn halve(&mut self) {
        let (width, later_ps) = (self.width, self.interval_ps << self.shift);
        let rows = self.values.len() / width;
        for row in 0..rows {
            let (to, from) = (row / 2 * width, row * width);
            for column in 0..width {
                let value = self.values[from + column].clone();
                match row % 2 {
                    0 => self.values[to + column] = value,
                    _ => self.values[to + column].join(&value, later_ps),
                }
            }
        }
        if rows % 2 == 1 {
            let none = T::default();
            self.values[rows / 2 * width..][..width]
                .iter_mut()
                .for_each(|v| v.join(&none, later_ps));
        }
        self.values.truncate(rows.div_ceil(2) * width);
        self.shift += 1;
    }

    pub fn shift(&self) -> u32 {
        self.shift
    }

    /// Joins rows and adds rows until there is one for each of these intervals.
    pub fn fit(&mut self, intervals: &Intervals) {
        while self.shift < intervals.shift {
            self.halve();
        }
        self.values.resize(intervals.count() * self.width, T::default());
    }

    /// The rows in order; call [`PerInterval::fit`] before.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.values.chunks_exact(self.width)
    }
}

/// The intervals of a run that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Intervals {
    pub interval_ps: Time,
    pub shift: u32,
    pub end: Time,
}

/// One interval; the last one ends with the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    pub start: Time,
    pub end: Time,
    /// How many intervals of the requested length it consists of.
    pub parts: u64,
}

impl Intervals {
    /// Joins intervals until there are few enough; `shift` is how often rows have been joined already.
    pub fn new(interval_ps: Time, shift: u32, end: Time) -> Self {
        let mut intervals = Self { interval_ps, shift, end };
        while intervals.count() > MOST_INTERVALS {
            intervals.shift += 1;
        }
        intervals
    }

    fn length(&self) -> Time {
        self.interval_ps << self.shift
    }

    pub fn count(&self) -> usize {
        self.end.div_ceil(self.length()) as usize
    }

    pub fn iter(&self) -> impl Iterator<Item = Interval> + '_ {
        let length = self.length();
        (0..self.count() as u64).map(move |number| {
            let (start, end) = (number * length, ((number + 1) * length).min(self.end));
            Interval { start, end, parts: (end - start).div_ceil(self.interval_ps) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_joins_neighbours_and_keeps_sums() {
        let mut sums = PerInterval::<u64>::with_limit(10, 2, 4);
        for number in 0..11 {
            sums.row(number)[0] += 1;
            sums.row(number)[1] += number;
        }
        assert_eq!(sums.shift(), 2);
        let rows: Vec<_> = sums.rows().map(<[u64]>::to_vec).collect();
        assert_eq!(rows, [[4, 1 + 2 + 3], [4, 4 + 5 + 6 + 7], [3, 8 + 9 + 10]]);
        assert_eq!(sums.row_and_end(9).1, 120);
    }

    #[test]
    fn numbers_are_quotients_in_any_order() {
        let mut numbers = Numbers::new(10);
        for at in [0, 9, 10, 35, 34, 29, 30, 5, 1000] {
            assert_eq!(numbers.of(at), at / 10);
            assert_eq!(numbers.start(), at / 10 * 10);
        }
    }

    #[test]
    fn the_last_interval_ends_with_the_run() {
        let intervals = Intervals { interval_ps: 10, shift: 1, end: 45 };
        let all: Vec<_> = intervals.iter().map(|i| (i.start, i.end, i.parts)).collect();
        assert_eq!(all, [(0, 20, 2), (20, 40, 2), (40, 45, 1)]);
    }

    #[test]
    fn a_run_without_time_has_no_intervals() {
        assert_eq!(Intervals::new(10, 0, 0).iter().count(), 0);
    }
}
