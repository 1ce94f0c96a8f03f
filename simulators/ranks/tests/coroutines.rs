//! Coroutines as ranks: order, codes, what is noted, and memory at many ranks.

#![expect(unsafe_code, reason = "a thread gets an address")]

use ranks::{self, PrivateMemory, Ranks, Start, Step};
use std::cell::RefCell;
use std::rc::Rc;

fn resident_bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

#[test]
fn ranks_go_on_where_they_suspended() {
    let seen = Rc::new(RefCell::new(vec![]));
    let log = Rc::clone(&seen);
    let body = move |rank| {
        log.borrow_mut().push((rank, 'a'));
        ranks::suspend();
        log.borrow_mut().push((rank, 'b'));
        rank as i32 + 10
    };
    let mut ranks = Ranks::new(body, 2, 65_536).unwrap();
    let steps = [0, 1, 1, 0].map(|rank| ranks.resume(rank));
    assert_eq!(steps, [Step::Blocked, Step::Blocked, Step::Ended(11), Step::Ended(10)]);
    assert_eq!(*seen.borrow(), [(0, 'a'), (1, 'a'), (1, 'b'), (0, 'b')]);
    assert_eq!(ranks.switches(), 4);
}

#[test]
fn the_running_rank_and_its_last_call_are_known() {
    let body = |rank| {
        assert_eq!(ranks::current(), Some(rank));
        assert_eq!(ranks::last_call(), "");
        ranks::note_call("MGEN_Recv", 0);
        ranks::suspend();
        assert_eq!(ranks::current(), Some(rank));
        assert_eq!(ranks::last_call(), "MGEN_Recv");
        0
    };
    let mut ranks = Ranks::new(body, 2, 65_536).unwrap();
    for rank in [0, 1, 0] {
        ranks.resume(rank);
        assert_eq!(ranks::current(), None);
    }
    assert_eq!((ranks.last_call(0), ranks.last_call(1)), ("MGEN_Recv", "MGEN_Recv"));
}

/// A kernel page per rank and what the list of ranks needs; a second page is for deeper programs.
#[test]
fn sixteen_thousand_ranks_take_a_few_kibibytes_each() {
    let count = 16_384;
    let before = resident_bytes();
    let body = |_| {
        ranks::suspend();
        0
    };
    let mut ranks = Ranks::new(body, count, 1 << 20).unwrap();
    for rank in 0..count {
        ranks.resume(rank);
    }
    let each = (resident_bytes() - before) / u64::from(count);
    assert!(each < 6 * 1024, "{each} B per rank");
}

type Exchanges = Rc<RefCell<Vec<(Option<u32>, u32)>>>;

struct Notes(Exchanges);

impl PrivateMemory for Notes {
    fn exchange(&mut self, before: Option<u32>, rank: u32) {
        self.0.borrow_mut().push((before, rank));
    }

    fn renew(&mut self, _: u32, _: Option<u32>) {}

    fn translate(&self, _: u32, address: *mut u8, _: Option<u32>) -> *mut u8 {
        address
    }

    fn locals(&self, _: u32) -> Box<[u8]> {
        Box::default()
    }

    fn set_locals(&self, _: u32, _: Option<&[u8]>) {}
}

#[test]
fn memory_is_exchanged_only_when_another_rank_runs() {
    let seen = Rc::new(RefCell::new(vec![]));
    let body = |_| loop {
        ranks::suspend();
    };
    let ranks = Ranks::new(body, 2, 65_536).unwrap();
    let mut ranks = ranks.with_memory(Box::new(Notes(Rc::clone(&seen))));
    for rank in [0, 0, 1, 1, 0] {
        ranks.resume(rank);
    }
    assert_eq!(*seen.borrow(), [(None, 0), (Some(0), 1), (Some(1), 0)]);
}

unsafe extern "C" fn step_twice(seen: *mut std::ffi::c_void) {
    // SAFETY: the test passes the address of this number, which outlives the thread.
    let seen = unsafe { &*seen.cast::<std::cell::Cell<u32>>() };
    seen.set(seen.get() + 1);
    ranks::suspend();
    seen.set(seen.get() + 10);
}

#[test]
fn threads_of_a_rank_run_beside_it_and_end_with_it() {
    let body = |_| {
        ranks::suspend();
        5
    };
    let seen = std::cell::Cell::new(0);
    let argument = std::ptr::from_ref(&seen).cast_mut().cast();
    let mut ranks = Ranks::new(body, 1, 65_536).unwrap();
    assert_eq!(ranks.resume(0), Step::Blocked);
    for thread in [1, 2] {
        let start = Start { run: step_twice, argument, stack_bytes: 0 };
        ranks.begin_thread(0, thread, start).unwrap();
        assert_eq!(ranks.resume_thread(0, thread), Step::Blocked);
    }
    assert_eq!(ranks.resume_thread(0, 2), Step::ThreadEnded);
    assert_eq!((seen.get(), ranks.resume(0)), (12, Step::Ended(5)));
}
