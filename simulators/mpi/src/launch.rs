//! Runs a compiled program on a network.

#![expect(unsafe_code, reason = "loads code of others")]

use crate::abi;
use crate::computing::Computing;
use crate::drive::drive;
use crate::messaging::{Machine, Protocol, Samples};
use crate::observer::Observer;
use crate::options::Options;
use crate::time::Time;
use crate::transport::Transport;
use fabric::{Node, Rails};
use ranks::{Built, Program, in_words_of_the_program};
use std::marker::PhantomData;
use std::rc::Rc;

/// A program that is compiled, loaded and bound to machines of these types.
pub struct Loaded<T, O> {
    program: Rc<Program>,
    types: PhantomData<(T, O)>,
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
    /// Of the slowest rank.
    pub time: Time,
    /// How often a rank was resumed.
    pub switches: u64,
}

impl<T: Transport, O: Observer> Loaded<T, O> {
    /// Loads a compiled program.
    ///
    /// # Errors
    /// Reports what the loader says, and which globals cannot be kept apart.
    pub fn new(built: &Built) -> Result<Self, String> {
        let host = std::ptr::from_ref(abi::table::<T, O>());
        // SAFETY: the table is static, and of the types of the machines that `run` makes.
        let program = unsafe { Program::load(built, host.cast()) }?;
        Ok(Self { program, types: PhantomData })
    }

    /// Runs the program with its ranks on these hosts. The first of `arguments` is the program's name.
    /// `costs` says what calls cost beside the network.
    ///
    /// # Errors
    /// See [`drive`]. Also when so many ranks take too much memory.
    pub fn run(
        &self,
        arguments: &[String],
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
        machine.computing = Computing::new(&options.charge, hosts.of_ranks.len())?;
        let stack_bytes = options.stack_bytes as usize;
        let mut ranks = self.program.ranks(arguments, hosts.of_ranks.len() as u32, stack_bytes)?;
        let time = drive(&mut machine, &mut ranks)?;
        for note in [machine.unreceived(), machine.chosen.note()].into_iter().flatten() {
            eprintln!("{}", in_words_of_the_program(&note));
        }
        Ok(Ended { machine, time, switches: ranks.switches() })
    }
}
