//! Matching against its definition, for random messages and receives, also in long queues.

use crate::wire::LATENCY;
use crate::world::{ANY, ANY_TAG, WORLD, world};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const SENDERS: i32 = 20;
const STEP: u64 = 10 * LATENCY;

/// Sender and tag.
type Pair = (i32, i32);

/// Messages in the order of their arrival each take the first receive that accepts them: per
/// receive the number of its message.
fn defined(messages: &[Pair], receives: &[Pair]) -> Vec<Option<usize>> {
    let mut taken = vec![None; receives.len()];
    for (number, &(source, tag)) in messages.iter().enumerate() {
        let fits = |at: &usize| {
            let (wanted, wanted_tag) = receives[*at];
            taken[*at].is_none()
                && (wanted == source || wanted == ANY)
                && (wanted_tag == tag || wanted_tag == ANY_TAG)
        };
        if let Some(at) = (0..receives.len()).find(fits) {
            taken[at] = Some(number);
        }
    }
    taken
}

/// Message n is sent at n steps and has n bytes; rank 0 posts its receives at `posted`.
fn simulated(messages: Vec<Pair>, receives: Vec<Pair>, posted: u64) -> Vec<Option<usize>> {
    let seen = Rc::new(RefCell::new(vec![]));
    let kept = Rc::clone(&seen);
    let end = (messages.len() as u64 + 2) * STEP;
    let run = world(SENDERS as u32 + 1).run(move |c| {
        if c.rank == 0 {
            c.compute(posted);
            // Until then ranks run ahead of the messages: what is posted later comes first.
            (c.host.iprobe)(ANY, 99, WORLD, &mut 0, std::ptr::null_mut());
            let post = |&(source, tag): &Pair| c.irecv(10_000, source, tag);
            let mut requests: Vec<i32> = receives.iter().map(post).collect();
            c.compute(2 * end);
            for request in &mut requests {
                let mut done = 0;
                let mut status = Default::default();
                (c.host.test)(request, &mut done, &mut status);
                seen.borrow_mut().push((done == 1).then_some(status.bytes as usize));
            }
        }
        for (number, &(source, tag)) in messages.iter().enumerate() {
            if source == c.rank {
                c.compute((number as u64 + 1) * STEP - c.time());
                c.send(number as i32, 0, tag);
            }
        }
    });
    run.unwrap();
    kept.take()
}

fn pairs(wildcards: bool) -> impl Strategy<Value = Vec<Pair>> {
    let least = if wildcards { -4 } else { 1 };
    let source = (least..=SENDERS).prop_map(|s| if s < 1 { ANY } else { s });
    let least = if wildcards { -1 } else { 0 };
    let tag = (least..3).prop_map(|t| if t < 0 { ANY_TAG } else { t });
    prop::collection::vec((source, tag), 1..120)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_receive_gets_the_message_that_the_definition_says(
        messages in pairs(false),
        receives in pairs(true),
        early in any::<bool>(),
    ) {
        let posted = if early { 0 } else { (messages.len() as u64 + 2) * STEP };
        let expected = defined(&messages, &receives);
        prop_assert_eq!(simulated(messages, receives, posted), expected);
    }
}
