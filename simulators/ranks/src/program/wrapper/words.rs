//! The words of a command line for a compiler: which are allowed, and what they ask for.

use super::allowed::{is_allowed, takes_value};

/// What is no part of a program for the simulator, and why.
const LEFT_OUT: [(&str, &str); 11] = [
    ("-march=native", "every machine makes the same program"),
    ("-mtune=native", "every machine makes the same program"),
    ("-mcpu=native", "every machine makes the same program"),
    ("-fopenmp", "each rank runs OpenMP on one thread"),
    ("-static", "the simulator loads the program"),
    ("-static-libgfortran", "every program has a copy of the runtime library"),
    ("-s", "the simulator reads the names of variables"),
    ("-Wl,-s", "the simulator reads the names of variables"),
    ("-Wl,--strip-all", "the simulator reads the names of variables"),
    ("-pie", ""),
    ("-no-pie", ""),
];
/// What turns on, in the linker, an arithmetic that would hold for the whole simulator.
const OF_THE_PROCESSOR: [&str; 3] = ["-Ofast", "-ffast-math", "-funsafe-math-optimizations"];
/// How wrappers of MPI are asked for their flags.
const QUESTIONS: [(&str, Question); 11] = [
    ("-show", Question::All),
    ("-showme", Question::All),
    ("-showme:command", Question::Command),
    ("-compile-info", Question::Compile),
    ("-compile_info", Question::Compile),
    ("-link-info", Question::Link),
    ("-link_info", Question::Link),
    ("-showme:compile", Question::Compile),
    ("-showme:link", Question::Link),
    ("-showme:incdirs", Question::Folders),
    ("-showme:version", Question::Version),
];

/// What a wrapper is asked about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    All,
    Command,
    Compile,
    Link,
    Folders,
    Version,
}

/// What a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It names no file: a question to the compiler.
    Ask,
    /// A question to the wrapper.
    Show(Question),
    Compile,
    Link,
}

/// The words of a call, all of which are allowed.
#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    pub purpose: Purpose,
    /// For the compiler, in their order.
    pub words: Vec<String>,
    /// Words that were left out, with the reason, where there is one.
    pub left_out: Vec<(String, &'static str)>,
}

impl Call {
    /// Reads a command line for the compiler of a program that is simulated, or measured.
    ///
    /// # Errors
    /// When a word is not allowed.
    pub fn read(words: &[String], simulated: bool) -> Result<Self, String> {
        let question = words.iter().find_map(|word| {
            let single = word.strip_prefix('-').filter(|word| word.starts_with("-show"));
            let word = single.unwrap_or(word);
            QUESTIONS.iter().find(|(name, _)| *name == word).map(|(_, question)| *question)
        });
        if let Some(question) = question {
            return Ok(Self { purpose: Purpose::Show(question), words: vec![], left_out: vec![] });
        }
        let mut call = Self { purpose: Purpose::Ask, words: vec![], left_out: vec![] };
        let (mut has_files, mut stops) = (false, false);
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            stops |= ["-c", "-S", "-E", "-M", "-MM"].contains(&word.as_str());
            if !word.starts_with('-') || word == "-" {
                if word.starts_with('@') {
                    return Err(refused(word));
                }
                has_files = true;
            } else if let Some(why) = left_out(word, simulated) {
                call.left_out.push((word.clone(), why));
                continue;
            } else if !is_allowed(word) && !LEFT_OUT.iter().any(|(name, _)| name == word) {
                return Err(refused(word));
            }
            call.words.push(word.clone());
            if takes_value(word) {
                call.words.extend(rest.next().cloned());
            }
        }
        if has_files {
            call.purpose = if stops { Purpose::Compile } else { Purpose::Link };
        }
        if call.purpose == Purpose::Link {
            call.words.iter_mut().filter(|word| word.as_str() == "-Ofast").for_each(|word| {
                *word = "-O3".into();
            });
            call.words.retain(|word| !OF_THE_PROCESSOR.contains(&word.as_str()));
        }
        Ok(call)
    }
}

fn left_out(word: &str, simulated: bool) -> Option<&'static str> {
    let (_, why) = LEFT_OUT.iter().find(|(name, _)| *name == word)?;
    let of_processors = word.ends_with("native") || word == "-fopenmp";
    (simulated || !of_processors).then_some(*why)
}

fn refused(word: &str) -> String {
    let why = match word {
        "-shared" | "-r" => "a program is linked as a whole: build libraries as archives (.a)",
        _ => {
            "flags that load plugins, or name other tools, other machines or files of flags, are \
             not among those of weft-cc"
        }
    };
    format!("'{word}' is not allowed: {why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(words: &str) -> Result<Call, String> {
        let words: Vec<String> = words.split_whitespace().map(Into::into).collect();
        Call::read(&words, true)
    }

    #[test]
    fn a_call_is_for_what_its_words_say() {
        for (words, purpose) in [
            ("-O3 -c a.c -o a.o", Purpose::Compile),
            ("-E -x c -", Purpose::Compile),
            ("-MM a.c", Purpose::Compile),
            ("a.o -o a -L. -lx", Purpose::Link),
            ("a.c", Purpose::Link),
            ("--version", Purpose::Ask),
            ("-o a -print-prog-name=ld", Purpose::Ask),
            ("--showme:compile", Purpose::Show(Question::Compile)),
            ("-show", Purpose::Show(Question::All)),
        ] {
            assert_eq!(read(words).unwrap().purpose, purpose, "{words}");
        }
    }

    #[test]
    fn flags_of_projects_are_allowed() {
        for words in [
            "-std=c99 -Wall -Wextra -g -O5 -DX -D Y=2 -I. -isystem include -MD -MF a.d -c a.c",
            "-fno-strict-aliasing -funroll-loops -fomit-frame-pointer -ftree-vectorize -c a.c",
            "-mavx2 -march=x86-64-v3 -mcmodel=medium -fvisibility=hidden -fstack-protector -c a.c",
            "-cpp -J modules -ffree-line-length-none -fdefault-real-8 -fcheck=bounds -c a.f90",
            "a.o -Wl,-rpath,/lib -Wl,--as-needed -Wl,--start-group b.a -Wl,--end-group -rdynamic -o a",
        ] {
            let all: Vec<String> = words.split_whitespace().map(Into::into).collect();
            let call = Call::read(&all, false).unwrap();
            assert_eq!(call.words, all);
        }
    }

    #[test]
    fn flags_that_load_or_name_other_programs_are_refused() {
        for word in [
            "-fplugin=./a.so",
            "-fplugin-arg-a-b",
            "-B.",
            "-specs=a",
            "--specs=a",
            "-wrapper",
            "@a",
            "-Xlinker",
            "-Xassembler",
            "-Wa,-x",
            "-Wp,-x",
            "-Wl,-plugin,a",
            "-Wl,--dynamic-linker=a",
            "-Wl,-T,a",
            "-Wl,-rpath,a,-plugin",
            "-fuse-ld=a",
            "-T",
            "--sysroot=a",
            "-isysroot",
            "-no-canonical-prefixes",
            "-shared",
            "-r",
            "-fprofile-use=a",
            "-fsanitize=address",
            "-fdump-tree-all",
            "-ffpe-trap=zero",
            "-fno-underscoring",
            "-m32",
            "-nostdlib",
        ] {
            let error = read(&format!("{word} -c a.c")).unwrap_err();
            assert!(error.starts_with(&format!("'{word}' is not allowed")), "{error}");
        }
    }

    #[test]
    fn what_every_machine_does_differently_is_left_out_of_what_is_simulated() {
        let words: Vec<String> = ["-march=native", "-fopenmp", "-c", "a.c"].map(Into::into).into();
        assert_eq!(Call::read(&words, true).unwrap().words, ["-c", "a.c"]);
        assert_eq!(Call::read(&words, false).unwrap().words, words);
    }

    #[test]
    fn the_linker_turns_no_arithmetic_of_the_simulator_on() {
        assert_eq!(read("-Ofast -ffast-math a.o -o a").unwrap().words, ["-O3", "a.o", "-o", "a"]);
        assert_eq!(read("-Ofast -c a.c").unwrap().words, ["-Ofast", "-c", "a.c"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        /// No word is added, and values stay behind their flags.
        #[test]
        fn any_words_are_read_or_refused(
            words in prop::collection::vec("(-[a-zA-Z]{1,3}|-f[a-z-]{1,9}|@?[a-z]{1,2}|-|-Wl,[a-z,-]{0,6})", 0..8)
        ) {
            match Call::read(&words, true) {
                Ok(call) => prop_assert!(call.words.len() + call.left_out.len() <= words.len()),
                Err(error) => prop_assert!(words.iter().any(|word| error.contains(word.as_str()))),
            }
        }
    }
}
