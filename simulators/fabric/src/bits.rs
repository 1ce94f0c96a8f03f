//! Sets of small numbers as words of 64 bits.

/// How many words a set of numbers below `numbers` takes.
pub const fn words(numbers: usize) -> usize {
    numbers.div_ceil(64)
}

#[inline]
pub fn insert(set: &mut [u64], number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

#[inline]
pub fn remove(set: &mut [u64], number: usize) {
    set[number / 64] &= !(1 << (number % 64));
}

/// Removes a member if the condition holds; without a branch, where nobody can predict it.
#[inline]
pub fn remove_if(set: &mut [u64], number: usize, condition: bool) {
    set[number / 64] &= !(u64::from(condition) << (number % 64));
}

#[inline]
pub fn contains(set: &[u64], number: usize) -> bool {
    set[number / 64] >> (number % 64) & 1 != 0
}

#[inline]
pub fn any(set: &[u64]) -> bool {
    set.iter().any(|&word| word != 0)
}

/// The first member at or after `start`, or else the first of all: round robin.
#[inline]
pub fn first_from(set: &[u64], start: usize) -> Option<usize> {
    if let [word] = *set {
        return (word != 0).then(|| first_in_word(word, start));
    }
    let (word, bit) = (start / 64, start % 64);
    let later = set[word] >> bit << bit;
    if later != 0 {
        return Some(word * 64 + later.trailing_zeros() as usize);
    }
    let after = (word + 1..set.len()).chain(0..=word).find(|&w| set[w] != 0)?;
    Some(after * 64 + set[after].trailing_zeros() as usize)
}

/// The same in a set of one word that is not empty: turned so that the search begins at its lowest
/// bit, as nobody can predict a branch on whose turn it is.
#[inline]
pub fn first_in_word(word: u64, start: usize) -> usize {
    (start + word.rotate_right(start as u32).trailing_zeros() as usize) & 63
}

/// The number after `number` among so many, round and round; without a branch, likewise.
#[inline]
pub fn next_of(number: usize, numbers: usize) -> usize {
    let next = number + 1;
    next * usize::from(next != numbers)
}

/// The first accepted member of a set of one word, in round robin from `start`.
#[inline]
pub fn find_in_word(word: u64, start: u32, mut accept: impl FnMut(u32) -> bool) -> Option<u32> {
    let below = (1_u64 << start) - 1;
    for mut members in [word & !below, word & below] {
        while members != 0 {
            let bit = members.trailing_zeros();
            if accept(bit) {
                return Some(bit);
            }
            members &= members - 1;
        }
    }
    None
}

/// The first accepted member, in round robin from `start`.
#[inline]
pub fn find(set: &[u64], start: u32, mut accept: impl FnMut(u32) -> bool) -> Option<u32> {
    let words = set.len();
    let (first, below) = ((start / 64) as usize, (1_u64 << (start % 64)) - 1);
    for i in 0..=words {
        let word = if first + i < words { first + i } else { first + i - words };
        let mut members = set[word];
        if i == 0 {
            members &= !below;
        } else if i == words {
            members &= below;
        }
        while members != 0 {
            let bit = word as u32 * 64 + members.trailing_zeros();
            if accept(bit) {
                return Some(bit);
            }
            members &= members - 1;
        }
    }
    None
}

/// Word number `word` of the set `first..first + count`.
#[inline]
pub fn range_word(first: usize, count: usize, word: usize) -> u64 {
    let below = |end: usize| match end.saturating_sub(word * 64) {
        bits @ 0..=63 => (1_u64 << bits) - 1,
        _ => u64::MAX,
    };
    below(first + count) & !below(first)
}

/// The set `first..first + count` of one word, of at least one member.
#[inline]
pub fn range_in_word(first: usize, count: usize) -> u64 {
    u64::MAX >> (64 - count) << first
}

/// The members within one word.
#[derive(Clone, Copy)]
pub struct Bits(pub u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// The members of a set in ascending order.
pub fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let within = |(word, &bits): (usize, &u64)| Bits(bits).map(move |bit| word * 64 + bit);
    set.iter().enumerate().flat_map(within)
}

/// Many sets of numbers from the same range, in one piece of memory.
pub struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// Empty sets of numbers below `numbers`.
    pub fn new(sets: usize, numbers: usize) -> Self {
        let words = words(numbers);
        Self { words, bits: vec![0; sets * words] }
    }

    /// How many words one set takes.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    #[inline]
    pub fn of(&self, set: usize) -> &[u64] {
        &self.bits[set * self.words..][..self.words]
    }

    #[inline]
    pub fn word(&self, set: usize, word: usize) -> u64 {
        self.bits[set * self.words + word]
    }

    #[inline]
    pub fn take_word(&mut self, set: usize, word: usize) -> u64 {
        std::mem::take(&mut self.bits[set * self.words + word])
    }

    #[inline]
    pub fn insert(&mut self, set: usize, number: usize) {
        self.bits[set * self.words + number / 64] |= 1 << (number % 64);
    }

    /// Removes a member; true if the set is empty then.
    #[inline]
    pub fn remove(&mut self, set: usize, number: usize) -> bool {
        let word = &mut self.bits[set * self.words + number / 64];
        *word &= !(1 << (number % 64));
        *word == 0 && (self.words == 1 || !any(self.of(set)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_starts_at_the_pointer_and_wraps() {
        let mut set = [0; 2];
        for number in [3, 40, 100] {
            insert(&mut set, number);
        }
        let picked: Vec<_> = [0, 3, 4, 41, 101].map(|s| first_from(&set, s).unwrap()).into();
        assert_eq!(picked, [3, 3, 40, 100, 3]);
        assert_eq!(first_from(&[0, 0], 70), None);
    }

    #[test]
    fn round_robin_finds_what_lies_before_the_pointer_in_its_word() {
        assert_eq!(first_from(&[1 << 5], 9), Some(5));
        assert_eq!(first_from(&[0, 1 << 5], 100), Some(69));
    }

    #[test]
    fn a_word_is_searched_from_any_bit_and_numbers_go_round() {
        for start in 0..64 {
            for word in [1, 1 << 63, 0x8000_0100_0000_0001, u64::MAX] {
                let expected = first_from(&[word, 0], start).unwrap();
                assert_eq!(first_in_word(word, start), expected);
            }
        }
        let mut number = 0;
        let round = [1, 2, 0, 1].map(|_| {
            number = next_of(number, 3);
            number
        });
        assert_eq!(round, [1, 2, 0, 1]);
    }

    #[test]
    fn a_set_of_many_knows_when_it_is_empty() {
        let mut sets = Sets::new(3, 100);
        sets.insert(1, 99);
        sets.insert(1, 3);
        assert!(!sets.remove(1, 3));
        assert!(sets.remove(1, 99));
        assert_eq!(sets.of(0), [0, 0]);
    }

    #[test]
    fn a_range_crosses_words() {
        let set: Vec<u64> = (0..3).map(|word| range_word(60, 70, word)).collect();
        assert_eq!(members(&set).collect::<Vec<_>>(), (60..130).collect::<Vec<_>>());
    }

    #[test]
    fn a_range_in_one_word_is_the_first_word_of_the_range() {
        for first in 0..64 {
            for count in 1..=64 - first {
                assert_eq!(range_in_word(first, count), range_word(first, count, 0));
            }
        }
    }

    #[test]
    fn a_member_goes_only_under_its_condition() {
        let mut set = [0, 1 << 3 | 1 << 5];
        remove_if(&mut set, 67, false);
        assert_eq!(set, [0, 1 << 3 | 1 << 5]);
        remove_if(&mut set, 67, true);
        assert_eq!(set, [0, 1 << 5]);
    }

    #[test]
    fn the_search_goes_around_and_meets_every_member_once() {
        let mut set = [0; 2];
        for bit in [3, 64, 100] {
            insert(&mut set, bit);
        }
        for start in [0, 3, 4, 64, 70, 101, 127] {
            let mut met = Vec::new();
            assert_eq!(
                find(&set, start, |bit| {
                    met.push(bit);
                    false
                }),
                None
            );
            let mut expected = vec![3, 64, 100];
            let turn = expected.iter().filter(|&&bit| bit < start).count();
            expected.rotate_left(turn);
            assert_eq!(met, expected);
        }
        assert_eq!(find(&set, 65, |bit| bit < 70), Some(3));
    }
}
