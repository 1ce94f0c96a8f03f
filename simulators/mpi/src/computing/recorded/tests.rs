//! What a file of computing times holds, and medians of runs.

use super::*;
use proptest::prelude::*;

fn stretch(call: u32, tests: bool, ns: u64) -> Stretch {
    Stretch { call, tests, ns }
}

fn run(calls: &[&str], stretches: &[Stretch]) -> Times {
    let calls = calls.iter().map(ToString::to_string).collect();
    Times { calls, ranks: vec![stretches.to_vec()], ..Times::default() }
}

fn of_thread() -> impl Strategy<Value = Vec<Stretch>> {
    let each = (0_u32..2, any::<bool>(), any::<u64>());
    prop::collection::vec(each.prop_map(|(call, tests, ns)| stretch(call, tests, ns)), 0..3)
}

#[test]
fn threads_have_medians_of_their_own_and_each_run_has_the_same() {
    let of = |ns| {
        let mut run = run(&["Send"], &[stretch(0, false, 1)]);
        run.threads.insert((0, 2), vec![stretch(0, false, ns)]);
        run
    };
    let found = Times::median(&[of(3), of(9), of(5)]).unwrap();
    assert_eq!(found.of(0, 2), [stretch(0, false, 5)]);
    let error = Times::median(&[of(3), run(&["Send"], &[stretch(0, false, 1)])]).unwrap_err();
    assert!(error.contains("rank 0, thread 2 made other calls"), "{error}");
}

/// Call, whether it tests, and time of each stretch of each rank.
fn by_name(run: &Times) -> Vec<Vec<(&str, bool, u64)>> {
    let named = |stretch: &Stretch| (run.name(stretch.call), stretch.tests, stretch.ns);
    run.all().map(|rank| rank.iter().map(named).collect()).collect()
}

#[test]
fn a_stretch_takes_the_median_of_the_runs_whatever_their_numbers_of_calls() {
    let runs = [
        run(&["Send", "Recv"], &[stretch(0, false, 10), stretch(1, false, 7)]),
        run(&["Recv", "Send"], &[stretch(1, false, 30), stretch(0, false, 9)]),
        run(&["Send", "Recv"], &[stretch(0, false, 20), stretch(1, false, 8)]),
    ];
    let expected = run(&["Send", "Recv"], &[stretch(0, false, 20), stretch(1, false, 8)]);
    assert_eq!(Times::median(&runs), Ok(expected));
}

#[test]
fn runs_may_differ_in_how_often_they_test_and_in_nothing_else() {
    let once = run(&["Test", "Wait"], &[stretch(0, true, 4), stretch(1, false, 6)]);
    let tests = [stretch(0, true, 2), stretch(0, true, 5), stretch(1, false, 8)];
    let expected = [stretch(0, true, 2), stretch(0, true, 5), stretch(1, false, 6)];
    let twice = run(&["Test", "Wait"], &tests);
    let found = Times::median(&[once.clone(), twice]).unwrap();
    assert_eq!(found, run(&["Test", "Wait"], &expected));
    let other = run(&["Test", "Send"], &[stretch(1, false, 1)]);
    let error = Times::median(&[once.clone(), other]).unwrap_err();
    assert!(error.contains("from its call 1 on"), "{error}");
    let longer = [stretch(1, false, 1), stretch(1, false, 1)];
    let error = Times::median(&[once, run(&["Test", "Wait"], &longer)]).unwrap_err();
    assert!(error.contains("from its call 2 on"), "{error}");
}

#[test]
fn a_cut_file_is_refused() {
    let bytes = to_bytes(&[run(&["Send"], &[stretch(0, false, 1 << 40)])]);
    assert!(from_bytes(&bytes[..bytes.len() - 1]).unwrap_err().contains("for 1 stretches"));
    assert!(from_bytes(&bytes[..9]).unwrap_err().contains("no file of computing times"));
    let mut wrong = bytes.clone();
    *wrong.last_mut().unwrap() = 1;
    assert!(from_bytes(&wrong).unwrap_err().contains("without a name"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_file_holds_what_was_written(
        ranks in prop::collection::vec(
            prop::collection::vec((0_u32..2, any::<bool>(), any::<u64>()), 0..4), 0..4
        ),
        threads in prop::collection::btree_map((0_u32..4, 1_u32..3), of_thread(), 0..3)
    ) {
        let ranks = ranks.iter().map(|rank| {
            rank.iter().map(|&(call, tests, ns)| stretch(call, tests, ns)).collect()
        });
        let calls = vec!["a".into(), "b".into()];
        let mut run = Times { calls, ranks: ranks.collect(), ..Times::default() };
        run.threads = threads;
        let read = from_bytes(&to_bytes(&[run.clone(), run.clone()])).unwrap();
        let numbers = read.iter().map(|run| run.threads.keys().collect::<Vec<_>>());
        prop_assert!(numbers.eq([&run, &run].map(|run| run.threads.keys().collect::<Vec<_>>())));
        prop_assert_eq!(read.iter().map(by_name).collect::<Vec<_>>(), vec![by_name(&run); 2]);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = from_bytes(&bytes);
    }
}

#[test]
fn the_spread_is_half_of_the_range_of_the_runs() {
    let of = |longest, other| {
        let mut run = run(&["Send"], &[stretch(0, false, other), stretch(0, false, 2)]);
        run.threads.insert((0, 1), vec![stretch(0, false, longest), stretch(0, false, 1)]);
        run
    };
    // 400, 100 and 104 ns; the other thread computes 20, 90 and 5 ns.
    let runs = [of(399, 18), of(99, 88), of(103, 3)];
    assert!((Times::spread_s(&runs) - 150e-9).abs() < 1e-18);
    assert_eq!(Times::spread_s(&runs[..1]), 0.0);
}
