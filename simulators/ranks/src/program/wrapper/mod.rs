//! `weft-cc`, `weft-c++` and `weft-fc`: a compiler with the simulator's MPI, in place of `mpicc`, `mpicxx`
//! and `mpifort` in a project's own build. What they link is a program that the simulator loads.
//!
//! With the variables of [`Wrapped`] they stand before the compiler of an MPI library, for programs that
//! are measured.

mod allowed;
mod words;

use super::build::Library;
use super::cache;
use super::compiler::{Compiler, Language, SHARED};
use super::fortran;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::{env, iter};
use words::{Call, Purpose, Question};

/// What a call for a compiler becomes.
const FAILED: u8 = 1;

/// The compiler that a wrapper stands before, and what it adds.
struct Wrapped {
    compiler: PathBuf,
    /// What it adds before the words of the user, and behind them.
    first: Vec<String>,
    compiling: Vec<String>,
    /// Folder of `mpi.h`, where that is the simulator's.
    include: Option<PathBuf>,
    linking: Vec<String>,
}

/// Runs `weft-cc` (`cc`), `weft-c++` (`c++`) or `weft-fc` (`fc`) with the words of its command line.
pub fn compile(name: &str, words: &[String]) -> ExitCode {
    let failed = |reason: String| {
        eprintln!("weft-{name}: {reason}");
        ExitCode::from(FAILED)
    };
    let language = match name {
        "cc" => Language::C,
        "fc" => Language::Fortran,
        _ => Language::Cpp,
    };
    let measured = env::var_os("WEFT_MPI_COMPILER");
    let call = match Call::read(words, measured.is_none()) {
        Ok(call) => call,
        Err(reason) => return failed(reason),
    };
    let wrapped = match measured {
        Some(compiler) => Ok(Wrapped::of_mpi(compiler.into())),
        None => Wrapped::of_simulator(language),
    };
    match wrapped {
        Err(reason) => failed(reason),
        Ok(wrapped) => match call.purpose {
            Purpose::Show(question) => wrapped.show(question, words),
            _ => failed(wrapped.run(name, &call)),
        },
    }
}

impl Wrapped {
    /// The compiler of an MPI library. `WEFT_MPI_COMPILING` and `WEFT_MPI_LINKING` hold a flag in each line.
    fn of_mpi(compiler: PathBuf) -> Self {
        let lines = |variable| -> Vec<String> {
            let text = env::var(variable).unwrap_or_default();
            text.lines().map(Into::into).collect()
        };
        let compiling = lines("WEFT_MPI_COMPILING");
        let linking = lines("WEFT_MPI_LINKING");
        Self { compiler, first: vec![], compiling, include: None, linking }
    }

    fn of_simulator(language: Language) -> Result<Self, String> {
        let compiler = Compiler::find(language)?;
        let library = Library::new(&cache::of_user()?);
        let is_fortran = language == Language::Fortran;
        let object = if is_fortran { library.fortran_object() } else { library.object() }?;
        let modules = is_fortran.then(|| library.modules(&compiler)).transpose()?;
        let of_modules = modules.iter().map(|folder| folder.join(fortran::OBJECT));
        let objects = of_modules.chain([object]).map(|path| path.display().to_string()).collect();
        let (first, others) = compiler.own_flags();
        let include = library.include();
        let owned = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<_>>();
        let folders = modules.iter().chain([&include]);
        let folders = folders.flat_map(|folder| ["-I".into(), folder.display().to_string()]);
        let compiling: Vec<String> = owned(&others).into_iter().chain(folders).collect();
        let version = format!("-Wl,--defsym={}=0", Library::symbol());
        let own = [owned(&SHARED), owned(compiler.linking()), owned(&["-x", "none"])];
        let linking = [own.concat(), objects, vec![version, "-lm".into()]];
        Ok(Self {
            compiler: compiler.path().into(),
            first: owned(first),
            compiling,
            include: Some(include),
            linking: linking.concat(),
        })
    }

    /// Becomes the compiler. Returns why that failed.
    fn run(&self, name: &str, call: &Call) -> String {
        let mut command = Command::new(&self.compiler);
        if call.purpose == Purpose::Ask {
            command.args(&call.words);
        } else {
            command.args(&self.first).args(&call.words).args(&self.compiling);
        }
        if call.purpose == Purpose::Link {
            for (word, why) in call.left_out.iter().filter(|(_, why)| !why.is_empty()) {
                eprintln!("weft-{name}: {word} is left out: {why}");
            }
            command.args(&self.linking);
        }
        format!("{}: {}", self.compiler.display(), command.exec())
    }

    /// Answers how it would compile and link, as wrappers of MPI libraries do.
    fn show(&self, question: Question, words: &[String]) -> ExitCode {
        let Some(include) = &self.include else {
            let error = Command::new(&self.compiler).args(words).exec();
            eprintln!("{}: {error}", self.compiler.display());
            return ExitCode::from(FAILED);
        };
        let compiler = self.compiler.display().to_string();
        let compiling = || self.first.iter().chain(&self.compiling).cloned();
        let linking = || self.linking.iter().cloned();
        let answer: Vec<String> = match question {
            Question::All => iter::once(compiler).chain(compiling()).chain(linking()).collect(),
            Question::Command => vec![compiler],
            Question::Compile => compiling().collect(),
            Question::Link => linking().collect(),
            Question::Folders => vec![include.display().to_string()],
            Question::Version => vec![format!("weft-cc {} (MPI 3.1)", env!("CARGO_PKG_VERSION"))],
        };
        engine::print_line("weft-cc", &answer.join(" "))
    }
}
