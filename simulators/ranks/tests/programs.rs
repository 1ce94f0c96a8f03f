//! C programs: compiling, caching, and globals of ranks.

#![expect(unsafe_code, reason = "C programs are called")]

use ranks::{self, Build, Built, Program, Ranks, Source, Step, Team};
use serde_json::{Value, json};
use std::cell::Cell;
use std::ffi::c_void;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

extern "C" fn comp(_: f64) {
    ranks::suspend();
}

thread_local! {
    static GIVEN: Cell<*mut i32> = const { Cell::new(std::ptr::null_mut()) };
}

extern "C" fn comm_rank(_: i32, rank: *mut i32) -> i32 {
    GIVEN.set(rank);
    ranks::suspend();
    0
}

/// The struct of the simulator's functions with two of them.
struct Host([*const c_void; 96]);

// SAFETY: the pointers are to functions.
unsafe impl Sync for Host {}
// SAFETY: as above.
unsafe impl Send for Host {}

/// Where a function stands in the struct, as the programs are compiled with it.
fn place(function: &str) -> usize {
    let header = include_str!("../../../programs/include/mgen_host.h");
    let (_, functions) = header.split_once("struct mgen_host {").unwrap();
    let (before, _) = functions.split_once(&format!("(*{function})(")).unwrap();
    before.matches("(*").count()
}

static HOST: LazyLock<Host> = LazyLock::new(|| {
    let mut functions = [std::ptr::null(); 96];
    functions[place("comp")] = comp as *const c_void;
    functions[place("comm_rank")] = comm_rank as *const c_void;
    Host(functions)
});

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name)
}

fn load(name: &str) -> Result<Rc<Program>, String> {
    loaded(&Source::read(&source(name), None).unwrap())
}

/// One cache for all tests of this process, which run at the same time.
fn loaded(source: &Source) -> Result<Rc<Program>, String> {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    // SAFETY: the tests read and write variables by the standard library only, which has a lock.
    unsafe { std::env::set_var("WEFT_PROGRAM_CACHE", cache) };
    // SAFETY: the table is static; the programs call these two only.
    unsafe { Program::load(&Built::new(source)?, HOST.0.as_ptr().cast()) }
}

/// A program of several files below `tests/programs`; tests run in the crate's folder.
fn load_parts(folder: &str, build: Value, files: &[&str]) -> Result<Rc<Program>, String> {
    let below = |name: &str| format!("tests/programs/{folder}/{name}");
    let list = |key: &str| -> Vec<String> {
        let names = build[key].as_array().into_iter().flatten();
        names.map(|name| below(name.as_str().unwrap())).collect()
    };
    let files: Vec<Value> = files.iter().map(|name| json!([below(name), null])).collect();
    let mut whole = build.clone();
    whole["sources"] = list("sources").into();
    whole["include"] = list("include").into();
    whole["files"] = files.into();
    loaded(&Source::of_files(&serde_json::from_value::<Build>(whole).unwrap())?)
}

const PARTS: [&str; 3] = ["main.c", "sum.c", "include/sum.h"];

fn of_parts() -> Value {
    json!({"language": "c", "sources": ["main.c", "sum.c"], "include": ["include"],
           "defines": ["FACTOR=21"], "flags": ["-O1", "-std=gnu11"]})
}

#[test]
fn ranks_of_several_files_share_no_state_of_theirs_or_of_the_c_library() {
    let program = load_parts("parts", of_parts(), &PARTS).unwrap();
    let mut ranks = program.ranks(&["p".into(), "3".into()], 3, 65_536).unwrap();
    assert_eq!(to_the_end(&mut ranks, 3), [42; 3]);
}

#[test]
fn a_compiler_sees_the_files_of_the_point_only() {
    let error = load_parts("parts", of_parts(), &PARTS[..2]).err().unwrap();
    assert!(error.contains("tests/programs/parts/main.c:3:10: fatal error: sum.h"), "{error}");
    assert!(error.ends_with("; workload.program.include lists the folders of headers"), "{error}");
}

#[test]
fn what_no_file_defines_is_named_with_the_keys_that_add_it() {
    let mut build = of_parts();
    build["sources"] = json!(["main.c"]);
    let error = load_parts("parts", build, &PARTS).err().unwrap();
    assert!(error.contains("undefined reference to `sum'; add the file"), "{error}");
}

#[test]
fn an_exception_that_a_rank_handles_is_its_own_and_so_is_all_that_constructors_make() {
    let build = json!({"language": "c++", "sources": ["main.cpp", "twice.c"]});
    let program = load_parts("cpp", build, &["main.cpp", "twice.c"]).unwrap();
    for _ in 0..2 {
        let mut ranks = program.ranks(&["p".into()], 3, 1 << 20).unwrap();
        assert_eq!(to_the_end(&mut ranks, 3), [30; 3]);
    }
}

fn start(program: &Rc<Program>, ranks: u32) -> Ranks {
    program.ranks(&["counter".into(), "8".into()], ranks, 65_536).unwrap()
}

/// Resumes ranks in turn until all have ended.
fn to_the_end(ranks: &mut Ranks, count: u32) -> Vec<i32> {
    let mut codes = vec![None; count as usize];
    while codes.contains(&None) {
        for rank in 0..count {
            if codes[rank as usize].is_none() {
                if let Step::Ended(code) = ranks.resume(rank) {
                    codes[rank as usize] = Some(code);
                }
            }
        }
    }
    codes.into_iter().flatten().collect()
}

#[test]
fn every_rank_has_globals_of_its_own_and_a_new_run_begins_anew() {
    let program = load("counter.c").unwrap();
    for _ in 0..2 {
        let codes = to_the_end(&mut start(&program, 3), 3);
        assert_eq!(codes, [8 * 1_000_000 + 30 * 10_000 + 104 * 10 + 2; 3]);
    }
}

#[test]
fn every_rank_has_pages_of_large_globals_and_those_of_others_are_reached_aside() {
    let program = load("large_globals.c").unwrap();
    for _ in 0..2 {
        let mut ranks = program.ranks(&["p".into()], 3, 65_536).unwrap();
        let mut places = vec![];
        for rank in 0..3 {
            assert_eq!(ranks.resume(rank), Step::Blocked);
            places.push(GIVEN.get());
        }
        for (rank, &place) in (0..).zip(&places) {
            let aside: *mut i32 = ranks.translate(rank, place.cast()).cast();
            assert_eq!(aside == place, rank == 2);
            // SAFETY: an element of the rank's field, which nothing else uses now.
            unsafe {
                assert_eq!(*aside, 1);
                *aside = 40 + rank as i32;
            }
        }
        let codes: Vec<_> = [1, 0, 2].map(|rank| ranks.resume(rank)).into();
        assert_eq!(codes, [Step::Ended(41), Step::Ended(40), Step::Ended(42)]);
    }
}

// By another path a program is another library, whose variables other tests do not use meanwhile.
#[test]
fn programs_side_by_side_have_globals_of_their_own_and_may_begin_again() {
    let (counter, locals) = (load("./counter.c").unwrap(), load("./thread_local.c").unwrap());
    let words = ["counter".to_string(), "8".into()];
    let team = |program, ranks| Team { program, arguments: &words, ranks };
    let teams = [team(&counter, 2), team(&locals, 2), team(&counter, 1)];
    let mut ranks = Program::teams(&teams, 65_536).unwrap();
    let counted = 8 * 1_000_000 + 30 * 10_000 + 104 * 10 + 2;
    for _ in 0..3 {
        assert_eq!(to_the_end(&mut ranks, 5), [counted, counted, 7, 7, counted]);
        (0..5).for_each(|rank| ranks.renew(rank));
    }
}

#[test]
fn large_globals_of_a_rank_that_begins_again_are_as_they_were_whoever_ran_last() {
    let (large, counter) = (load("./large_globals.c").unwrap(), load("././counter.c").unwrap());
    let words = ["p".to_string()];
    let team = |program, ranks| Team { program, arguments: &words, ranks };
    for last in [0, 1, 2] {
        let teams = [team(&large, 2), team(&counter, 1)];
        let mut ranks = Program::teams(&teams, 65_536).unwrap();
        for _ in 0..2 {
            assert_eq!(ranks.resume(0), Step::Blocked);
            assert_eq!(unsafe_read(&ranks, GIVEN.get()), 1);
            assert_eq!(ranks.resume(0), Step::Ended(1));
            if last > 0 {
                ranks.resume(last);
            }
            ranks.renew(0);
            if last == 1 {
                ranks.renew(1);
            }
        }
    }
}

/// An element of the field of rank 0, wherever it lies now.
fn unsafe_read(ranks: &Ranks, place: *mut i32) -> i32 {
    // SAFETY: an element of the rank's field, which nothing else uses now.
    unsafe { ranks.translate(0, place.cast()).cast::<i32>().read() }
}

#[test]
fn globals_of_too_many_ranks_are_refused() {
    let program = load("counter.c").unwrap();
    let error = program.ranks(&["p".into()], u32::MAX / 2, 4096).err().unwrap();
    assert!(error.contains("for each of 2147483647 ranks"), "{error}");
}

#[test]
fn every_rank_has_variables_of_the_thread() {
    let program = load("thread_local.c").unwrap();
    assert_eq!(to_the_end(&mut start(&program, 3), 3), [7; 3]);
}

#[test]
fn an_error_about_a_misspelt_call_has_file_line_and_nearest_name() {
    let error = load("misspelt.c").err().unwrap();
    assert!(error.contains("tests/programs/misspelt.c:6:5: error: "), "{error}");
    assert!(error.contains("did you mean 'MGEN_Barrier'?"), "{error}");
}

#[test]
fn a_program_without_a_main_function_is_an_error() {
    let error = load("no_main.c").err().unwrap();
    assert!(error.ends_with("no_main.c has neither MGEN_Main nor, with mpi.h, main"), "{error}");
}

#[test]
fn a_global_of_a_suspended_rank_is_read_and_written_where_it_is_set_aside() {
    let program = load("address.c").unwrap();
    let mut ranks = start(&program, 2);
    ranks.resume(0);
    let address = GIVEN.get();
    ranks.resume(1);
    assert_eq!(ranks.translate(1, address.cast()), address.cast());
    let aside: *mut i32 = ranks.translate(0, address.cast()).cast();
    assert_ne!(aside, address);
    // SAFETY: the global of rank 0, which nothing else uses now.
    unsafe {
        assert_eq!(*aside, 7);
        *aside = 42;
    }
    assert_eq!([ranks.resume(1), ranks.resume(0)], [Step::Ended(7), Step::Ended(42)]);
}

#[test]
fn addresses_outside_globals_are_those_of_every_rank() {
    let program = load("elsewhere.c").unwrap();
    let mut ranks = start(&program, 2);
    ranks.resume(0);
    let address = std::ptr::from_ref(&*HOST).cast_mut().cast();
    assert_eq!(ranks.translate(1, address), address);
}

#[test]
fn builds_at_the_same_time_make_one_program() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(load("shared.c").is_ok()));
        }
    });
    let left = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name());
    let names: Vec<String> = left.map(|name| name.into_string().unwrap()).collect();
    assert!(names.iter().any(|name| !name.contains("tmp-")), "{names:?}");
}

#[test]
fn a_program_that_is_not_what_was_compiled_is_compiled_again() {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("altered.c");
    std::fs::copy(source("counter.c"), &own).unwrap();
    let source = Source::read(&own, None).unwrap();
    drop(loaded(&source).unwrap());
    let library = Built::new(&source).unwrap().library().to_path_buf();
    let whole = std::fs::read(&library).unwrap();
    let mut altered = whole.clone();
    altered[whole.len() / 2] ^= 1;
    for damaged in [&*altered, b""] {
        std::fs::write(&library, damaged).unwrap();
        assert_eq!(std::fs::read(Built::new(&source).unwrap().library()).unwrap(), whole);
    }
    // The folder is still there without the program.
    std::fs::remove_file(&library).unwrap();
    assert_eq!(std::fs::read(Built::new(&source).unwrap().library()).unwrap(), whole);
}
