//! How long the call takes that sends a message, on a network with costs by size.

use crate::costs::{SIZES, ps, times, with};
use crate::gap::overlapping;
use crate::world::{sample, world};
use engine::{Curves, TimesBySize};
use mpi::time::Time;

/// When the first and the second call of rank 0 end, and when rank 1 has both messages.
fn calls_that_send(sent: TimesBySize, bytes: i32) -> [Time; 3] {
    let curves = Curves { sent: Some(sent), ..overlapping() };
    let (_, machine) = world(2)
        .with(with(curves))
        .run(move |c| match c.rank {
            0 => {
                c.send(bytes, 1, 0);
                c.note("first_s");
                c.send(bytes, 1, 0);
                c.note("second_s");
            }
            _ => {
                c.recv(bytes, 0, 0);
                c.recv(bytes, 0, 0);
                c.note("received_s");
            }
        })
        .unwrap();
    ["first_s", "second_s", "received_s"].map(|name| sample(&machine, name))
}

#[test]
fn a_call_that_sends_takes_its_own_time() {
    let [one_way, gap] = [overlapping().one_way, overlapping().gap.unwrap()];
    let [one_way, gap] = [one_way, gap].map(|times| ps(&times, 500));
    let short = times(400.0, 700.0);
    let call = ps(&short, 500);
    assert_eq!(calls_that_send(short, 500), [call, gap + call, one_way + gap]);
}

/// The sender writes its data before the first call, not before the next.
#[test]
fn only_the_first_of_calls_that_send_takes_longer_than_a_gap() {
    let [one_way, gap] = [overlapping().one_way, overlapping().gap.unwrap()];
    let [one_way, gap] = [one_way, gap].map(|times| ps(&times, 500));
    let long = times(2000.0, 700.0);
    let call = ps(&long, 500);
    assert_eq!(calls_that_send(long, 500), [call, call + gap, one_way + call]);
    assert_eq!(
        calls_that_send(times(9000.0, 700.0), 500)[0],
        one_way,
        "no longer than its message"
    );
}

/// Also a rendezvous, whose data the NIC may have read long before, or only after its message is whole:
/// the receiver then says that it has all.
#[test]
fn a_rendezvous_is_done_when_its_call_is() {
    let bytes = 300_000;
    let one_way = ps(&overlapping().one_way, bytes as u64);
    for start_ns in [3000.0, 5000.0] {
        let sent = times(start_ns, 700.0);
        let [first, ..] = calls_that_send(sent.clone(), bytes);
        assert_eq!(first, ps(&sent, bytes as u64));
        assert_eq!(first > one_way, start_ns > 4000.0);
    }
}

/// The answer's question is on its way while the sender waits to hear that all has arrived.
#[test]
fn a_ping_pong_whose_senders_wait_for_the_end_takes_the_curve_of_one_way() {
    for bytes in SIZES {
        let curves = Curves { sent: Some(times(4400.0, 3000.0)), ..overlapping() };
        let (_, machine) = world(2)
            .with(with(curves))
            .run(move |c| {
                for turn in 0..4 {
                    match turn % 2 == c.rank {
                        true => c.send(bytes as i32, 1 - c.rank, 0),
                        false => {
                            c.recv(bytes as i32, 1 - c.rank, 0);
                        }
                    }
                }
                if c.rank == 0 {
                    c.note("took_s");
                }
            })
            .unwrap();
        assert_eq!(sample(&machine, "took_s"), 4 * ps(&overlapping().one_way, bytes), "{bytes} B");
    }
}
