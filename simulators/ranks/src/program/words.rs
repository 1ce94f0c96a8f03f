//! Turns the output of a compiler into one message.

use super::embedded::INCLUDE;

/// How many errors a message shows; it counts the others.
const SHOWN: usize = 3;

/// The errors of a compiler or linker, with file, line and its own words.
pub fn errors(stderr: &str) -> String {
    let is_error = |line: &&str| {
        line.contains("error:")
            || line.contains("undefined reference")
            || line.contains("multiple definition")
            || line.contains("cannot find -l")
    };
    let summary = |line: &&str| {
        !line.contains("ld returned") && !line.contains("some warnings being treated")
    };
    let mut lines: Vec<&str> = stderr.lines().filter(is_error).filter(summary).collect();
    lines.dedup();
    if lines.is_empty() {
        return stderr.lines().take(SHOWN).collect::<Vec<_>>().join("; ");
    }
    let more = lines.len().saturating_sub(SHOWN);
    let shown: Vec<String> = lines.iter().take(SHOWN).map(|line| with_nearest(line)).collect();
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    shown.join("; ") + &more
}

/// What a user can do about the errors of a program of several files, as the end of a sentence.
pub fn hint(errors: &str) -> &'static str {
    if errors.contains("No such file or directory") {
        return "; workload.program.include lists the folders of headers";
    }
    if errors.contains("implicit declaration of function") {
        return "; a header that declares it is missing, or workload.program.flags needs \
                -Wno-error=implicit-function-declaration";
    }
    if errors.contains("multiple definition of `main'") {
        return "; only one of workload.program.sources may define main";
    }
    if errors.contains("multiple definition") {
        return "; two of workload.program.sources define it";
    }
    if errors.contains("cannot find -l") {
        return "; workload.program.flags names the library, which is not installed here";
    }
    if errors.contains("undefined reference to `mpi_sizeof_'") {
        return "; MPI_Sizeof needs use mpi or use mpi_f08, because mpif.h does not name the types of \
                arguments";
    }
    if errors.contains("undefined reference") {
        return "; add the file that defines it to workload.program.sources, or its library to \
                workload.program.flags, like -lblas";
    }
    ""
}

/// The line. Where it names a misspelt call of the library, the nearest name follows.
fn with_nearest(line: &str) -> String {
    let line = line.trim();
    if line.contains("did you mean") {
        return line.to_string();
    }
    let unknown = ["MGEN_", "MPI_"].iter().find_map(|prefix| {
        let start =
            line.find(&format!("'{prefix}")).or_else(|| line.find(&format!("`{prefix}")))?;
        Some(name_at(&line[start + 1..]))
    });
    match unknown.and_then(nearest) {
        Some(name) => format!("{line}; did you mean '{name}'?"),
        None => line.to_string(),
    }
}

fn name_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    &text[..end.unwrap_or(text.len())]
}

/// The name in the headers that differs least, if it differs by less than a third.
fn nearest(unknown: &str) -> Option<&'static str> {
    let words = INCLUDE
        .iter()
        .flat_map(|(_, text)| text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')));
    let names = words.filter(|word| word.starts_with("MGEN_") || word.starts_with("MPI_"));
    let (distance, name) = names.map(|name| (distance(unknown, name), name)).min()?;
    (0 < distance && distance * 3 <= unknown.len()).then_some(name)
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// Whatever a compiler says becomes one line.
        #[test]
        fn any_output_of_a_compiler_is_one_line(
            said in "((error: |undefined reference to |warning: )?[`'](MGEN_|MPI_)?\\PC{0,9}\n){0,6}"
        ) {
            prop_assert!(!errors(&said).contains('\n'));
        }
    }

    #[test]
    fn a_misspelt_call_that_the_linker_misses_gets_the_nearest_name() {
        let error =
            errors("/bin/ld: a.o: in function `f': a.c:3: undefined reference to `MGEN_Recvv'");
        assert!(error.ends_with("did you mean 'MGEN_Recv'?"), "{error}");
    }

    #[test]
    fn a_size_that_only_modules_know_is_no_library_that_is_missing() {
        let error = errors("/bin/ld: a.o: a.f90:(.text+0x1): undefined reference to `mpi_sizeof_'");
        assert!(hint(&error).starts_with("; MPI_Sizeof needs use mpi"), "{}", hint(&error));
        assert!(hint(&error.replace("mpi_sizeof_", "sizes_")).contains("workload.program.sources"));
    }

    #[test]
    fn many_errors_are_counted() {
        let text: String = (0..5).map(|i| format!("a.c:{i}:1: error: no {i}\n")).collect();
        let error = errors(&text);
        assert!(error.ends_with("a.c:2:1: error: no 2; and 2 more"), "{error}");
    }
}
