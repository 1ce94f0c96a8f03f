//! Wrong programs, and the errors about them.

use crate::world::{BYTE, Calls, PROC_NULL, WORLD, world};
use std::ops::Range;
use std::ptr::{null, null_mut};

/// `MGEN_TAG_UB`.
const TAG_UB: i32 = i32::MAX;

fn refused(program: impl Fn(&Calls) + 'static, text: &str) {
    let error = world(4).error(program);
    assert_eq!(error, text);
}

#[test]
fn ranks_that_do_not_exist() {
    refused(
        |c| c.send(8, 4 + c.rank, 0),
        "rank 0: MGEN_Send: rank 4 does not exist: MGEN_COMM_WORLD has ranks 0 to 3",
    );
    refused(
        |c| _ = c.irecv(8, -7, 0),
        "rank 0: MGEN_Irecv: rank -7 does not exist: MGEN_COMM_WORLD has ranks 0 to 3",
    );
    refused(
        |c| _ = (c.host.rdma_put)(9, 8, 0),
        "rank 0: MGEN_rdma_put: rank 9 does not exist: MGEN_COMM_WORLD has ranks 0 to 3",
    );
}

#[test]
fn a_negative_count() {
    refused(|c| c.send(-1, 1, 0), "rank 0: MGEN_Send: count -1 is negative");
}

#[test]
fn a_tag_that_no_message_may_have() {
    for tag in [-9, -(1 << 30) - 3, i32::MIN] {
        let of = |call| {
            format!("rank 0: {call}: a message cannot have tag {tag}; tags go from 0 to {TAG_UB}")
        };
        refused(move |c| c.send(1, 1, tag), &of("MGEN_Send"));
        refused(move |c| _ = c.recv(1, 1, tag), &of("MGEN_Recv"));
        refused(move |c| _ = c.isend(1, PROC_NULL, tag), &of("MGEN_Isend"));
    }
}

#[test]
fn unknown_handles() {
    refused(
        |c| _ = (c.host.send)(null(), 1, 77, 1, 0, WORLD),
        "rank 0: MGEN_Send: 77 is not a datatype",
    );
    refused(
        |c| _ = (c.host.send)(null(), 1, BYTE, 1, 0, 55),
        "rank 0: MGEN_Send: 55 is not a communicator",
    );
    refused(|c| _ = c.wait(12345), "rank 0: MGEN_Wait: 12345 is not a request");
    refused(
        |c| (c.host.rdma_complete)(6),
        "rank 0: MGEN_rdma_complete: 6 is not a handle of a put or get",
    );
}

#[test]
fn messages_that_no_rank_receives_are_reported_at_the_end() {
    let left = |count: i32, cut: &[Range<u32>]| {
        let program = move |c: &Calls| {
            (0..count * i32::from(c.rank == 2)).for_each(|tag| c.send(8, 1, 5 + tag));
        };
        world(4).run(program).unwrap().1.unreceived(cut)
    };
    let unreceived = |count: i32| left(count, &[]);
    assert_eq!(unreceived(0), None);
    let first = "8 B from rank 2 to rank 1 with tag 5";
    assert_eq!(unreceived(1), Some(format!("a message was never received: {first}")));
    let several = format!("20 messages were never received, the first of them {first}");
    assert_eq!(unreceived(20), Some(several.clone()));
    assert_eq!(left(20, &[0..1, 2..4]), Some(several));
    assert_eq!(left(20, &[0..1, 1..2]), None);
}

#[test]
fn a_message_that_does_not_fit() {
    refused(
        |c| match c.rank {
            2 => c.send(100, 3, 5),
            3 => _ = c.recv(10, 2, 5),
            _ => {}
        },
        "rank 3: MGEN_Recv: the message of 100 B from rank 2 with tag 5 does not fit in 10 B",
    );
}

#[test]
fn a_request_that_is_completed_twice() {
    let error = world(2).error(|c| match c.rank {
        0 => {
            let request = c.isend(8, 1, 0);
            c.wait(request);
            c.wait(request);
        }
        _ => _ = c.recv(8, 0, 0),
    });
    let end = "is complete already, or was never made";
    assert!(error.starts_with("rank 0: MGEN_Wait: request ") && error.ends_with(end), "{error}");
}

#[test]
fn a_put_that_is_completed_twice() {
    let error = world(2).error(|c| {
        let handle = (c.host.rdma_put)(1 - c.rank, 8, 0);
        (c.host.rdma_complete)(handle);
        (c.host.rdma_complete)(handle);
    });
    assert_eq!(error, "rank 0: MGEN_rdma_complete: handle 1 is complete already");
}

#[test]
fn a_communicator_that_was_freed() {
    refused(
        |c| {
            let mut copy = 0;
            (c.host.comm_dup)(WORLD, &mut copy);
            let used = copy;
            (c.host.comm_free)(&mut copy);
            (c.host.send)(null(), 0, BYTE, 0, 0, used);
        },
        "rank 3: MGEN_Send: communicator 3 was freed",
    );
}

#[test]
fn data_outside_of_the_exposed_memory() {
    refused(
        |c| _ = (c.host.rdma_put_data)(1, null(), 8, 60, 0),
        "rank 0: MGEN_rdma_put_data: 8 B at offset 60 are not within the 0 B that rank 1 exposes",
    );
}

#[test]
fn unlike_collectives() {
    refused(
        |c| (c.host.enter)(c"MGEN_Bcast".as_ptr(), WORLD, i32::from(c.rank > 1)),
        "rank 2: MGEN_Bcast: rank 0 of MGEN_COMM_WORLD calls MGEN_Bcast with root 0 instead of \
         MGEN_Bcast with root 1",
    );
}

#[test]
fn an_abort() {
    refused(
        |c| _ = (c.host.abort)(WORLD, 3),
        "rank 0: MGEN_Abort: the program ended itself with code 3",
    );
}

#[test]
fn a_loop_that_asks_for_the_time_forever() {
    refused(
        |c| while c.time() != 1 {},
        "rank 0: MGEN_Wtime: asked for the time in a loop, for more than 1e6 s of simulated time",
    );
}

#[test]
fn a_loop_of_tests_that_nothing_ends() {
    refused(
        |c| {
            let mut request = c.irecv(8, (c.rank + 1) % 4, 7);
            while !c.test(&mut request) {}
        },
        "deadlock at 0 s: rank 0 waits in MGEN_Test for a change that never comes: it polls in a \
         loop; rank 1 waits in MGEN_Test for a change that never comes: it polls in a loop; rank 2 \
         waits in MGEN_Test for a change that never comes: it polls in a loop; rank 3 waits in \
         MGEN_Test for a change that never comes: it polls in a loop",
    );
}

#[test]
fn a_loop_of_tests_that_asks_for_the_time_and_never_ends() {
    let error = world(2).error(|c| {
        let mut request = c.irecv(8, 1 - c.rank, 7);
        while !c.test(&mut request) && c.time() != 1 {}
    });
    assert!(error.starts_with("deadlock at 0 s: rank 0 waits in MGEN_Test"), "{error}");
}

#[test]
fn receives_that_wait_for_each_other() {
    refused(
        |c| _ = c.recv(8, (c.rank + 1) % 4, 7),
        "deadlock at 0 s: rank 0 waits in MGEN_Recv for a message from rank 1 with tag 7 in \
         MGEN_COMM_WORLD; rank 1 waits in MGEN_Recv for a message from rank 2 with tag 7 in \
         MGEN_COMM_WORLD; rank 2 waits in MGEN_Recv for a message from rank 3 with tag 7 in \
         MGEN_COMM_WORLD; rank 3 waits in MGEN_Recv for a message from rank 0 with tag 7 in \
         MGEN_COMM_WORLD",
    );
}

#[test]
fn deadlocks_name_what_each_rank_waits_for() {
    let error = world(7).error(|c| match c.rank {
        0 => c.send(100_000, 1, 2),
        1 => (c.host.rdma_poll)(9),
        2 => _ = (c.host.probe)(-1, -2, WORLD, null_mut()),
        3 => _ = (c.host.comm_dup)(WORLD, &mut 0),
        _ => _ = c.recv(8, 0, 0),
    });
    assert_eq!(
        error,
        "deadlock at 1e-6 s: rank 0 waits in MGEN_Send for rank 1 to receive its message with tag \
         2 in MGEN_COMM_WORLD; rank 1 waits in MGEN_rdma_poll for a put with tag 9; rank 2 waits \
         in MGEN_Probe for a message from any rank with any tag in MGEN_COMM_WORLD; rank 3 waits \
         in MGEN_Comm_dup for 6 more ranks of MGEN_COMM_WORLD to call it; and 3 more ranks wait"
    );
}

#[test]
fn tests_without_end_are_a_deadlock() {
    let error = world(1).error(|c| {
        let mut request = c.irecv(8, 0, 0);
        while !c.test(&mut request) {}
    });
    assert!(error.starts_with("deadlock at 0 s: rank 0 waits in MGEN_Test for"), "{error}");
}
