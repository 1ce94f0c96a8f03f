//! What programs of strangers try, with the confinement and without it.

use crate::shard::{command, folder, journal, point};
use serde_json::{Value, json};
use std::path::Path;

/// The error EXDEV of a file that cannot be renamed to another disk.
const OTHER_DISK: i32 = 18;
const EPERM: i32 = 1;
const EACCES: i32 = 13;
const OFF: &str = "off";
const REQUIRED: &str = "required";

/// The line of a point that tries this, and the log.
fn line(what: &str, argument: &Path, confinement: &str) -> (Value, String) {
    let folder = folder(what);
    let mut point = point("attacks", 2);
    point["workload"]["arguments"] = json!([what, argument]);
    let mut command = command(&folder, &[point], "1");
    let output = command.env("WEFT_CONFINEMENT", confinement).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    (journal(&folder).remove(0), String::from_utf8(output.stderr).unwrap())
}

/// The error number with which the attempt fails; 0 when it succeeds.
fn code(what: &str, argument: &Path, confinement: &str) -> i32 {
    let (line, log) = line(what, argument, confinement);
    let Some(error) = line["error"].as_str() else { return 0 };
    let Some((_, code)) = error.split_once("rank 0 ended with code ") else {
        panic!("{what}: {error}; {log}")
    };
    let digits: String = code.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap()
}

fn is_denied(code: i32) -> bool {
    [EPERM, EACCES].contains(&code)
}

/// A file of the user beside the shard.
fn victim() -> std::path::PathBuf {
    let path = folder("victim").join("journal.jsonl");
    std::fs::write(&path, "a line\n").unwrap();
    path
}

#[test]
fn a_program_reads_no_file_of_the_user_before_or_after_its_start() {
    for what in ["constructor", "read"] {
        let passwords = Path::new("/etc/passwd");
        assert_eq!(code(what, passwords, OFF), 0, "{what}");
        assert!(is_denied(code(what, passwords, REQUIRED)), "{what}");
    }
}

#[test]
fn a_program_changes_no_file_of_the_user() {
    for what in ["append", "truncate", "empty", "unlink", "rename"] {
        let file = victim();
        assert!(is_denied(code(what, &file, REQUIRED)), "{what}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "a line\n", "{what}");
        // The victim's disk may be another one than that of the program's folder.
        assert!([0, OTHER_DISK].contains(&code(what, &file, OFF)), "{what}");
    }
}

#[test]
fn a_program_creates_no_file_no_folder_and_no_link() {
    for what in ["create", "symlink", "folder"] {
        let file = victim().with_extension("new");
        assert!(is_denied(code(what, &file, REQUIRED)), "{what}");
        assert!(!file.exists());
        assert_eq!(code(what, &file, OFF), 0, "{what}");
    }
    assert!(is_denied(code("hard_link", &victim().with_extension("new"), REQUIRED)));
    assert!(is_denied(code("no_folder", victim().parent().unwrap(), REQUIRED)));
}

#[test]
fn a_program_writes_in_a_folder_of_its_own_that_is_gone_when_it_has_ended() {
    for confinement in [REQUIRED, OFF] {
        assert_eq!(code("create", Path::new("own.txt"), confinement), 0);
        assert_eq!(code("own_folder", Path::new(""), confinement), 0);
    }
    assert!(!Path::new("own.txt").exists());
    assert!(is_denied(code("create", Path::new("../beside.txt"), REQUIRED)));
    assert!(is_denied(code("symlink", Path::new("own.txt"), REQUIRED)));
}

#[test]
fn a_program_reaches_no_other_process_and_no_network() {
    for what in ["socket", "unix_socket", "ptrace", "memory_of_parent", "kill_parent", "outlive"] {
        assert!(is_denied(code(what, Path::new(""), REQUIRED)), "{what}");
    }
    for what in ["socket", "unix_socket", "kill_parent", "outlive"] {
        assert_eq!(code(what, Path::new(""), OFF), 0, "{what}");
    }
}

#[test]
fn a_program_begins_no_process_and_no_thread() {
    for what in ["fork", "thread"] {
        assert_eq!(code(what, Path::new(""), OFF), 0, "{what}");
        assert!(is_denied(code(what, Path::new(""), REQUIRED)), "{what}");
    }
    for what in ["execute", "io_uring"] {
        assert!(is_denied(code(what, Path::new(""), REQUIRED)), "{what}");
    }
}

#[test]
fn a_program_reads_its_limits_and_changes_none() {
    assert_eq!(code("limits", Path::new(""), REQUIRED), 0);
    assert!(is_denied(code("new_limits", Path::new(""), REQUIRED)));
}

#[test]
fn libraries_of_a_program_learn_that_there_is_one_thread() {
    assert_eq!(code("threads_of_libraries", Path::new(""), REQUIRED), 0);
}

#[test]
fn what_a_program_may_do_works_confined() {
    for what in ["nowhere", "own_signal"] {
        assert_eq!(code(what, Path::new(""), REQUIRED), 0, "{what}");
    }
}

#[test]
fn the_log_says_how_programs_are_confined_and_what_is_denied() {
    let (_, log) = line("socket", Path::new(""), REQUIRED);
    assert_eq!(log.matches("programs are confined by Landlock (ABI ").count(), 1, "{log}");
    assert!(log.contains(" and seccomp\n"), "{log}");
    assert!(log.contains("point attacks: the confinement denies system call"), "{log}");
    assert!(log.contains("(socket)"), "{log}");
    let (_, log) = line("socket", Path::new(""), OFF);
    assert!(log.contains("programs run without confinement: WEFT_CONFINEMENT is off"), "{log}");
}

#[test]
fn an_unknown_confinement_is_refused() {
    let (line, _) = line("read", Path::new("/etc/passwd"), "on");
    assert_eq!(line["error"], "WEFT_CONFINEMENT is on; use best (the default), required or off");
}

#[test]
fn a_forged_answer_is_refused_however_well_it_is_made() {
    let plain =
        json!({"metric": "program_time_s", "message_bytes": null, "value": 1.0, "unit": "s"});
    for metrics in [json!([]), json!([plain])] {
        for seal in ["", &"0".repeat(64)] {
            let forged = format!("{seal}{}", json!({"metrics": metrics}));
            let (line, _) = line("answer", Path::new(&forged), REQUIRED);
            let error = line["error"].as_str().unwrap();
            assert!(error.contains("the point's program writes where only"), "{error}");
        }
    }
}

/// The usage of an answer is no more than what the kernel counted.
#[test]
fn a_forged_usage_and_a_forged_full_disk_have_no_effect() {
    let forged = json!({"metrics": [], "usage": {"cpu_s": 1e9, "peak_rss_bytes": 1u64 << 60}});
    let (found, _) = line("answer", Path::new(&forged.to_string()), REQUIRED);
    assert!(found["cpu_s"].as_f64().unwrap() < 1e6);
    let forged = json!({"error": "x\u{1b}[2J", "full_disk": {"path": "/other", "reason": "full"}});
    let (found, _) = line("answer", Path::new(&forged.to_string()), REQUIRED);
    assert_eq!(found["error"], "x?[2J");
}
