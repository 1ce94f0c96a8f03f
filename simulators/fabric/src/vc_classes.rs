//! The division of virtual channels into classes.

/// Most classes of virtual channels of a port.
pub const MOST_CLASSES: u16 = 15;

/// Virtual channels of a port, divided into classes as evenly as possible, the first ones larger.
#[derive(Debug, Clone, Copy)]
pub struct VcClasses {
    first: [u16; MOST_CLASSES as usize + 1],
}

impl VcClasses {
    /// Divides `vcs` virtual channels into at most [`MOST_CLASSES`] classes.
    pub fn new(vcs: u16, classes: u16) -> Self {
        let first = |class: u16| {
            let before = u32::from(vcs) * u32::from(class.min(classes));
            before.div_ceil(u32::from(classes)) as u16
        };
        Self { first: std::array::from_fn(|class| first(class as u16)) }
    }

    /// The first virtual channel of a class, and how many it has.
    #[inline]
    pub fn of(&self, class: u8) -> (u16, u16) {
        let (first, next) = (self.first[class as usize], self.first[class as usize + 1]);
        (first, next - first)
    }
}
