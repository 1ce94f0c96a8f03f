//! Runs compiled programs on a network.

#![expect(unsafe_code, reason = "loads code of others")]

use crate::abi;
use crate::computing::Computing;
use crate::drive::drive_jobs;
use crate::jobs::{Ends, Job, cut_ranks};
use crate::messaging::{Machine, Protocol, Samples};
use crate::observer::Observer;
use crate::options::{Compute, Options};
use crate::time::Time;
use crate::transport::Transport;
use fabric::{Node, Rails};
use ranks::{Built, Program, in_words_of_the_program};
use std::marker::PhantomData;
use std::path::Path;
use std::rc::Rc;

/// Programs that are compiled, loaded and bound to machines of these types.
pub struct Loaded<T, O> {
    programs: Vec<Rc<Program>>,
    types: PhantomData<(T, O)>,
}

/// Ranks that run one of the programs.
#[derive(Debug, Clone)]
pub struct Team {
    /// The number of the program among those that are loaded.
    pub program: usize,
    /// The first one is the program's name.
    pub arguments: Vec<String>,
    pub job: Job,
}

/// Where ranks run.
#[derive(Debug, Clone, Copy)]
pub struct Hosts<'a> {
    /// The node of each rank; its host, where hosts have several rails.
    pub of_ranks: &'a [Node],
    pub rails: Option<&'a Rails>,
}

/// A simulation that has ended.
pub struct Ended<T, O> {
    pub machine: Machine<T, O>,
    /// Of the slowest rank; of those of jobs that run until the others end, none counts.
    pub time: Time,
    /// The runs of each job.
    pub runs: Ends,
    /// How often a rank was resumed.
    pub switches: u64,
}

impl<T: Transport, O: Observer> Loaded<T, O> {
    /// Loads compiled programs.
    ///
    /// # Errors
    /// Reports what the loader says, and which globals cannot be kept apart.
    pub fn new(built: &[Built]) -> Result<Self, String> {
        let host = std::ptr::from_ref(abi::table::<T, O>());
        let mut known: Vec<(&Path, Rc<Program>)> = vec![];
        let mut programs = vec![];
        for each in built {
            let path = each.library();
            let same = known.iter().find(|(other, _)| *other == path);
            let program = match same {
                // The loader would give the same variables once more.
                Some((_, program)) => Rc::clone(program),
                // SAFETY: the table is static, and of the types of the machines that `run` makes.
                None => unsafe { Program::load(each, host.cast()) }?,
            };
            known.push((path, Rc::clone(&program)));
            programs.push(program);
        }
        Ok(Self { programs, types: PhantomData })
    }

    /// Runs programs with the ranks of the teams, one behind the other, on these hosts. With `are_jobs`
    /// each team is a job, with a world of its own. `costs` says what calls cost beside the network.
    ///
    /// # Errors
    /// See [`drive_jobs`]. Also when so many ranks take too much memory.
    pub fn run(
        &self,
        (teams, are_jobs): (&[Team], bool),
        hosts: Hosts,
        (options, costs): (&Options, Protocol),
        transport: T,
        observer: O,
    ) -> Result<Ended<T, O>, String> {
        let protocol = options.protocol(costs);
        let mut machine = Machine::new(transport, observer, hosts.of_ranks.to_vec(), protocol);
        machine.rails = hosts.rails.cloned();
        machine.set_algorithms(&options.algorithms);
        machine.samples = Samples::beside(&options.measured);
        machine.storage = options.files.storage();
        let samples = options.compute == Compute::Sampled;
        machine.computing = Computing::new(&options.charge, hosts.of_ranks.len(), samples)?;
        let jobs: Vec<Job> = teams.iter().map(|team| team.job).collect();
        if are_jobs {
            jobs.iter().for_each(|job| machine.add_job(job.ranks, job.start));
        }
        let plain = teams.iter().flat_map(|team| {
            let is_plain = self.programs[team.program].is_plain();
            std::iter::repeat_n(is_plain, team.job.ranks as usize)
        });
        machine.ranks.iter_mut().zip(plain).for_each(|(rank, is_plain)| rank.set_plain(is_plain));
        let stack_bytes = options.stack_bytes as usize;
        let teams = teams.iter().map(|team| ranks::Team {
            program: &self.programs[team.program],
            arguments: &team.arguments,
            ranks: team.job.ranks,
        });
        let mut ranks = Program::teams(&teams.collect::<Vec<_>>(), stack_bytes)?;
        let (time, runs) = drive_jobs(&mut machine, &mut ranks, &jobs)?;
        let cut = cut_ranks(&jobs);
        let left = machine.unreceived(&cut).into_iter().chain(machine.uncompleted(&cut));
        for note in left.chain(machine.notes.lines()) {
            ranks::note(&in_words_of_the_program(&note));
        }
        for line in machine.notes.chosen.note().into_iter().chain(machine.computing.notes()) {
            eprintln!("{}", in_words_of_the_program(&line));
        }
        Ok(Ended { machine, time, runs, switches: ranks.switches() })
    }
}
