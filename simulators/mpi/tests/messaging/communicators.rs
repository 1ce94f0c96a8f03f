//! Split, dup and free.

use crate::wire::LATENCY;
use crate::world::{ANY, Calls, INT, SELF, WORLD, world};
use std::ptr::null_mut;

fn split(c: &Calls, comm: i32, color: i32, key: i32) -> i32 {
    let mut made = -1;
    (c.host.comm_split)(comm, color, key, &mut made);
    made
}

fn place(c: &Calls, comm: i32) -> (i32, i32) {
    let (mut rank, mut size) = (-1, -1);
    (c.host.comm_rank)(comm, &mut rank);
    (c.host.comm_size)(comm, &mut size);
    (rank, size)
}

fn send_number(c: &Calls, value: i32, dest: i32, comm: i32) {
    let buffer: *const i32 = &value;
    (c.host.send)(buffer.cast(), 1, INT, dest, 0, comm);
}

fn receive_number(c: &Calls, source: i32, comm: i32) -> i32 {
    let mut value = -1;
    let buffer: *mut i32 = &mut value;
    (c.host.recv)(buffer.cast(), 1, INT, source, 0, comm, null_mut());
    value
}

#[test]
fn colors_make_groups_and_keys_their_order() {
    world(6).time(|c| {
        let made = split(c, WORLD, c.rank % 2, -c.rank);
        assert_eq!(place(c, made), (2 - c.rank / 2, 3));
    });
}

#[test]
fn an_undefined_color_makes_no_communicator() {
    world(2).time(|c| {
        let color = if c.rank == 0 { -32766 } else { 0 };
        let made = split(c, WORLD, color, 0);
        assert_eq!(made == 0, c.rank == 0);
    });
}

#[test]
fn members_of_a_group_name_each_other_by_their_places() {
    world(4).time(|c| {
        let made = split(c, WORLD, 0, 10 - c.rank);
        let (rank, size) = place(c, made);
        send_number(c, c.rank, (rank + 1) % size, made);
        assert_eq!(receive_number(c, (rank + 3) % size, made), 3 - (rank + 3) % size);
    });
}

#[test]
fn messages_of_communicators_are_kept_apart() {
    world(2).time(|c| {
        let mut copy = 0;
        (c.host.comm_dup)(WORLD, &mut copy);
        if c.rank == 0 {
            send_number(c, 1, 1, WORLD);
            send_number(c, 2, 1, copy);
        } else {
            c.compute(10 * LATENCY);
            assert_eq!(receive_number(c, ANY, copy), 2);
            assert_eq!(receive_number(c, ANY, WORLD), 1);
        }
    });
}

#[test]
fn a_split_ends_when_the_last_member_calls() {
    let time = world(3).time(|c| {
        c.compute(LATENCY * c.rank as u64);
        split(c, WORLD, 0, 0);
        assert_eq!(c.time(), 2 * LATENCY);
    });
    assert_eq!(time, 2 * LATENCY);
}

#[test]
fn everyone_is_alone_in_self() {
    world(2).time(|c| {
        assert_eq!(place(c, SELF), (0, 1));
        send_number(c, 5 + c.rank, 0, SELF);
        assert_eq!(receive_number(c, 0, SELF), 5 + c.rank);
    });
}

#[test]
fn freed_communicators_are_null() {
    world(2).time(|c| {
        let mut copy = 0;
        (c.host.comm_dup)(WORLD, &mut copy);
        (c.host.comm_free)(&mut copy);
        assert_eq!(copy, 0);
    });
}
