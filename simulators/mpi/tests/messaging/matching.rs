//! Which message a receive gets.

use crate::wire::LATENCY;
use crate::world::{ANY, ANY_TAG, Calls, INT, PROC_NULL, WORLD, world};
use std::cell::RefCell;
use std::ptr::null_mut;
use std::rc::Rc;

/// Runs a program on three ranks that notes numbers.
fn noted(program: impl Fn(&Calls, &mut Vec<i32>) + 'static) -> Vec<i32> {
    let notes = Rc::new(RefCell::new(vec![]));
    let kept = Rc::clone(&notes);
    let run = world(3).run(move |c| {
        let mut mine = vec![];
        program(c, &mut mine);
        notes.borrow_mut().extend(mine);
    });
    run.unwrap();
    Rc::try_unwrap(kept).unwrap_or_default().into_inner()
}

#[test]
fn messages_of_one_sender_and_tag_do_not_overtake() {
    let heard = noted(|c, notes| match c.rank {
        0 => (0..5).for_each(|value| c.send_number(value, 1, 3)),
        1 => (0..5).for_each(|_| notes.push(c.receive_number(0, 3))),
        _ => {}
    });
    assert_eq!(heard, [0, 1, 2, 3, 4]);
}

#[test]
fn tags_choose_among_messages_that_wait() {
    let heard = noted(|c, notes| match c.rank {
        0 => (0..3).for_each(|tag| c.send_number(10 + tag, 1, tag)),
        1 => {
            c.compute(100 * LATENCY);
            [2, 0, 1].into_iter().for_each(|tag| notes.push(c.receive_number(0, tag)));
        }
        _ => {}
    });
    assert_eq!(heard, [12, 10, 11]);
}

#[test]
fn any_source_takes_the_first_that_arrives() {
    let heard = noted(|c, notes| match c.rank {
        0 => {
            notes.push(c.recv(8, ANY, 0).source);
            notes.push(c.recv(8, ANY, 0).source);
        }
        rank => {
            c.compute(LATENCY * (3 - rank as u64));
            c.send(8, 0, 0);
        }
    });
    assert_eq!(heard, [2, 1]);
}

#[test]
fn posted_receives_match_in_their_order_also_with_wildcards() {
    let heard = noted(|c, notes| match c.rank {
        0 => {
            let any = c.irecv(8, ANY, ANY_TAG);
            let exact = c.irecv(8, 1, 5);
            notes.push(c.wait(any).bytes as i32);
            notes.push(c.wait(exact).bytes as i32);
        }
        1 => {
            c.send(1, 0, 5);
            c.send(2, 0, 5);
        }
        _ => {}
    });
    assert_eq!(heard, [1, 2]);
}

/// The receive is posted by the rank's clock after the second message has arrived: the first one
/// is still what it gets.
#[test]
fn a_receive_posted_ahead_of_time_takes_the_first_message() {
    let heard = noted(|c, notes| match c.rank {
        0 => {
            let send = c.isend(0, 2, 0);
            c.compute(50 * LATENCY);
            let request = c.irecv(8, ANY, ANY_TAG);
            notes.push(c.wait(request).source);
            notes.push((c.time() / LATENCY) as i32);
            c.wait(send);
            c.recv(8, ANY, ANY_TAG);
        }
        1 => {
            c.compute(10 * LATENCY);
            c.send(8, 0, 0);
        }
        _ => {
            c.recv(0, 0, 0);
            c.send(8, 0, 0);
        }
    });
    assert_eq!(heard, [2, 50]);
}

#[test]
fn rendezvous_and_eager_messages_keep_their_order() {
    let heard = noted(|c, notes| match c.rank {
        0 => {
            let requests = [c.isend(100_000, 1, 0), c.isend(8, 1, 0), c.isend(50_000, 1, 0)];
            requests.into_iter().for_each(|request| _ = c.wait(request));
        }
        1 => (0..3).for_each(|_| notes.push(c.recv(100_000, 0, 0).bytes as i32)),
        _ => {}
    });
    assert_eq!(heard, [100_000, 8, 50_000]);
}

#[test]
fn nobody_sends_nothing_at_once() {
    let heard = noted(|c, notes| {
        c.send(100, PROC_NULL, 0);
        let status = c.recv(100, PROC_NULL, 0);
        notes.extend([status.source, status.tag, status.bytes as i32, c.time() as i32]);
    });
    assert_eq!(heard[..4], [PROC_NULL, ANY_TAG, 0, 0]);
}

#[test]
fn messages_of_the_library_meet_no_call_of_the_program() {
    let hidden = WORLD | 0x4000_0000;
    let send = |c: &Calls, value: i32, comm| {
        let buffer: *const i32 = &value;
        (c.host.send)(buffer.cast(), 1, INT, 1, 4, comm);
    };
    let receive = |c: &Calls, tag, comm| {
        let mut value = -1;
        let buffer: *mut i32 = &mut value;
        (c.host.recv)(buffer.cast(), 1, INT, ANY, tag, comm, null_mut());
        value
    };
    let heard = noted(move |c, notes| match c.rank {
        0 => {
            send(c, 1, hidden);
            send(c, 2, WORLD);
            send(c, 3, WORLD);
        }
        1 => {
            c.compute(10 * LATENCY);
            notes.push(receive(c, ANY_TAG, WORLD));
            notes.push(receive(c, 4, hidden));
            notes.push(receive(c, 4, WORLD));
        }
        _ => {}
    });
    assert_eq!(heard, [2, 1, 3]);
}

#[test]
fn a_probe_waits_for_a_message_and_leaves_it() {
    let heard = noted(|c, notes| match c.rank {
        0 => {
            c.compute(3 * LATENCY);
            c.send_number(42, 1, 6);
        }
        1 => {
            let mut status = Default::default();
            (c.host.probe)(ANY, ANY_TAG, WORLD, &mut status);
            notes.extend([status.source, status.tag, status.bytes as i32]);
            notes.push(c.receive_number(0, 6));
        }
        _ => {}
    });
    assert_eq!(heard, [0, 6, 4, 42]);
}

#[test]
fn an_immediate_probe_sees_what_has_arrived_by_the_ranks_clock() {
    let heard = noted(|c, notes| match c.rank {
        0 => c.send(0, 1, 6),
        1 => {
            for _ in 0..3 {
                let mut found = 0;
                (c.host.iprobe)(0, 6, WORLD, &mut found, null_mut());
                notes.push(found);
                c.compute(LATENCY * 2 / 3);
            }
            c.recv(0, 0, 6);
        }
        _ => {}
    });
    assert_eq!(heard, [0, 0, 1]);
}

#[test]
fn a_loop_of_probes_takes_no_time_of_its_own() {
    let heard = noted(|c, notes| match c.rank {
        0 => c.send(0, 1, 6),
        1 => {
            let mut found = 0;
            while found == 0 {
                (c.host.iprobe)(0, 6, WORLD, &mut found, null_mut());
            }
            notes.push((c.time() / LATENCY) as i32);
            c.recv(0, 0, 6);
        }
        _ => {}
    });
    assert_eq!(heard, [1]);
}
