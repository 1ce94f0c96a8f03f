//! Several programs in one process: each has ranks of its own, numbered behind those of the one before.

#![expect(unsafe_code, reason = "loads and calls code of others")]

use super::Program;
use super::private::PrivateGlobals;
use crate::coroutines::{PrivateMemory, Ranks};
use std::ffi::CString;
use std::rc::Rc;

/// Ranks that run one program. The first of `arguments` is the program's name.
#[derive(Clone, Copy)]
pub struct Team<'a> {
    pub program: &'a Rc<Program>,
    pub arguments: &'a [String],
    pub ranks: u32,
}

impl Program {
    /// Prepares a run of several programs at once, or of one with different arguments.
    ///
    /// # Errors
    /// When the stacks or the globals of so many ranks take too much memory.
    pub fn teams(teams: &[Team], stack_bytes: usize) -> Result<Ranks, String> {
        let count: u32 = teams.iter().map(|team| team.ranks).sum();
        let memory = Memories::of(teams)?;
        let mut bodies = vec![];
        let mut body_of = Vec::with_capacity(count as usize);
        for (number, team) in teams.iter().enumerate() {
            let words = team.arguments.iter().map(|word| CString::new(word.as_str()));
            let words: Vec<CString> =
                words.collect::<Result<_, _>>().map_err(|_| "an argument holds a zero byte")?;
            bodies.push((Rc::clone(team.program), words));
            body_of.extend(std::iter::repeat_n(number, team.ranks as usize));
        }
        let body = move |rank: u32| {
            let (program, words) = &bodies[body_of[rank as usize]];
            program.run(words)
        };
        let ranks = Ranks::new(body, count, stack_bytes)?;
        Ok(match memory {
            Some(memory) => ranks.with_memory(memory),
            None => ranks,
        })
    }
}

/// The globals of several programs. What lies outside of them, such as `errno`, belongs to whichever
/// rank runs.
struct Memories {
    programs: Vec<Option<PrivateGlobals>>,
    /// Of each rank: its program, and its number among all ranks of that program.
    places: Vec<(usize, u32)>,
}

impl Memories {
    /// None where no program has globals.
    fn of(teams: &[Team]) -> Result<Option<Box<dyn PrivateMemory>>, String> {
        let mut known: Vec<(&Rc<Program>, u32)> = vec![];
        let mut starts = vec![];
        for team in teams {
            let same = known.iter().position(|(program, _)| Rc::ptr_eq(program, team.program));
            let at = same.unwrap_or_else(|| {
                known.push((team.program, 0));
                known.len() - 1
            });
            starts.push((at, known[at].1));
            known[at].1 += team.ranks;
        }
        let programs = known.iter().map(|&(program, ranks)| {
            program.check(ranks)?;
            // SAFETY: the memory is that of the library, which lives as long as the ranks' body does.
            let memory = || unsafe { PrivateGlobals::new(&program.initial, ranks) };
            (!program.initial.is_empty()).then(memory).transpose()
        });
        let mut programs: Vec<_> = programs.collect::<Result<_, String>>()?;
        if let [alone] = &mut programs[..] {
            return Ok(alone.take().map(|memory| Box::new(memory) as Box<dyn PrivateMemory>));
        }
        let places = teams.iter().zip(starts).flat_map(|(team, (at, before))| {
            (before..before + team.ranks).map(move |number| (at, number))
        });
        Ok(Some(Box::new(Self { places: places.collect(), programs })))
    }

    fn program(&self, rank: u32) -> Option<(&PrivateGlobals, u32)> {
        let (at, number) = self.places[rank as usize];
        self.programs[at].as_ref().map(|memory| (memory, number))
    }

    /// The number of `running` among the ranks of the program of `rank`, if it runs that program.
    fn same(&self, rank: u32, running: Option<u32>) -> Option<u32> {
        let (at, _) = self.places[rank as usize];
        let (program, number) = self.places[running? as usize];
        (program == at).then_some(number)
    }
}

impl PrivateMemory for Memories {
    fn exchange(&mut self, before: Option<u32>, rank: u32) {
        if let Some((memory, number)) = before.and_then(|before| self.program(before)) {
            memory.leave(number);
        }
        if let Some((memory, number)) = self.program(rank) {
            memory.arrive(number);
        }
    }

    fn renew(&mut self, rank: u32, running: Option<u32>) {
        let running = self.same(rank, running);
        let (at, number) = self.places[rank as usize];
        if let Some(memory) = &mut self.programs[at] {
            memory.renew(number, running);
        }
    }

    fn translate(&self, rank: u32, address: *mut u8, running: Option<u32>) -> *mut u8 {
        let running = self.same(rank, running);
        self.program(rank)
            .map_or(address, |(memory, number)| memory.translate(number, address, running))
    }

    fn locals(&self, rank: u32) -> Box<[u8]> {
        self.program(rank).map_or_else(Box::default, |(memory, _)| memory.locals.take())
    }

    fn set_locals(&self, rank: u32, locals: Option<&[u8]>) {
        if let Some((memory, _)) = self.program(rank) {
            memory.locals.put(locals);
        }
    }
}
