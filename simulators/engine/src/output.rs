//! What commands print. Whoever reads it may stop before its end, as `head` does.

use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};
use std::process::ExitCode;

/// Standard output. If nobody reads any more, the process ends, and quietly.
pub struct Output(StdoutLock<'static>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).inspect_err(end_unless_read)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().inspect_err(end_unless_read)
    }
}

fn end_unless_read(error: &io::Error) {
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
}

/// Prints what `write` writes; a reason why it cannot goes to standard error, after the command's name.
pub fn print(
    command: &str,
    write: impl FnOnce(&mut BufWriter<Output>) -> Result<(), String>,
) -> ExitCode {
    let mut out = BufWriter::new(Output(io::stdout().lock()));
    let written = write(&mut out).and_then(|()| out.flush().map_err(|e| format!("writing: {e}")));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            complain(command, &reason);
            ExitCode::from(2)
        }
    }
}

/// Prints a line.
pub fn print_line(command: &str, text: &str) -> ExitCode {
    print(command, |out| writeln!(out, "{text}").map_err(|e| format!("writing: {e}")))
}

/// Says on standard error what is wrong, if anybody reads it.
pub fn complain(command: &str, reason: &str) {
    let _ = writeln!(io::stderr(), "{command}: {reason}");
}
