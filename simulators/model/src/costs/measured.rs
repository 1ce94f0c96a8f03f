//! The models 1 to 4 of Yamada, Fukuma and Mori (2020): one way and both ways cost differently, and
//! a byte takes as long as in a message of some size.

use super::{Pace, Parameters};
use crate::schedule::{Step, Way};

impl Parameters {
    /// Model 1 (Table 2): both ways are as fast as one.
    pub(super) fn constant(&self, step: &Step) -> f64 {
        self.step(step, Pace { one_way: self.byte_s, two_way: self.byte_s }, 1.0)
    }

    /// Model 2 (Table 2).
    pub(super) fn of_the_whole(&self, step: &Step, whole_bytes: u64) -> f64 {
        self.step(step, self.curve.at(whole_bytes as f64), 1.0)
    }

    /// Model 3 (Table 3).
    pub(super) fn by_size(&self, step: &Step, whole_bytes: u64) -> f64 {
        self.step(step, self.pace_of(step, whole_bytes), 1.0)
    }

    /// Model 4: Table 3 with all M and all S multiplied.
    pub(super) fn corrected(&self, step: &Step, whole_bytes: u64) -> f64 {
        let Pace { one_way, two_way } = self.pace_of(step, whole_bytes);
        let pace =
            Pace { one_way: one_way * self.byte_factor, two_way: two_way * self.byte_factor };
        self.step(step, pace, self.message_factor)
    }

    /// M of the whole message, M' of its half, or M'' of its quarter and of all that is smaller.
    fn pace_of(&self, step: &Step, whole_bytes: u64) -> Pace {
        let whole = whole_bytes as f64;
        self.curve.at(match step.bytes {
            bytes if bytes >= whole_bytes => whole,
            bytes if bytes >= whole_bytes / 2 => whole / 2.0,
            _ => whole / 4.0,
        })
    }

    /// A rank cannot send to one and receive from another at once, so a shift is two steps.
    fn step(&self, step: &Step, pace: Pace, messages: f64) -> f64 {
        let bytes = step.bytes as f64;
        let one_way = messages * self.one_way_start_s;
        match step.way {
            Way::Send | Way::Deal => one_way + bytes * pace.one_way,
            Way::Exchange => messages * self.two_way_start_s + bytes * pace.two_way,
            Way::Shift => 2.0 * (one_way + bytes * pace.one_way),
            Way::Burst(count) | Way::Crossing(count) => {
                one_way + count as f64 * bytes * pace.one_way
            }
            Way::SetUp => one_way,
        }
    }
}
