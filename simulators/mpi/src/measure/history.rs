//! The communication history in the Trace Event Format, which the viewers of Chrome and Perfetto open.
//!
//! Nodes are processes and ranks are threads. A call is a complete event (`X`). A message is a flow from
//! the call that sent it (`s`) to its arrival (`f`). Times are in microseconds with six decimals.
//! Source: the public document "Trace Event Format" of the Chromium project.

use crate::time::Time;
use engine::{SideTable, TableFile};
use fabric::Node;
use ranks::in_words_of_the_program;
use std::collections::HashSet;
use std::io::{BufWriter, Error, Result, Write};
use std::path::Path;

/// A file for trace viewers, which the table `files` lists.
pub const HISTORY: SideTable = SideTable::new("history", "call or message", &[]);

/// Most events of a file, about 200 MB, because viewers hold a file in memory. A call is one event, a
/// message is two. The file notes how many later events it leaves out.
pub const MOST_EVENTS: u64 = 2_000_000;

const HEAD: &str = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";

#[derive(Debug)]
pub struct History<W: Write = BufWriter<TableFile>> {
    writer: W,
    node_of: Vec<Node>,
    named_threads: HashSet<(u32, u32)>,
    named_nodes: Vec<bool>,
    events: u64,
    most: u64,
    messages: u64,
    left_out: u64,
    first: bool,
    closed: bool,
    /// The first error of a write, reported at the end.
    error: Option<Error>,
}

/// A time in microseconds, as a JSON number.
struct Microseconds(Time);

impl std::fmt::Display for Microseconds {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(to, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

impl History {
    /// Begins `history-<point>.json` in the folder `out`.
    pub fn create(
        out: &Path,
        point_id: &str,
        node_of: &[Node],
    ) -> std::result::Result<Self, String> {
        let path = out.join(format!("history-{point_id}.json"));
        let file = TableFile::create(path)?;
        Ok(Self::new(BufWriter::with_capacity(1 << 18, file), node_of, MOST_EVENTS))
    }
}

impl<W: Write> History<W> {
    /// Writes at most `most` events.
    pub fn new(writer: W, node_of: &[Node], most: u64) -> Self {
        let nodes = node_of.iter().max().map_or(0, |node| *node as usize + 1);
        Self {
            writer,
            node_of: node_of.to_vec(),
            named_threads: HashSet::new(),
            named_nodes: vec![false; nodes],
            events: 0,
            most,
            messages: 0,
            left_out: 0,
            first: true,
            closed: false,
            error: None,
        }
    }

    /// A thread of a rank was in a call, which the history names as the program does.
    pub fn call(&mut self, (rank, thread): (u32, u32), name: &str, start: Time, end: Time) {
        if !self.has_room_for(1) {
            return;
        }
        let (pid, tid) = self.place(rank, thread);
        let (ts, dur) = (Microseconds(start), Microseconds(end - start));
        let name = in_words_of_the_program(name);
        self.event(format_args!(
            "{{\"ph\":\"X\",\"name\":\"{name}\",\"cat\":\"call\",\"pid\":{pid},\"tid\":{tid},\
             \"ts\":{ts},\"dur\":{dur}}}"
        ));
    }

    /// A message from rank to rank.
    pub fn message(&mut self, src: u32, dst: u32, bytes: u64, sent: Time, arrived: Time) {
        if !self.has_room_for(2) {
            return;
        }
        let (from, to, id) = (self.place(src, 0), self.place(dst, 0), self.messages);
        let (start, end) = (Microseconds(sent), Microseconds(arrived));
        self.messages += 1;
        self.event(format_args!(
            "{{\"ph\":\"s\",\"name\":\"message\",\"cat\":\"message\",\"id\":{id},\"pid\":{},\
             \"tid\":{},\"ts\":{start},\"args\":{{\"bytes\":{bytes},\"to\":{dst}}}}}",
            from.0, from.1
        ));
        self.event(format_args!(
            "{{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"message\",\"id\":{id},\
             \"pid\":{},\"tid\":{},\"ts\":{end},\"args\":{{\"bytes\":{bytes},\"from\":{src}}}}}",
            to.0, to.1
        ));
    }

    fn has_room_for(&mut self, events: u64) -> bool {
        // No event follows one that is left out, so that the file holds the beginning without gaps.
        if self.left_out > 0 || self.events + events > self.most {
            self.left_out += events;
            return false;
        }
        self.events += events;
        true
    }

    /// Process and thread of a rank or of one of its threads. Both get their names before their first
    /// event. They are numbered from 1, because viewers treat process 0 as the idle process; further
    /// threads have numbers behind those of all ranks.
    fn place(&mut self, rank: u32, thread: u32) -> (u32, u32) {
        let node = self.node_of[rank as usize];
        let (pid, tid) = (node + 1, thread * self.node_of.len() as u32 + rank + 1);
        if !std::mem::replace(&mut self.named_nodes[node as usize], true) {
            self.event(format_args!(
                "{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{pid},\"args\":{{\"name\":\"node {node}\"}}}}"
            ));
        }
        if self.named_threads.insert((rank, thread)) {
            let suffix = if thread == 0 { String::new() } else { format!(", thread {thread}") };
            self.event(format_args!(
                "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{pid},\"tid\":{tid},\"args\":{{\"name\":\"rank {rank}{suffix}\"}}}}"
            ));
        }
        (pid, tid)
    }

    fn event(&mut self, text: std::fmt::Arguments) {
        let before = if std::mem::take(&mut self.first) { HEAD } else { "," };
        let written = writeln!(self.writer, "{before}").and_then(|()| self.writer.write_fmt(text));
        if let (Err(error), None) = (written, &self.error) {
            self.error = Some(error);
        }
    }

    /// Completes the file. Returns a note if events are left out.
    pub fn finish(&mut self) -> std::result::Result<Option<String>, String> {
        let note = (self.left_out > 0).then(|| {
            format!("the first {} events; {} later ones are left out", self.events, self.left_out)
        });
        let closed = self.close(note.as_deref());
        match self.error.take().or(closed.err()) {
            Some(error) => Err(format!("history: {error}")),
            None => Ok(note.map(|note| format!("history: {note}"))),
        }
    }

    fn close(&mut self, note: Option<&str>) -> Result<()> {
        if std::mem::replace(&mut self.closed, true) {
            return Ok(());
        }
        let head = if self.first { HEAD } else { "" };
        let note =
            note.map_or(String::new(), |note| format!(",\"otherData\":{{\"note\":\"{note}\"}}"));
        writeln!(self.writer, "{head}\n]{note}}}")?;
        self.writer.flush()
    }
}

/// A run that fails leaves a complete file, too.
impl<W: Write> Drop for History<W> {
    fn drop(&mut self) {
        let _ = self.close(Some("the run failed"));
    }
}
