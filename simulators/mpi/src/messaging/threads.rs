//! Threads of a rank. One of them is in place: the one that runs, or that something happens to.
//!
//! Threads of a rank see the same memory. So a call of one of several threads begins when the simulated
//! time has reached its clock: what threads do to each other happens in the order of their times.

use super::machine::Machine;
use super::rank::Rank;
use super::thread::{Thread, Waiting};
use crate::observer::Observer;
use crate::time::Time;
use crate::transport::Transport;
use ranks::Start;

impl Rank {
    #[inline]
    fn put_in_place(&mut self, number: u32) {
        if self.thread.number != number {
            self.exchange(number);
        }
    }

    #[cold]
    fn exchange(&mut self, number: u32) {
        if let Some(other) = self.others.iter_mut().find(|other| other.number == number) {
            std::mem::swap(&mut self.thread, other);
        }
    }

    /// All its threads, by their numbers.
    pub(super) fn threads(&self) -> Vec<&Thread> {
        let mut all: Vec<&Thread> = self.others.iter().chain([&self.thread]).collect();
        all.sort_by_key(|thread| thread.number);
        all
    }

    #[cold]
    fn numbers(&self) -> Vec<u32> {
        self.threads().iter().map(|thread| thread.number).collect()
    }

    /// Whether other threads share its memory, so that a call has its place among theirs. Calls that a
    /// collective makes follow each other without a break.
    #[inline]
    pub fn meets_others(&self) -> bool {
        !self.others.is_empty() && self.thread.collective.is_empty()
    }

    /// The thread in place begins to wait, or ends to do so.
    #[inline]
    pub(super) fn change_wait(&mut self, waiting: Waiting) {
        self.waits = self.waits.wrapping_add(1);
        (self.thread.waiting, self.thread.wait) = (waiting, self.waits);
    }
}

impl<T: Transport, O: Observer> Machine<T, O> {
    /// The thread of a rank that is in place.
    #[inline]
    pub fn thread(&self, rank: u32) -> u32 {
        self.ranks[rank as usize].thread.number
    }

    #[inline]
    pub(super) fn put_in_place(&mut self, rank: u32, thread: u32) {
        self.ranks[rank as usize].put_in_place(thread);
    }

    /// Lets something happen to each thread of a rank. Then the thread is in place that was before.
    ///
    /// `happen` stands here once, so that the compiler puts it in place: most ranks have one thread, and
    /// must not pay for threads.
    #[inline]
    pub(super) fn for_threads(&mut self, rank: u32, mut happen: impl FnMut(&mut Self)) {
        let state = &self.ranks[rank as usize];
        let before = state.thread.number;
        let numbers = if state.others.is_empty() { vec![] } else { state.numbers() };
        let mut left = numbers.iter();
        let mut number = left.next();
        loop {
            if let Some(&number) = number {
                self.put_in_place(rank, number);
            }
            happen(self);
            number = left.next();
            if number.is_none() {
                break;
            }
        }
        self.put_in_place(rank, before);
    }

    /// Puts the thread in place that waits so, if there is one.
    pub(super) fn find_waiting(&mut self, rank: u32, waiting: Waiting) {
        let state = &mut self.ranks[rank as usize];
        if let Some(found) = state.others.iter().find(|other| other.waiting == waiting) {
            state.put_in_place(found.number);
        }
    }

    /// Lets the threads of a rank go on now that are so.
    pub(super) fn wake_if(&mut self, rank: u32, is_so: impl Fn(&Thread) -> bool) {
        self.for_threads(rank, |machine| {
            if is_so(&machine.ranks[rank as usize]) {
                machine.wake(rank, machine.now);
            }
        });
    }

    /// Begins a thread of a running rank, and returns its number.
    pub(crate) fn begin_thread(&mut self, rank: u32, start: Start) -> u32 {
        let state = &mut self.ranks[rank as usize];
        state.begun += 1;
        let number = state.begun;
        let begun = Thread { number, start: Some(start), clock: state.clock, ..Thread::default() };
        state.others.push(begun);
        self.ready.push_back((rank, number));
        number
    }

    /// The thread in place has ended, which is not the first of its rank.
    pub(crate) fn end_thread(&mut self, rank: u32) {
        let clock = self.clock(rank);
        let state = &mut self.ranks[rank as usize];
        if let Some(other) = state.others.pop() {
            state.thread = other;
        }
        self.let_others_look(rank, clock);
    }

    /// A rank has ended, and with it all threads but the one in place.
    pub(crate) fn end_threads(&mut self, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        state.begun = 0;
        state.thread.number = 0;
        if !state.others.is_empty() {
            state.others.clear();
            self.ready.retain(|&(other, _)| other != rank);
        }
    }

    /// A thread has run until the time `at`. Others may see what it did to their memory, if they look
    /// again and again.
    pub(crate) fn let_others_look(&mut self, rank: u32, at: Time) {
        self.for_threads(rank, |machine| {
            if machine.ranks[rank as usize].waiting == Waiting::Change {
                machine.wake_at(rank, at);
            }
        });
    }

    /// The same for the thread in place, which was suspended. One that only looks itself has done nothing.
    #[inline]
    pub(crate) fn has_run(&mut self, rank: u32) {
        let state = &self.ranks[rank as usize];
        if !state.others.is_empty() && state.waiting != Waiting::Change {
            let clock = state.clock;
            self.let_others_look(rank, clock);
        }
    }

    /// Suspends the running thread until another one wakes it at this place, or for so long at most.
    pub(crate) fn wait_for_thread(&mut self, rank: u32, place: usize, most: Option<Time>) {
        self.suspend(rank, Waiting::Thread(place));
        let state = &mut self.ranks[rank as usize];
        state.is_woken = false;
        if let Some(most) = most {
            let at = state.clock.saturating_add(most);
            self.wake_at(rank, at);
        }
    }

    /// Wakes so many threads at most that wait at this place, those that wait longest first. Returns the
    /// last of them.
    pub(crate) fn wake_threads(&mut self, rank: u32, place: usize, count: usize) -> Option<u32> {
        let state = &self.ranks[rank as usize];
        let (before, clock) = (state.thread.number, state.clock);
        let waits = |thread: &&Thread| thread.waiting == Waiting::Thread(place);
        let mut waiting: Vec<(u32, u32)> =
            state.others.iter().filter(waits).map(|thread| (thread.wait, thread.number)).collect();
        waiting.sort_unstable();
        waiting.truncate(count);
        for &(_, number) in &waiting {
            self.put_in_place(rank, number);
            self.ranks[rank as usize].is_woken = true;
            self.wake(rank, clock);
        }
        self.put_in_place(rank, before);
        waiting.last().map(|&(_, number)| number)
    }
}
