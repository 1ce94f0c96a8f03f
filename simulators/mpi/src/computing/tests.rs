//! How noted stretches are used, without any program.

use super::*;

/// One rank that computed 3 us before a send, 5 and 7 us before two tests, and 11 us before it
/// waited.
fn recorded() -> Computing {
    let stretch = |call, tests, us: u64| Stretch { call, tests, ns: us * 1000 };
    let stretches =
        vec![stretch(0, false, 3), stretch(1, true, 5), stretch(1, true, 7), stretch(2, false, 11)];
    let calls = ["MGEN_Send", "MGEN_Test", "MGEN_Wait"].map(Into::into).to_vec();
    let times = Times { calls, ranks: vec![stretches], ..Times::default() };
    Computing::new(&Charge::Recorded(Rc::new(times), 2.0), 1, false).unwrap()
}

fn us(computing: &mut Computing, call: &'static str) -> u64 {
    computing.end(0, 0, call).unwrap() / 1_000_000
}

#[test]
fn a_stretch_takes_the_noted_time_as_often_as_the_machine_is_slower() {
    let mut computing = recorded();
    let calls = ["MGEN_Send", "MGEN_Test", "MGEN_Test", "MGEN_Wait"];
    assert_eq!(calls.map(|call| us(&mut computing, call)), [6, 10, 14, 22]);
}

#[test]
fn a_rank_may_test_more_or_less_often_than_before() {
    let mut computing = recorded();
    assert_eq!(["MGEN_Send", "MGEN_Wait"].map(|call| us(&mut computing, call)), [6, 22]);
    let mut computing = recorded();
    let calls = ["MGEN_Send", "MGEN_Test", "MGEN_Test", "MGEN_Iprobe", "MGEN_Wait"];
    assert_eq!(calls.map(|call| us(&mut computing, call)), [6, 10, 14, 0, 22]);
}

#[test]
fn another_call_or_another_number_of_calls_is_an_error() {
    let error = recorded().end(0, 0, "MGEN_Recv").unwrap_err();
    assert!(error.contains("call 1 of this rank was MGEN_Send, and it is MGEN_Recv"), "{error}");
    let mut computing = recorded();
    us(&mut computing, "MGEN_Send");
    let error = computing.finish(0, 0).unwrap_err();
    assert!(error.contains("call 2 of this rank was MGEN_Wait, and it is the end"), "{error}");
    let mut computing = recorded();
    us(&mut computing, "MGEN_Send");
    us(&mut computing, "MGEN_Wait");
    let error = computing.end(0, 0, "MGEN_Send").unwrap_err();
    assert!(error.contains("call 3 of this rank was the end of the program"), "{error}");
}

#[test]
fn times_of_another_number_of_ranks_are_refused() {
    let charge = Charge::Recorded(Rc::new(Times::default()), 1.0);
    let error = Computing::new(&charge, 2, false).unwrap_err();
    assert_eq!(error, "the computing of 0 ranks was measured, and the program has 2");
}

#[test]
fn what_does_not_count_takes_no_time() {
    let mut computing = Computing::new(&Charge::Measured(Meter::of_time()), 1, false).unwrap();
    computing.begin(0);
    let mut sum = 0_u64;
    let mut spent = 0;
    while spent == 0 {
        sum = (0..10_000).fold(sum, |sum, number| std::hint::black_box(sum ^ number));
        spent = computing.end(0, 0, "MGEN_Send").unwrap();
    }
    computing.counts(0, false);
    assert_eq!(computing.finish(0, 0), Ok(0));
    let found = computing.found().unwrap();
    let last = *found.ranks[0].last().unwrap();
    assert_eq!((found.name(last.call), last.ns), (END, 0));
}

#[test]
fn a_thread_takes_times_of_its_own_and_what_it_computed_before_it_waited_for_another_one() {
    let stretch = |call, us: u64| Stretch { call, tests: call == 1, ns: us * 1000 };
    let calls = ["pthread_mutex_lock", "pthread_cond_wait"].map(Into::into).to_vec();
    let of_first = vec![stretch(0, 3)];
    let of_second = vec![stretch(0, 5), stretch(1, 7), stretch(1, 1), stretch(0, 2)];
    let threads = [((0, 1), of_second)].into();
    let times = Rc::new(Times { calls, ranks: vec![of_first], threads });
    let replayed = |thread, calls: &[&'static str]| -> Vec<u64> {
        let charge = Charge::Recorded(Rc::clone(&times), 1.0);
        let mut computing = Computing::new(&charge, 1, false).unwrap();
        let mut us = |call| computing.end(0, thread, call).unwrap() / 1_000_000;
        calls.iter().map(|call| us(call)).collect()
    };
    let (lock, wait) = ("pthread_mutex_lock", "pthread_cond_wait");
    assert_eq!(replayed(0, &[lock]), [3]);
    assert_eq!(replayed(1, &[lock, wait, wait, wait, lock]), [5, 7, 1, 0, 2]);
    assert_eq!(replayed(1, &[lock, wait, lock]), [5, 7, 2]);
    // It finds done what it waited for: its own work of 7 us stays.
    assert_eq!(replayed(1, &[lock, lock]), [5, 9]);
}
