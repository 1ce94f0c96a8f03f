//! Ranks as stackful coroutines of one thread. A switch takes a dozen instructions and no system call.

#![expect(unsafe_code, reason = "stacks and switches of coroutines")]

mod arena;
mod running;
mod threads;

pub use arena::guard_at;
pub use running::{
    Running, computes, current, end, guards, last, last_address, last_call, leave_thread, moves,
    note_call, note_return, note_thread, rank_of, running, steps, suspend,
};
pub use threads::Start;

use arena::{Arena, Slot};
use corosensei::{Coroutine, CoroutineResult};
use running::Pause;
use std::rc::Rc;
use threads::Threads;

/// What a rank did when it gave control back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It called [`suspend`].
    Blocked,
    /// Its program returned this code, or left with it; it must not be resumed again.
    Ended(i32),
    /// A thread that is not the rank's first has returned; it must not be resumed again.
    ThreadEnded,
    /// It used more stack than it has, so it may have overwritten memory of others.
    Overflowed,
}

/// Memory of which every rank has its own copy, such as the globals of a C program.
pub trait PrivateMemory {
    /// Called before `rank` runs; `before` ran last.
    fn exchange(&mut self, before: Option<u32>, rank: u32);
    /// Gives `rank` the memory that it had before it began; `running` ran last.
    fn renew(&mut self, rank: u32, running: Option<u32>);
    /// Where the byte that `rank` sees at `address` lies while the memory of `running` is in place.
    fn translate(&self, rank: u32, address: *mut u8, running: Option<u32>) -> *mut u8;
    /// What the thread in place has for itself, while the memory of `rank` is in place.
    fn locals(&self, rank: u32) -> Box<[u8]>;
    /// Puts that of another thread of `rank` in place; `None` is that of a thread that begins.
    fn set_locals(&self, rank: u32, locals: Option<&[u8]>);
}

type Body = Rc<dyn Fn(u32) -> i32>;
type Rank = Coroutine<(), Pause, i32, Slot>;

/// All ranks of one run of a program.
pub struct Ranks {
    // Before the arena: fields are dropped in this order.
    ranks: Vec<Option<Rank>>,
    threads: Threads,
    stack_bytes: usize,
    calls: Vec<&'static str>,
    body: Body,
    memory: Option<Box<dyn PrivateMemory>>,
    last: Option<u32>,
    switches: u64,
    arena: Arena,
}

impl Ranks {
    /// `count` ranks that will run `body(rank)` on stacks of `stack_bytes`. None begins yet.
    pub fn new(
        body: impl Fn(u32) -> i32 + 'static,
        count: u32,
        stack_bytes: usize,
    ) -> Result<Self, String> {
        Ok(Self {
            ranks: std::iter::repeat_with(|| None).take(count as usize).collect(),
            threads: Threads::default(),
            stack_bytes,
            calls: vec![""; count as usize],
            body: Rc::new(body),
            memory: None,
            last: None,
            switches: 0,
            arena: Arena::new(count, stack_bytes)?,
        })
    }

    /// Exchanges `memory` whenever another rank runs.
    pub fn with_memory(mut self, memory: Box<dyn PrivateMemory>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Runs a rank until it suspends itself or ends. The first call begins it.
    pub fn resume(&mut self, rank: u32) -> Step {
        let place = rank as usize;
        self.put_in_place(rank, 0);
        let is_threaded = !self.threads.are_none() && self.threads.has(rank);
        let coroutine = match &mut self.ranks[place] {
            Some(coroutine) => coroutine,
            empty => empty.insert(begin(self.arena.stack(rank), Rc::clone(&self.body), rank)),
        };
        self.switches += 1;
        running::enter(Running { rank, thread: 0, is_threaded }, &mut self.calls[place], 0);
        let result = coroutine.resume(());
        running::leave();
        if self.arena.is_overflown(rank) {
            return Step::Overflowed;
        }
        match result {
            CoroutineResult::Yield(Pause::Waits | Pause::Leaves) => Step::Blocked,
            CoroutineResult::Yield(Pause::Ends(code)) | CoroutineResult::Return(code) => {
                self.threads.end_all(rank);
                Step::Ended(code)
            }
        }
    }

    /// Gives a rank a thread of this number, which is not 0. It begins when it is resumed.
    ///
    /// # Errors
    /// When there is no room for its stack.
    pub fn begin_thread(&mut self, rank: u32, thread: u32, start: Start) -> Result<(), String> {
        let stack_bytes = if start.stack_bytes > 0 { start.stack_bytes } else { self.stack_bytes };
        self.threads.begin(rank, thread, Start { stack_bytes, ..start })
    }

    /// Runs a thread of a rank, as [`resume`](Self::resume) runs its first.
    ///
    /// # Panics
    /// When the rank has no such thread.
    #[inline]
    pub fn resume_thread(&mut self, rank: u32, thread: u32) -> Step {
        match thread {
            0 => self.resume(rank),
            _ => self.resume_other(rank, thread),
        }
    }

    fn resume_other(&mut self, rank: u32, thread: u32) -> Step {
        self.put_in_place(rank, thread);
        let (coroutine, guard) = self.threads.of(rank, thread).expect("a thread that has begun");
        self.switches += 1;
        let place = Running { rank, thread, is_threaded: true };
        running::enter(place, &mut self.calls[rank as usize], guard);
        let result = coroutine.resume(());
        running::leave();
        match result {
            CoroutineResult::Yield(Pause::Waits) => Step::Blocked,
            CoroutineResult::Yield(Pause::Ends(code)) => {
                self.threads.end_all(rank);
                Step::Ended(code)
            }
            CoroutineResult::Yield(Pause::Leaves) | CoroutineResult::Return(()) => {
                self.threads.end(rank, thread);
                Step::ThreadEnded
            }
        }
    }

    /// Puts the memory of a rank and of its thread in place.
    #[inline]
    fn put_in_place(&mut self, rank: u32, thread: u32) {
        if self.last != Some(rank) {
            if let Some(memory) = &mut self.memory {
                memory.exchange(self.last, rank);
            }
            self.last = Some(rank);
        }
        if !self.threads.are_none() {
            self.put_thread_in_place(rank, thread);
        }
    }

    #[cold]
    fn put_thread_in_place(&mut self, rank: u32, thread: u32) {
        if let Some(memory) = self.memory.as_deref().filter(|_| self.threads.keeps(rank)) {
            self.threads.put_in_place(rank, thread, memory);
        }
    }

    /// Lets a rank that has ended begin again, as if it had never run.
    pub fn renew(&mut self, rank: u32) {
        if let Some(mut ended) = self.ranks[rank as usize].take() {
            // SAFETY: as in `drop`.
            unsafe { ended.force_reset() };
        }
        self.threads.end_all(rank);
        self.calls[rank as usize] = "";
        if let Some(memory) = &mut self.memory {
            memory.renew(rank, self.last);
        }
    }

    /// How often a rank was resumed.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// The last call that a rank noted.
    pub fn last_call(&self, rank: u32) -> &'static str {
        self.calls[rank as usize]
    }

    /// Where the memory lies that `rank` sees at `address`: its globals lie elsewhere while another rank
    /// runs. The result is valid until the next switch.
    #[inline]
    pub fn translate(&self, rank: u32, address: *mut u8) -> *mut u8 {
        match &self.memory {
            Some(memory) => memory.translate(rank, address, self.last),
            None => address,
        }
    }
}

fn begin(stack: Slot, body: Body, rank: u32) -> Rank {
    Coroutine::with_stack(stack, move |switch, ()| {
        running::begin(switch);
        body(rank)
    })
}

impl Drop for Ranks {
    fn drop(&mut self) {
        for rank in self.ranks.iter_mut().flatten() {
            // SAFETY: C frames own nothing that Rust would have to drop, and cannot be unwound. The
            // body's own frames hold numbers and a reference, which may leak.
            unsafe { rank.force_reset() };
        }
    }
}
