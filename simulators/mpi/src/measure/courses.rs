//! What each rank does over time, in pieces that follow each other without a gap.

use crate::observer::{Call, Cause, Rest, Wait};
use crate::time::Time;

/// Most pieces and causes of a program: about 200 MB. Beyond them only sums are kept.
pub const MOST_PIECES: usize = 8_000_000;
const NONE: u32 = u32::MAX;

/// What a rank does, or what it waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Compute,
    /// Overheads and copies of its calls.
    Software,
    /// A message is under way.
    Network,
    /// Another rank has not called yet.
    Waiting,
}

/// All states with their names in tables.
pub const STATES: [(State, &str); 4] = [
    (State::Compute, "compute"),
    (State::Software, "software"),
    (State::Network, "network"),
    (State::Waiting, "waiting"),
];

/// From the end of the piece before to its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub end: Time,
    cause: u32,
    /// A place in the list of names.
    call: u16,
    pub state: State,
}

#[derive(Debug, Default)]
pub(super) struct Course {
    pub pieces: Vec<Piece>,
    causes: Vec<Cause>,
    until: Time,
    /// Time in each state.
    pub sums: [Time; STATES.len()],
    pub ended: Option<Time>,
}

/// A piece with its begin, its call and what ended it, if it is a part of a wait.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub from: Time,
    pub call: u16,
    pub state: State,
    pub cause: Option<Cause>,
}

/// All ranks of a program.
#[derive(Debug)]
pub struct Courses {
    pub(super) of_ranks: Vec<Course>,
    /// Calls; the first one stands for time between calls.
    pub(super) names: Vec<&'static str>,
    room: usize,
}

impl Courses {
    /// Keeps so many pieces and causes at most.
    pub fn new(ranks: usize, most: usize) -> Self {
        let of_ranks = (0..ranks).map(|_| Course::default()).collect();
        Self { of_ranks, names: vec![""], room: most }
    }

    /// Whether all pieces are there.
    pub fn is_whole(&self) -> bool {
        self.room > 0
    }

    /// Time that each rank has spent in a state.
    pub fn sums(&self, state: State) -> impl Iterator<Item = Time> {
        self.of_ranks.iter().map(move |course| course.sums[state as usize])
    }

    /// A call of the program has ended.
    pub fn call(&mut self, call: &Call) {
        let state = if call.name == "MGEN_Comp" { State::Compute } else { State::Software };
        let name = self.number(call.name);
        self.add(call.rank, call.start, 0, State::Compute, NONE);
        self.add(call.rank, call.end, name, state, NONE);
    }

    /// A wait has ended. Until its cause the rank waited for another one, then for the network.
    pub fn wait(&mut self, wait: &Wait) {
        let Wait { rank, start, from, until, cause, .. } = *wait;
        let name = self.number(wait.call);
        self.add(rank, start, 0, State::Compute, NONE);
        self.add(rank, from, name, State::Software, NONE);
        let Some(cause) = cause else { return self.add(rank, until, name, State::Waiting, NONE) };
        let course = &mut self.of_ranks[rank as usize];
        let mut place = NONE;
        if self.room > 0 {
            place = course.causes.len() as u32;
            course.causes.push(cause);
            self.room -= 1;
        }
        let begun = if cause.rank == rank { from } else { cause.at.clamp(from, until) };
        let rest = match cause.rest {
            Rest::Software => State::Software,
            Rest::Compute => State::Compute,
        };
        self.add(rank, begun, name, State::Waiting, place);
        self.add(rank, cause.ready.clamp(begun, until), name, State::Network, place);
        self.add(rank, until, name, rest, place);
    }

    /// A rank has ended.
    pub fn ended(&mut self, rank: u32, at: Time) {
        self.add(rank, at, 0, State::Compute, NONE);
        self.of_ranks[rank as usize].ended = Some(at);
    }

    fn number(&mut self, name: &'static str) -> u16 {
        let found = self.names.iter().position(|known| *known == name);
        found.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }) as u16
    }

    fn add(&mut self, rank: u32, end: Time, call: u16, state: State, cause: u32) {
        let course = &mut self.of_ranks[rank as usize];
        if end <= course.until {
            return;
        }
        course.sums[state as usize] += end - course.until;
        course.until = end;
        if self.room == 0 {
            return;
        }
        match course.pieces.last_mut() {
            Some(last)
                if (last.call, last.state, last.cause, cause) == (call, state, NONE, NONE) =>
            {
                last.end = end;
            }
            _ => {
                course.pieces.push(Piece { end, cause, call, state });
                self.room -= 1;
            }
        }
    }

    /// What a rank did before `at`, which is above 0.
    pub(super) fn before(&self, rank: u32, at: Time) -> Stretch {
        let Course { pieces, causes, .. } = &self.of_ranks[rank as usize];
        let place = pieces.partition_point(|piece| piece.end < at);
        let from = place.checked_sub(1).map_or(0, |before| pieces[before].end);
        // A job that others have cut is in a call that nobody has reported.
        let unknown = Piece { end: at, cause: NONE, call: 0, state: State::Waiting };
        let Piece { cause, call, state, .. } = pieces.get(place).copied().unwrap_or(unknown);
        Stretch { from, call, state, cause: causes.get(cause as usize).copied() }
    }
}
