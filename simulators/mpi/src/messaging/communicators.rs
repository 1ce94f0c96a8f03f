//! Groups of ranks. Each communicator has a number of its own, which keeps its messages apart.

use super::slab::NONE;

pub const WORLD: u32 = 1;
pub const SELF: u32 = 2;

#[derive(Debug)]
pub(super) enum Members {
    /// Every rank as itself.
    World,
    /// The ranks of a job: so many, from the first one on.
    Job { first: u32, count: u32 },
    /// The calling rank alone.
    Caller,
    /// Ranks of the world by their place. `sorted` holds rank and place in the order of the ranks, if that
    /// is another order.
    Listed { members: Vec<u32>, sorted: Vec<(u32, u32)> },
}

/// A rank's part in a split: the color it chose, its key, its place in the old communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    pub color: i32,
    pub key: i32,
    pub place: u32,
}

#[derive(Debug)]
pub(super) struct Communicator {
    pub(super) members: Members,
    /// The communicator of the ranks that its members send to, if these are others.
    pub(super) other_side: Option<u32>,
    /// Whether each member has freed it; empty until the first one does.
    pub(super) freed: Vec<bool>,
    pub(super) still_used_by: u32,
    /// The parts in a split or dup that waits for further members, and the call's name.
    parts: Vec<Part>,
    splitting: &'static str,
}

impl Communicator {
    fn of(members: Members, still_used_by: u32) -> Self {
        let (other_side, freed, parts) = (None, vec![], vec![]);
        Self { members, other_side, freed, still_used_by, parts, splitting: "" }
    }
}

#[derive(Debug)]
pub struct Communicators {
    /// By handle; 0 is `MGEN_COMM_NULL`.
    pub(super) list: Vec<Communicator>,
    ranks: u32,
    /// Of each rank the world of its job; empty where all ranks are in `WORLD`.
    worlds: Vec<u32>,
    /// Those that not every member has joined.
    joining: Vec<Joining>,
}

/// A communicator that its members join one by one.
#[derive(Debug)]
struct Joining {
    of: u32,
    tag: i32,
    members: Vec<u32>,
    made: i32,
    absent: usize,
}

impl Communicators {
    pub fn new(ranks: u32) -> Self {
        let make = |members| Communicator::of(members, ranks);
        let null = Members::Listed { members: vec![], sorted: vec![] };
        Self {
            list: vec![make(null), make(Members::World), make(Members::Caller)],
            ranks,
            worlds: vec![],
            joining: vec![],
        }
    }

    /// Gives `count` ranks from `first` on a world of their own, which none of them has used before.
    pub fn new_world(&mut self, first: u32, count: u32) {
        let world = self.list.len() as u32;
        self.list.push(Communicator::of(Members::Job { first, count }, count));
        self.worlds.resize(self.ranks as usize, WORLD);
        self.worlds[first as usize..][..count as usize].fill(world);
    }

    /// The world of a rank: all ranks, or those of its job.
    #[inline]
    pub fn world_of(&self, rank: u32) -> u32 {
        self.worlds.get(rank as usize).copied().unwrap_or(WORLD)
    }

    /// The first rank of the world of `rank`; programs count ranks from there.
    #[inline]
    pub fn first_of(&self, rank: u32) -> u32 {
        match self.list[self.world_of(rank) as usize].members {
            Members::Job { first, .. } => first,
            _ => 0,
        }
    }

    /// The communicator of a handle that `rank` may use.
    #[inline]
    pub fn find(&self, handle: i32, rank: u32) -> Result<u32, String> {
        if handle == WORLD as i32 {
            return Ok(self.world_of(rank));
        }
        self.find_other(handle, rank)
    }

    #[inline(never)]
    fn find_other(&self, handle: i32, rank: u32) -> Result<u32, String> {
        let found = usize::try_from(handle).ok().and_then(|at| self.list.get(at));
        let Some(found) = found.filter(|_| handle != 0) else {
            return Err(match handle {
                0 => "MGEN_COMM_NULL has no ranks".into(),
                _ => format!("{handle} is not a communicator"),
            });
        };
        let handle = handle as u32;
        let Some(place) = self.place_of(handle, rank) else {
            return Err(match found.still_used_by {
                0 => format!("{} was freed", self.name(handle)),
                _ => format!("the rank is not a member of {}", self.name(handle)),
            });
        };
        if !found.freed.is_empty() && found.freed[place as usize] {
            return Err(format!("{} was freed", self.name(handle)));
        }
        Ok(handle)
    }

    pub fn size(&self, communicator: u32) -> u32 {
        match &self.list[communicator as usize].members {
            Members::World => self.ranks,
            Members::Job { count, .. } => *count,
            Members::Caller => 1,
            Members::Listed { members, .. } => members.len() as u32,
        }
    }

    /// Place in a communicator of a rank of the world.
    #[inline]
    pub fn place_of(&self, communicator: u32, rank: u32) -> Option<u32> {
        if communicator == WORLD {
            return Some(rank);
        }
        match &self.list[communicator as usize].members {
            Members::World => Some(rank),
            Members::Job { first, count } => rank.checked_sub(*first).filter(|at| at < count),
            Members::Caller => Some(0),
            Members::Listed { members, sorted } if sorted.is_empty() => {
                members.binary_search(&rank).ok().map(|place| place as u32)
            }
            Members::Listed { sorted, .. } => {
                let at = sorted.binary_search_by_key(&rank, |&(member, _)| member).ok()?;
                Some(sorted[at].1)
            }
        }
    }

    /// Rank in the world of the member at `place`, for `caller`.
    #[inline]
    pub fn rank_at(&self, communicator: u32, place: i32, caller: u32) -> Result<u32, String> {
        // The usual case. As an unsigned number, a negative place is a large one.
        if communicator == WORLD && (place as u32) < self.ranks {
            return Ok(place as u32);
        }
        self.member_at(communicator, place, caller)
    }

    #[inline(never)]
    fn member_at(&self, communicator: u32, place: i32, caller: u32) -> Result<u32, String> {
        let size = self.size(communicator);
        if place < 0 || place as u32 >= size {
            return Err(format!(
                "rank {place} does not exist: {} has {}",
                self.name(communicator),
                match size {
                    1 => "rank 0 only".into(),
                    _ => format!("ranks 0 to {}", size - 1),
                }
            ));
        }
        Ok(match &self.list[communicator as usize].members {
            Members::World => place as u32,
            Members::Job { first, .. } => first + place as u32,
            Members::Caller => caller,
            Members::Listed { members, .. } => members[place as usize],
        })
    }

    /// Adds a rank's part in a split. When the last part is there, returns every member with the handle
    /// of its new communicator, in the order of colors; the handle is 0 for a color below 0. Members of
    /// one color are in the order of their keys, then of their places.
    pub fn split(
        &mut self,
        communicator: u32,
        call: &'static str,
        part: Part,
        caller: u32,
    ) -> Result<Option<Vec<(u32, i32)>>, String> {
        let size = self.size(communicator) as usize;
        if communicator == SELF {
            return Ok(Some(match part.color < 0 {
                true => vec![(caller, 0)],
                false => vec![(caller, self.add(vec![caller]))],
            }));
        }
        let found = &self.list[communicator as usize];
        if !found.parts.is_empty() && found.splitting != call {
            let (name, others) = (self.name(communicator), found.splitting);
            return Err(format!("other ranks of {name} call {others}"));
        }
        let found = &mut self.list[communicator as usize];
        found.splitting = call;
        found.parts.push(part);
        if found.parts.len() < size {
            return Ok(None);
        }
        let mut parts = std::mem::take(&mut found.parts);
        parts.sort_unstable();
        let mut made = Vec::with_capacity(size);
        for group in parts.chunk_by(|a, b| a.color == b.color) {
            let places = group.iter().map(|part| part.place as i32);
            let members: Vec<u32> = places
                .map(|at| self.rank_at(communicator, at, caller))
                .collect::<Result<_, _>>()?;
            let handle = if group[0].color < 0 { 0 } else { self.add(members.clone()) };
            made.extend(members.into_iter().map(|rank| (rank, handle)));
        }
        Ok(Some(made))
    }

    /// The communicator of these members of another one, by the handle that all who call with the same
    /// tag get. The first caller makes it.
    pub fn join(&mut self, communicator: u32, members: Vec<u32>, tag: i32) -> i32 {
        let same = |j: &Joining| j.of == communicator && j.tag == tag && j.members == members;
        let at = self.joining.iter().position(same).unwrap_or_else(|| {
            let (made, absent) = (self.add(members.clone()), members.len());
            self.joining.push(Joining { of: communicator, tag, members, made, absent });
            self.joining.len() - 1
        });
        self.joining[at].absent -= 1;
        let Joining { made, absent, .. } = self.joining[at];
        if absent == 0 {
            self.joining.remove(at);
        }
        made
    }

    fn add(&mut self, members: Vec<u32>) -> i32 {
        let mut sorted = vec![];
        if !members.is_sorted() {
            sorted = members.iter().zip(0..).map(|(&rank, place)| (rank, place)).collect();
            sorted.sort_unstable();
        }
        let size = members.len() as u32;
        self.list.push(Communicator::of(Members::Listed { members, sorted }, size));
        self.list.len() as i32 - 1
    }

    /// How many members a split still waits for.
    pub fn absent(&self, communicator: u32) -> u32 {
        self.size(communicator) - self.list[communicator as usize].parts.len() as u32
    }

    /// Frees a communicator of [`find`](Self::find) for one rank.
    pub fn free(&mut self, communicator: u32, rank: u32) -> Result<(), String> {
        if communicator == SELF || self.is_world(communicator) {
            return Err(format!("{} cannot be freed", self.name(communicator)));
        }
        let place = self.place_of(communicator, rank).unwrap_or(NONE);
        let size = self.size(communicator) as usize;
        let found = &mut self.list[communicator as usize];
        found.freed.resize(size, false);
        found.freed[place as usize] = true;
        found.still_used_by -= 1;
        if found.still_used_by == 0 {
            self.forget(communicator);
        }
        Ok(())
    }

    /// The name of a communicator in messages.
    pub fn name(&self, communicator: u32) -> String {
        match (communicator, &self.list[communicator as usize].members) {
            (_, Members::World | Members::Job { .. }) => "MGEN_COMM_WORLD".into(),
            (SELF, _) => "MGEN_COMM_SELF".into(),
            _ => format!("communicator {communicator}"),
        }
    }

    fn is_world(&self, communicator: u32) -> bool {
        matches!(self.list[communicator as usize].members, Members::World | Members::Job { .. })
    }
}
