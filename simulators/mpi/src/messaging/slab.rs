//! Numbered places that are reused: only a new maximum of values at a time allocates.

use std::ops::{Index, IndexMut};

/// No place.
pub const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub struct Slab<V> {
    places: Vec<V>,
    free: Vec<u32>,
}

impl<V> Default for Slab<V> {
    fn default() -> Self {
        Self { places: vec![], free: vec![] }
    }
}

impl<V> Slab<V> {
    /// Stores a value in a free place and returns the place's number.
    #[inline]
    pub fn insert(&mut self, value: V) -> u32 {
        if let Some(place) = self.free.pop() {
            self.places[place as usize] = value;
            return place;
        }
        self.places.push(value);
        (self.places.len() - 1) as u32
    }

    /// Frees a place. Its value stays readable until the place is used again.
    #[inline]
    pub fn release(&mut self, place: u32) {
        self.free.push(place);
    }

    /// Takes a free place with the value of its last use, if there is one.
    #[inline]
    pub fn reuse(&mut self) -> Option<u32> {
        self.free.pop()
    }

    pub fn get(&self, place: u32) -> Option<&V> {
        self.places.get(place as usize)
    }

    /// All values, also those of free places.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        self.places.iter()
    }
}

impl<V> Index<u32> for Slab<V> {
    type Output = V;

    #[inline]
    fn index(&self, place: u32) -> &V {
        &self.places[place as usize]
    }
}

impl<V> IndexMut<u32> for Slab<V> {
    #[inline]
    fn index_mut(&mut self, place: u32) -> &mut V {
        &mut self.places[place as usize]
    }
}
